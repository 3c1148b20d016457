import type { Expression } from '../expression.js'
import type { Dialect } from './dialect.js'

/** An expression in the SQL of an engine; columns are called there as here: those of rows r, w, b, q, v, m, g, h and l. */
export function sqlOf<Column extends string>(expression: Expression<Column>, dialect: Dialect): string {
  const sql = (part: Expression<Column>): string => sqlOf(part, dialect)
  switch (expression.kind) {
    case 'number':
      return dialect.number(expression.value)
    case 'column':
      return expression.column
    case 'operation': {
      const { operator, left, right } = expression
      const name = operator === 'min' ? 'least' : operator === 'max' ? 'greatest' : undefined
      return name === undefined
        ? `(${sql(left)} ${operator} ${sql(right)})`
        : `${name}(${sql(left)}, ${sql(right)})`
    }
    case 'function':
      if (expression.name === 'floor') return dialect.floor(sql(expression.of))
      return `${expression.name === 'log' ? 'ln' : expression.name}(${sql(expression.of)})`
    case 'case': {
      const { relation, left, right, value, otherwise } = expression
      return `CASE WHEN ${sql(left)} ${relation === '!=' ? '<>' : relation} ${sql(right)} THEN ${sql(value)} ELSE ${sql(otherwise)} END`
    }
  }
}
