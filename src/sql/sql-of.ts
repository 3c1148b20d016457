import type { Expression } from '../expression.js'
import type { Dialect } from './dialect.js'

/** Beyond this, up and down, e to the power of a number may end a query, by itself or in the product with another. */
const LARGEST_POWER = 345
/** The logarithm of less is that of this. */
const SMALLEST = 1e-300

/**
 * An expression in the SQL of an engine; columns are called there as here, those of rows r, w, b, q, v, m, g, h and l, or as
 * `column` says. Nothing in it ends a query but a product that is too large: a quotient by 0 may be NULL, and powers and
 * logarithms of 0 stop at numbers that are as good as infinite.
 */
export function sqlOf<Column extends string>(
  expression: Expression<Column>,
  dialect: Dialect,
  column: (name: Column) => string = (name) => name,
): string {
  const sql = (part: Expression<Column>): string => sqlOf(part, dialect, column)
  switch (expression.kind) {
    case 'number':
      return dialect.number(expression.value)
    case 'column':
      return column(expression.column)
    case 'operation': {
      const { operator, left, right } = expression
      const name = operator === 'min' ? 'least' : operator === 'max' ? 'greatest' : undefined
      if (name !== undefined) return `${name}(${sql(left)}, ${sql(right)})`
      const mayEnd = operator === '/' && dialect.raises && mayBeZero(right)
      const second = mayEnd ? `nullif(${sql(right)}, ${dialect.number(0)})` : sql(right)
      return `(${sql(left)} ${operator} ${second})`
    }
    case 'function': {
      const of = sql(expression.of)
      if (expression.name === 'floor') return dialect.floor(of)
      if (expression.name === 'log') return `ln(greatest(${of}, ${dialect.number(SMALLEST)}))`
      const [least, most] = [-LARGEST_POWER, LARGEST_POWER].map((power) => dialect.number(power))
      return `exp(greatest(${least}, least(${most}, ${of})))`
    }
    case 'case': {
      const { relation, left, right, value, otherwise } = expression
      // What is missing differs from all else.
      if (relation === '!=')
        return `CASE WHEN ${sql(left)} = ${sql(right)} THEN ${sql(otherwise)} ELSE ${sql(value)} END`
      return `CASE WHEN ${sql(left)} ${relation} ${sql(right)} THEN ${sql(value)} ELSE ${sql(otherwise)} END`
    }
  }
}

/** Propensities of sound rows are above 0. */
const mayBeZero = (expression: Expression<string>): boolean =>
  expression.kind === 'number'
    ? expression.value === 0
    : expression.kind !== 'column' || expression.column !== 'b'
