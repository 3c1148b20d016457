import type { SqlEngine } from '../../sql/engine.js'
import { byLogger, loggerName, mixtureOf, type SqlLoggers, withPropensity } from '../../sql/sql-loggers.js'
import { CONTRADICTS, standInBesideLoggers } from '../loggers/loggers-choice.js'
import { noClusterColumn } from './clusters.js'
import type { LoggerWeighing } from './source.js'
import type { SqlTable } from './sql-table.js'

/** A table whose rows are marked: where it has the probabilities of every logger, its propensities come from them. */
export function markedTable(
  { dialect }: SqlEngine,
  table: SqlTable,
  weighing: LoggerWeighing | undefined,
): { readonly table: SqlTable; readonly loggers?: SqlLoggers } {
  if (!table.loggers) return { table }
  const { relation } = table
  const { column, probabilities } = table.loggers
  const label = relation.labels?.[column]
  if (label === undefined) throw noClusterColumn(column)
  const name = loggerName(label)
  const weighed = weighing && {
    names: weighing.names,
    factors: weighing.kind === 'strata' ? weighing.factors : weighing.names.map(() => 1),
  }
  const marked = { name, contradicts: CONTRADICTS, ...(weighed && { weighed }) }
  if (!probabilities) return { table, loggers: { ...marked, probabilities: [] } }
  if (table.propensity) throw standInBesideLoggers()
  const expressionOf = (own: string): string => {
    const expression = relation.further?.[own]
    if (expression === undefined) throw noClusterColumn(own)
    return `(${expression})`
  }
  const own = byLogger(
    dialect,
    name,
    Object.entries(probabilities).map(([logger, cells]) => [logger, expressionOf(cells)]),
  )
  const mixed =
    weighing?.kind === 'balanced'
      ? mixtureOf(
          weighing.names.map((logger, j) => ({
            share: weighing.shares[j]!,
            probability: expressionOf(probabilities[logger]!),
          })),
          dialect,
        )
      : own
  const { propensity: logged } = relation.numbers
  return {
    table: { ...table, relation: withPropensity(relation, mixed) },
    loggers: {
      ...marked,
      probabilities: [...new Set(Object.values(probabilities))].map((cells) => ({
        column: cells,
        expression: expressionOf(cells),
      })),
      own,
      ...(logged !== undefined && { logged }),
    },
  }
}
