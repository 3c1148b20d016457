import type { CellColumn, Value } from '../log/values/value.js'
import type { Dialect } from './dialect.js'

/** Factors beyond this have products that may be too large for a double; a number of a log never is. */
const LARGEST_FACTOR = 1e150

/**
 * A value in the SQL of an engine: NULL where a cell it needs has no number, or where the result is none. Nothing in it
 * ends a query: what an engine would raise an error for is not computed. Its functions are the engine's, so the last bits
 * may differ from those of `computeValue`.
 */
export function valueSql(value: Value, dialect: Dialect, cell: (column: CellColumn) => string): string {
  const sql = (part: Value): string => valueSql(part, dialect, cell)
  const { number } = dialect
  const isSmall = (part: string): string => `abs(${part}) <= ${number(LARGEST_FACTOR)}`
  switch (value.kind) {
    case 'number':
      return number(value.value)
    case 'column':
      return cell(value.column)
    case 'operation': {
      const [left, right] = [sql(value.left), sql(value.right)]
      switch (value.operator) {
        case 'min':
          return `CASE WHEN ${left} <= ${right} THEN ${left} ELSE ${right} END`
        case 'max':
          return `CASE WHEN ${left} >= ${right} THEN ${left} ELSE ${right} END`
        case '/':
          return `CASE WHEN abs(${right}) >= ${number(1 / LARGEST_FACTOR)} AND ${isSmall(left)} THEN ${left} / ${right} END`
        default:
          return `CASE WHEN ${isSmall(left)} AND ${isSmall(right)} THEN ${left} ${value.operator} ${right} END`
      }
    }
    case 'function': {
      const of = sql(value.of)
      if (value.name === 'floor') return dialect.floor(of)
      return value.name === 'log'
        ? `CASE WHEN ${of} > ${number(0)} THEN ln(${of}) END`
        : `CASE WHEN ${of} < ${number(-700)} THEN ${number(0)} WHEN ${of} <= ${number(700)} THEN exp(${of}) END`
    }
    case 'case': {
      const [left, right] = [sql(value.left), sql(value.right)]
      const condition = `${left} ${value.relation === '!=' ? '<>' : value.relation} ${right}`
      return `CASE WHEN ${condition} THEN ${sql(value.value)} WHEN NOT (${condition}) THEN ${sql(value.otherwise)} END`
    }
  }
}
