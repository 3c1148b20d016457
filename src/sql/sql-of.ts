import type { Dialect } from './dialect.js'
import type { Expression } from './expression.js'

/** An expression in the SQL of an engine; columns of rows are called r, w, b, q, v, m, g, h and l there. */
export function sqlOf(expression: Expression, dialect: Dialect): string {
  const sql = (part: Expression): string => sqlOf(part, dialect)
  switch (expression.kind) {
    case 'number':
      return dialect.number(expression.value)
    case 'column':
      return expression.column
    case 'operation': {
      const { operator, left, right } = expression
      return operator === 'min'
        ? `least(${sql(left)}, ${sql(right)})`
        : `(${sql(left)} ${operator} ${sql(right)})`
    }
    case 'case': {
      const { relation, left, right, value, otherwise } = expression
      return `CASE WHEN ${sql(left)} ${relation} ${sql(right)} THEN ${sql(value)} ELSE ${sql(otherwise)} END`
    }
  }
}
