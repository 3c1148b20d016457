import { given } from '../given.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import { detect, type TextContainer } from '../log/bytes/detect.js'
import type { ByteInput } from '../log/bytes/input.js'
import { isKeyColumn } from '../log/columns.js'
import { canonical } from '../log/formats/canonical.js'
import { type JoinFacts, joinText } from '../log/join/join-facts.js'
import { type Kinds, type LogParts, partsOf } from '../log/join/join-options.js'
import { type JoinedSource, joinedSource } from '../log/join/join-source.js'
import { readOutcomes } from '../log/join/outcomes.js'
import { mappableNames } from '../log/shape.js'
import type { RowSource } from '../log/source.js'
import { decisionPlan, filterOf, type JoinColumns, joinColumns, outcomePlan } from './join-plan.js'
import { planParquetColumns, planTextColumns } from './notations.js'
import {
  formatOf,
  namesAsked,
  openNamed,
  type PlannedFile,
  type Planner,
  type ReadLog,
  type ReadOptions,
  rowsOf,
} from './plan.js'
import { finishReading } from './read-log.js'
import { readHead } from '../log/bytes/head.js'
import { cellId } from '../log/cell.js'
import { type FirstRows, firstRowsOfParquet, firstRowsOfText } from './first-rows.js'

/** A file whose kind is known. */
interface OpenFile extends Omit<PlannedFile, 'origins'> {
  /** All that a mapping may name. */
  readonly names: readonly string[]
}

/** Decisions and outcomes whose columns are known. */
export interface JoinPlan {
  readonly decisions: PlannedFile
  readonly outcomes: PlannedFile
  readonly columns: JoinColumns
  readonly kinds?: Kinds
}

/** Finds the columns of decisions and of outcomes. */
export async function planJoin(parts: LogParts<ByteInput>, options: ReadOptions): Promise<JoinPlan> {
  const { join = {} } = options
  const { decisions: input, outcomes: events, kinds } = partsOf(parts)
  const decisions = await opened(input, options)
  // Outcomes have a layout of their own, and a header where the decisions have one.
  const { format: _, header, ...others } = options
  const outcomes = kinds
    ? decisions
    : await opened(events, { ...others, ...(header === 'first' && { header }) })
  const columns = joinColumns(
    { file: input.name, names: decisions.names },
    { file: events.name, names: outcomes.names },
    join,
  )
  const planned = async (
    file: OpenFile,
    plan: Planner,
    part: 'decisions' | 'outcomes',
  ): Promise<PlannedFile> => {
    const { names, ...known } = file
    const filter = kinds && filterOf(kinds, part, file.input.name, names)
    const origins = file.parquet
      ? await planParquetColumns(file.parquet, options, plan)
      : await planTextColumns(file.input, file.container as TextContainer, options, plan)
    return { ...known, origins, filter }
  }
  const shown = await planned(decisions, decisionPlan(columns, kinds), 'decisions')
  return {
    decisions: shown,
    outcomes: await planned(outcomes, outcomePlan(columns, shown.origins, kinds), 'outcomes'),
    columns,
    ...(kinds && { kinds }),
  }
}

async function opened(input: ByteInput, options: ReadOptions): Promise<OpenFile> {
  const { decision, outcomeColumns } = options.join ?? {}
  const container = await detect(
    input,
    options.format === undefined ? canonical : formatOf(options),
    options.header,
  )
  const parquet = container.kind === 'parquet' ? await openNamed(input, options, container.wraps) : undefined
  const offered = parquet ? { names: parquet.columns, shape: parquet.shape } : container
  const asked = [
    ...namesAsked(options),
    ...Object.values(outcomeColumns ?? {}),
    ...(decision ? [decision] : []),
  ]
  return { input, container, parquet, names: mappableNames(offered, asked) }
}

/** Reads decisions from bytes with the rewards of their outcomes. */
export async function readJoined(parts: LogParts<ByteInput>, options: ReadOptions): Promise<ReadLog> {
  const plan = await planJoin(parts, options)
  const { decisions, outcomes } = plan
  const events = await rowsOf(outcomes)
  const joined = await joinedRows(plan, events, options)
  const result = await finishReading(joined.source, originsOfLog(decisions.origins), options)
  const facts = await withBetterColumns(joined.facts(result.log), plan, options)
  options.onNote?.(joinText(facts))
  const { reward: _, ...origins } = result.origins
  return {
    ...result,
    origins,
    log: { ...result.log, join: facts },
    outcomes: {
      file: outcomes.input.name,
      lineUnit: events.lineUnit,
      linesOf: async (places) => (await events.rawRows(places)).map(({ line }) => line),
    },
  }
}

