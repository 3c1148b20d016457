import { HindcastError } from '../../error.js'
import { describeLog, describeSums, type Description, type LogSums } from '../../describe/describe.js'
import { requireSound } from '../../estimate/source/broken-rows.js'
import { counted } from '../../number-text.js'
import { PROPENSITIES } from '../../propensity/choices.js'
import type { ReadLog } from '../../read/plan.js'
import {
  brokenQuery,
  descriptionQuery,
  itemImpressionsQuery,
  uniformQuery,
  userImpressionsQuery,
} from '../../sql/description-queries.js'
import type { SqlView } from '../../sql/weighed-rows.js'
import { brokenRowsOf, countLog, logView, MOST_STREAMED } from './count-log.js'
import type { LogRows } from './log-rows.js'
import { streamLog } from './read-warehouse-log.js'
import type { Warehouse } from './warehouse.js'
import type { WarehouseLog } from './warehouse-log.js'
import { whileConnected, type WarehouseReading } from './connect.js'

/** The description of a log in a warehouse, and the log, if its rows were streamed out. */
export interface DescribedWarehouse {
  readonly name: string
  readonly description: Description
  readonly read?: ReadLog
}

/** Describes a log in a warehouse: a small one in memory, a large one by sums inside the engine. */
export function describeWarehouse(
  log: WarehouseLog,
  options: WarehouseReading & { readonly mostStreamed?: number },
): Promise<DescribedWarehouse> {
  const { mostStreamed = MOST_STREAMED, onNote } = options
  return whileConnected(log, options, async (engine, rows) => {
    const { name } = rows
    const counts = await countLog(engine, rows, options)
    if (counts.rows <= mostStreamed) {
      const read = await streamLog(engine, rows, counts.rows, { ...options, order: [] })
      onNote?.(`${counted(counts.rows, 'row')} of ${name} crossed to this machine.`)
      if (read.skipped > 0) onNote?.(`Skipped ${counted(read.skipped, 'bad row')}.`)
      const { estimatedPropensity } = read
      return {
        name,
        read,
        description: describeLog(read.log, { ...(estimatedPropensity && { estimatedPropensity }) }),
      }
    }
    onNote?.(`${name} has ${counted(counts.rows, 'row')}: they stay there, and the warehouse sums them.`)
    return { name, description: describeSums(await sumsOf(engine, rows, options, counts.items)) }
  })
}

async function sumsOf(
  engine: Warehouse,
  rows: LogRows,
  options: WarehouseReading,
  items: number,
): Promise<LogSums> {
  const source = sourceOf(rows, options)
  const view = logView(engine, rows, options, items)
  const [[count, impressions, clicks, reward, least, most, floor, ceiling, first, last]] =
    (await engine.numbers(descriptionQuery(view))) as [(number | null)[]]
  await refuseBroken(engine, view, rows, options)
  const [shown, active] = [
    await engine.numbers(itemImpressionsQuery(view)),
    await engine.numbers(userImpressionsQuery(view)),
  ]
  const [[atFloor, sum, squares]] =
    floor === null || floor === undefined
      ? [[null, null, null]]
      : ((await engine.numbers(uniformQuery(view, floor))) as [[number, number, number]])
  return {
    rows: count!,
    impressions: impressions!,
    clicks: clicks!,
    reward: reward!,
    rewardRange: [least!, most!],
    items: repeated(shown, 0, 1),
    neverShown: await neverShownOf(engine, rows, options),
    users: { impressions: repeated(active, 0, 2), clicks: repeated(active, 1, 2) },
    propensity: {
      source,
      min: floor ?? null,
      max: ceiling ?? null,
      floorShare: atFloor === null ? null : atFloor / count!,
    },
    ess: sum === null ? null : Math.min(sum ** 2 / squares!, count!),
    time: first === null || first === undefined ? null : { first, last: last! },
  }
}

/** Where the propensities come from: those that are estimated need the rows. */
function sourceOf(
  { relation, name }: LogRows,
  { propensity }: WarehouseReading,
): LogSums['propensity']['source'] {
  if (!propensity) return relation.numbers.propensity === undefined ? 'none' : 'logged'
  if (propensity.kind === 'none') return 'none'
  if (PROPENSITIES.named(propensity.kind).assumed) return 'assumed'
  throw new HindcastError('bad-option', `${name} is too large to estimate its propensities here.`, {
    remedy: 'Describe a part of the rows, or a log that has propensities.',
  })
}

/** Rows that break a rule are an error, or are left out and counted. */
async function refuseBroken(
  engine: Warehouse,
  view: SqlView,
  { name }: LogRows,
  { onBadRow, onNote }: WarehouseReading,
): Promise<void> {
  const [[broken]] = (await engine.numbers(brokenQuery(view))) as [[number | null]]
  if (!broken) return
  if (onBadRow !== 'skip') requireSound(await brokenRowsOf(engine, view, broken), name)
  onNote?.(`Skipped ${counted(broken, 'bad row')}.`)
}

async function neverShownOf(
  engine: Warehouse,
  { relation }: LogRows,
  { catalogue }: WarehouseReading,
): Promise<number | null> {
  if (!catalogue) return null
  const shown = new Set(
    await engine.texts(`SELECT DISTINCT ${relation.ids.item!.text} FROM ${relation.from}`),
  )
  return new Set(catalogue.filter((id) => !shown.has(id))).size
}

/** Values as often as the engine counted them. */
function repeated(rows: readonly (readonly (number | null)[])[], value: number, count: number): Float64Array {
  const all = new Float64Array(rows.reduce((sum, row) => sum + row[count]!, 0))
  let next = 0
  for (const row of rows) all.fill(row[value]!, next, (next += row[count]!))
  return all
}
