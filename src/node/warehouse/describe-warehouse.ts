import { HindcastError } from '../../error.js'
import { describeLog, describeSums, type Description, type LogSums } from '../../describe/describe.js'
import { requireSound } from '../../estimate/source/broken-rows.js'
import { counted, formatCount } from '../../number-text.js'
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
import { brokenRowsOf, countLog, type LogCounts, logView, MOST_STREAMED } from './count-log.js'
import type { LogRows } from './log-rows.js'
import { streamLog } from './warehouse-source.js'
import type { Warehouse } from './warehouse.js'
import type { WarehouseLog } from './warehouse-log.js'
import { whileConnected, type WarehouseReading } from './connect.js'
import type { Finding } from '../../doctor/finding.js'
import { listed } from '../../listed.js'

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

/** About so many rows of a large log are examined one by one. */
const SAMPLED = 200_000
/** What `Dialect.bucket` counts to. */
const BUCKETS = 65_536

/** The rows of a log in a warehouse to be examined. */
export interface ExaminedWarehouse {
  /** All of them, or all rows of some users. */
  readonly read: ReadLog
  /** The rows of the log, where only some were read. */
  readonly of?: number
  /** What is to be said of it beside what an examination of `read` finds. */
  readonly further: readonly Finding[]
}

/** How to take rows from a large log. */
interface ExamineOptions extends WarehouseReading {
  /** A log of more rows is sampled. */
  readonly mostStreamed?: number
  /** About so many rows are taken from it. */
  readonly sampled?: number
}

/**
 * Takes the rows of a log in a warehouse for the doctor, in the order of their times: all of a small log, all rows of some users
 * of a large one. Rows that break a rule are counted among all of them, by the engine.
 */
export function examineWarehouse(log: WarehouseLog, options: ExamineOptions): Promise<ExaminedWarehouse> {
  const { mostStreamed = MOST_STREAMED, sampled = SAMPLED, onNote } = options
  return whileConnected(log, options, async (engine, rows) => {
    const counts = await countLog(engine, rows, options)
    const isWhole = counts.rows <= mostStreamed
    const taken = isWhole ? { rows, count: counts.rows } : await someUsers(engine, rows, counts, sampled)
    const { numbers, place, ids } = rows.relation
    const order = [numbers.time, place, ids.user!.text, ids.item!.text].filter((one) => one !== undefined)
    const read = await streamLog(engine, taken.rows, taken.count, {
      ...options,
      onBadRow: 'keep',
      order,
      keepsKeys: true,
    })
    onNote?.(
      isWhole
        ? `${counted(counts.rows, 'row')} of ${rows.name} crossed to this machine.`
        : `${rows.name} has ${counted(counts.rows, 'row')}: ${formatCount(taken.count)} of them, all rows of some users, crossed to this machine.`,
    )
    const unordered = noOrder(rows)
    if (isWhole) return { read, further: [unordered] }
    const faults = await faultsOf(engine, rows, options, counts)
    return { read, of: counts.rows, further: [...faults, ofSample(counts, taken.count), unordered] }
  })
}

/** All rows of the users of one bucket of as many as it takes, the first that has rows and is not too large. */
async function someUsers(
  engine: Warehouse,
  rows: LogRows,
  counts: LogCounts,
  sampled: number,
): Promise<{ readonly rows: LogRows; readonly count: number }> {
  const { dialect } = engine
  const { relation, name } = rows
  const every = Math.min(BUCKETS, Math.ceil(counts.rows / sampled))
  const share = `mod(${dialect.bucket(relation.ids.user!.text)}, ${every})`
  const sizes = (await engine.numbers(
    `SELECT ${dialect.double(share)} AS share, ${dialect.double('count(*)')} FROM ${relation.from} WHERE ${relation.ids.user!.text} IS NOT NULL GROUP BY 1 ORDER BY 1`,
  )) as [number, number][]
  const found = sizes.find(([, count]) => count <= 5 * sampled)
  if (!found)
    throw new HindcastError(
      'bad-option',
      `${name} has few users with very many rows each: no sample of whole users is small enough to examine.`,
      { remedy: 'Examine a part of the rows: a period, or those that meet a condition.' },
    )
  const [place, count] = found
  const from = `(SELECT * FROM ${relation.from} WHERE ${share} = ${place}) AS log_sample`
  return { rows: { ...rows, relation: { ...relation, from } }, count }
}

/** What is wrong with rows anywhere in the log, by the engine's count. */
async function faultsOf(
  engine: Warehouse,
  rows: LogRows,
  options: WarehouseReading,
  counts: LogCounts,
): Promise<Finding[]> {
  const view = logView(engine, rows, options, counts.items)
  const [[broken]] = (await engine.numbers(brokenQuery(view))) as [[number]]
  if (broken === 0) return []
  const { faults, examples = [] } = await brokenRowsOf(engine, view, broken)
  const named = faults.map(
    ({ column, fault, rows: count }) =>
      `${formatCount(count)} ${fault === 'missing' ? `without a valid ${column}` : `with a ${column} that is ${fault === 'out-of-range' ? 'out of range' : 'too large or too small'}`}`,
  )
  return [
    {
      code: 'unusable-rows',
      level: 'problem',
      seen: `Of all ${counted(counts.rows, 'row')}, ${counted(broken, 'row')} cannot be used: ${listed(named)}. For example: ${examples.join('; ')}.`,
      why: 'Everything except this check rejects the log because of them.',
      remedy: 'Correct these rows in the warehouse, or leave them out with a condition.',
      numbers: { rows: broken, of: counts.rows },
      rows: [],
    },
  ]
}

const ofSample = ({ rows }: LogCounts, count: number): Finding => ({
  code: 'examined-in-part',
  level: 'note',
  seen: `${formatCount(count)} of ${counted(rows, 'row')} were examined one by one: all rows of some users, chosen by a hash of their ids. Only rows that break a rule were searched for among all rows.`,
  why: 'A mistake that affects few users may be missed, and counts are those of the sample.',
  remedy: 'To examine other rows, choose a part: a period, or those that meet a condition.',
  numbers: { rows: count, of: rows },
  rows: [],
})

/** A table has no first and last row: what the doctor looks for in the order of a file is not there to be found. */
function noOrder({ relation }: LogRows): Finding {
  const [order, why] = relation.numbers.time
    ? ['their times', 'Whether rows are in time order was not checked.']
    : [
        relation.place === undefined ? 'their users and items' : 'their keys',
        'Without times, checks that compare a row with the one above it, such as for rewards that slipped by a row, had no true order to rely on.',
      ]
  return {
    code: 'rows-without-order',
    level: 'note',
    seen: `The rows of a table have no order of their own: they were examined in the order of ${order}.`,
    why,
    remedy: relation.numbers.time ? 'Nothing to do.' : 'Name the column with the times, if there is one.',
    numbers: {},
    rows: [],
  }
}