/** Decisions with the rewards of their outcomes, which are read first. */
async function joinedRows(
  { decisions, outcomes }: JoinPlan,
  events: RowSource,
  { join = {}, onBadRow, signal }: ReadOptions,
): Promise<JoinedSource> {
  const read = await readOutcomes(events, outcomes.origins, {
    withItem: decisions.origins['key:item'] !== undefined,
    isLoose: join.matchIds === 'loose',
    ...given({ onBadRow, signal }),
  })
  const about = { outcomes: read, file: outcomes.input.name }
  return joinedSource(await rowsOf(decisions), decisions.origins, about, join)
}

/** The origins of the log itself: without ids that are only compared, and with rewards, which the outcomes give. */
export const originsOfLog = (origins: ColumnOrigins): ColumnOrigins => ({
  ...(Object.fromEntries(
    Object.entries(origins).filter(([column]) => !isKeyColumn(column)),
  ) as ColumnOrigins),
  reward: ['1'],
})

/** Where most outcomes have no decision, whether other columns would agree better. */
export async function withBetterColumns(
  facts: JoinFacts,
  { decisions, outcomes, kinds, columns }: JoinPlan,
  options: ReadOptions,
): Promise<JoinFacts> {
  if (facts.orphans.count * 2 < facts.outcomes) return facts
  const files = { decisions: decisions.input, outcomes: outcomes.input, ...(kinds && { kinds }) }
  const better = await betterColumns(files, columns, options)
  return better ? { ...facts, better } : facts
}

/** A pair of columns shares this many ids at least, and twice as many as those that were joined. */
const FEWEST = 3

/** The ids in the first rows of each column. */
type FirstIds = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The columns of two files whose first rows share the most ids, where that is more than the columns that were joined
 * share; undefined if no others do better. Columns with few different values agree by chance, and are left out.
 */
async function betterColumns(
  { decisions, outcomes, kinds }: { decisions: ByteInput; outcomes: ByteInput; kinds?: Kinds },
  joined: JoinColumns,
  options: ReadOptions,
): Promise<JoinFacts['better']> {
  const [shown, events] = [
    await firstIds(decisions, options, kinds && { column: kinds.column, values: kinds.decisions }),
    await firstIds(outcomes, options, kinds && { column: kinds.column, values: kinds.outcomes }),
  ]
  const sharedBy = (decision: string, outcome: string): number => {
    const ids = shown.get(decision)
    return ids ? [...(events.get(outcome) ?? [])].filter((id) => ids.has(id)).length : 0
  }
  const pairs = [...shown.keys()].flatMap((decision) =>
    [...events.keys()].map((outcome) => ({ decision, outcome, shared: sharedBy(decision, outcome) })),
  )
  const [found] = pairs.toSorted((a, b) => b.shared - a.shared)
  const now = sharedBy(joined.decision, joined.outcome)
  return found && found.shared >= Math.max(FEWEST, 2 * now + 1) ? found : undefined
}

async function firstIds(
  input: ByteInput,
  options: ReadOptions,
  only: { readonly column: string; readonly values: readonly string[] } | undefined,
): Promise<FirstIds> {
  const head = await readHead(input)
  const known = { format: formatOf(options), header: options.header }
  const first: FirstRows = head.isParquet
    ? await firstRowsOfParquet(input, head.wraps, known)
    : firstRowsOfText(head, known)
  const { names } = first.container
  const kind = only ? names.indexOf(only.column) : -1
  const records = first.records.filter(
    (record) => kind < 0 || only!.values.includes(cellId(record[kind]) ?? ''),
  )
  const ids = names.map((name, k): [string, Set<string>] => [
    name,
    new Set(records.flatMap((record) => cellId(record[k]) ?? [])),
  ])
  // Ids of decisions are nearly all different; users, items and kinds are not.
  return new Map(ids.filter(([, distinct]) => distinct.size > 1 && distinct.size * 2 > records.length))
}
