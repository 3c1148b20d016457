import { HindcastError, throwIfAborted } from '../../error.js'
import { badRowsError } from '../../log/bad-rows.js'
import { EXAMPLES, graceOf, type JoinFacts, type Tally } from '../../log/join/join-facts.js'
import { SEPARATOR } from '../../log/join/key-table.js'
import type { JoinOptions } from '../../log/join/join-options.js'
import { joinedSource, millisecondsPerUnit, noTimesToWait } from '../../log/join/join-source.js'
import { readOutcomes } from '../../log/join/outcomes.js'
import type { BrokenCell } from '../../log/rules.js'
import { type PlannedFile, rowsOf } from '../../read/plan.js'
import { type JoinPlan, originsOfLog } from '../../read/read-joined.js'
import { duckdb } from '../../sql/dialects/duckdb.js'
import { keySql } from '../../sql/join/join-key.js'
import type { Relation } from '../../sql/relation.js'
import type { Engine } from './engine.js'
import { namedColumns, openRelation, viewRelation } from './rows-from-bytes.js'

const { number } = duckdb

/** Decisions with rewards as rows of an engine, and what became of the outcomes. */
export interface JoinedRelation {
  readonly relation: Relation
  readonly facts: JoinFacts
}

/** What the tables of a join are called in the engine. */
const [DECISIONS, TIMED, OUTCOMES, EVENTS, FIRST, REWARDS] = [
  'join_decisions',
  'join_timed_decisions',
  'join_outcomes',
  'join_events',
  'join_first',
  'join_rewards',
]

/**
 * Joins decisions and outcomes inside the engine, which may spill to disk: the rows, rewards and facts of `joinedSource`.
 * `paths` are those of the two files.
 */
export async function joinedRelation(
  engine: Engine,
  plan: JoinPlan,
  paths: { readonly decisions: string; readonly outcomes: string },
  options: JoinOptions,
  signal?: AbortSignal,
): Promise<JoinedRelation> {
  const isLoose = options.matchIds === 'loose'
  await store(engine, plan.decisions, { path: paths.decisions, table: DECISIONS, isLoose }, signal)
  await store(engine, plan.outcomes, { path: paths.outcomes, table: OUTCOMES, isLoose }, signal)
  const asking = new Asking(engine)
  await refuseBadRows(asking, plan, options, signal)
  const units = await unitsOf(asking, plan, options)
  throwIfAborted(signal)
  await makeEvents(engine, plan, units)
  await makeRewards(engine, options)
  throwIfAborted(signal)
  const facts = await factsOf(asking, plan, options, units)
  // Only what is summed stays: ids of decisions are most of the memory.
  await engine.connection.run(
    `DROP VIEW ${TIMED}; DROP TABLE ${OUTCOMES}; DROP TABLE ${EVENTS}; DROP TABLE ${FIRST};
     ALTER TABLE ${DECISIONS} DROP COLUMN key;
     CREATE TEMP VIEW impressions AS SELECT d.*, coalesce(r.reward, ${number(options.defaultReward ?? 0)}) AS reward_number
     FROM ${DECISIONS} AS d LEFT JOIN ${REWARDS} AS r ON r.place = d.place`,
  )
  const origins = originsOfLog(plan.decisions.origins)
  return { relation: viewRelation(origins), facts }
}

/** Answers of single rows. */
class Asking {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async row(query: string): Promise<(number | undefined)[]> {
    const [row = []] = (await this.#engine.connection.runAndReadAll(query)).getRows()
    return row.map((value) => (value === null ? undefined : Number(value)))
  }

  /** How many places a query gives, and the first of them. */
  async tally(places: string): Promise<Tally> {
    const [count] = await this.row(`SELECT count(*) FROM (${places}) AS t(place)`)
    if (count === 0) return { count, places: [] }
    const first = await this.#engine.connection.runAndReadAll(
      `SELECT place FROM (${places}) AS t(place) ORDER BY place LIMIT ${EXAMPLES}`,
    )
    return { count: count!, places: first.getRows().map(([place]) => Number(place)) }
  }
}

/** The rows of a part as a table, with a place and a key for each. */
async function store(
  engine: Engine,
  part: PlannedFile,
  { path, table, isLoose }: { readonly path: string; readonly table: string; readonly isLoose: boolean },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { origins } = part
  const { relation, instead } = await openRelation(engine, { ...part, path, view: `${table}_read` }, signal)
  const item = origins['key:item'] && 'key_item'
  const key = keySql(duckdb, 'key_decision', item, { isLoose })
  const rows = (from: Relation): string =>
    `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT * EXCLUDE (key_decision${item ? ', key_item' : ''}), ${key} AS key
     FROM (SELECT ${namedColumns(from, origins).join(', ')} FROM ${from.from})`
  try {
    await engine.connection.run(rows(relation))
  } catch (error) {
    throwIfAborted(signal)
    if (!instead || error instanceof HindcastError) throw error
    await instead()
    await engine.connection.run(rows(relation))
  }
  // The places of a file with records that are left out have gaps.
  if (part.filter)
    await engine.connection.run(
      `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT * REPLACE (row_number() OVER (ORDER BY place) - 1 AS place) FROM ${table}`,
    )
}

/** Rows that no join can use are the error that a join from bytes gives. */
async function refuseBadRows(
  asking: Asking,
  { decisions, outcomes }: JoinPlan,
  options: JoinOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  const time = outcomes.origins.time ? 'OR NOT coalesce(isfinite(time_number), false)' : ''
  const [badOutcomes] = await asking.row(
    `SELECT count(*) FROM ${OUTCOMES} WHERE NOT coalesce(isfinite(reward_number), false) ${time}`,
  )
  const [badDecisions] = await asking.row(`SELECT count(*) FROM ${DECISIONS} WHERE key IS NULL`)
  if (badOutcomes === 0 && badDecisions === 0) return
  const reading = {
    withItem: decisions.origins['key:item'] !== undefined,
    isLoose: options.matchIds === 'loose',
    ...(signal && { signal }),
  }
  const read = await readOutcomes(await rowsOf(outcomes), outcomes.origins, reading)
  const about = { outcomes: read, file: outcomes.input.name }
  const { source } = joinedSource(await rowsOf(decisions), decisions.origins, about, options)
  const broken: BrokenCell[] = []
  let rows = 0
  for await (const batch of source.batches(signal)) {
    for (const [row, structure] of batch.broken ?? [])
      broken.push({ row: rows + row, column: undefined, structure })
    rows += batch.rows
  }
  throw await badRowsError(source, decisions.origins, broken, broken.length)
}

/** Milliseconds per unit of the times of decisions and outcomes; undefined unless both can be compared. */
interface Units {
  readonly decisions: number
  readonly outcomes: number
}

async function unitsOf(
  asking: Asking,
  { decisions, outcomes }: JoinPlan,
  { wait }: JoinOptions,
): Promise<Units | undefined> {
  const firstTime = async (part: PlannedFile, table: string): Promise<number | undefined> =>
    part.origins.time &&
    (await asking.row(`SELECT arg_min(time_number, place) FROM ${table} WHERE isfinite(time_number)`))[0]
  const units = {
    decisions: millisecondsPerUnit(await firstTime(decisions, DECISIONS)),
    outcomes: millisecondsPerUnit(await firstTime(outcomes, OUTCOMES)),
  }
  if (wait !== undefined) {
    const [rows] = await asking.row(`SELECT count(*) FROM ${OUTCOMES}`)
    if (!decisions.origins.time) throw noTimesToWait(decisions.input.name)
    if (rows! > 0 && units.outcomes === undefined) throw noTimesToWait(outcomes.input.name)
    if (units.decisions === undefined) throw noTimesToWait(decisions.input.name)
  }
  const { decisions: shown, outcomes: came } = units
  return shown === undefined || came === undefined ? undefined : { decisions: shown, outcomes: came }
}

/** The outcomes with a key, each with whether it came before and with its time in milliseconds; and the first decision of each key. */
async function makeEvents(engine: Engine, { outcomes }: JoinPlan, units: Units | undefined): Promise<void> {
  const { time, 'key:outcome': own } = outcomes.origins
  const id = own ? 'key_outcome' : 'NULL::VARCHAR'
  const same = time ? ['time_number', 'reward_number'] : ['place']
  const by = ['key', id, ...same.map((column) => `CASE WHEN ${id} IS NULL THEN ${column} END`)]
  await engine.connection.run(
    `CREATE TEMP TABLE ${EVENTS} AS SELECT place, key, reward_number AS value,
       ${units ? `time_number * ${number(units.outcomes)}` : 'NULL::DOUBLE'} AS moment,
       ${time ? 'time_number' : '0.0::DOUBLE'} AS time,
       row_number() OVER (PARTITION BY ${by.join(', ')} ORDER BY place) > 1 AS is_copy
     FROM ${OUTCOMES} WHERE key IS NOT NULL`,
  )
  const moment = units
    ? `CASE WHEN isfinite(time_number) THEN time_number * ${number(units.decisions)} END`
    : 'NULL::DOUBLE'
  await engine.connection.run(
    `CREATE TEMP VIEW ${TIMED} AS SELECT *, ${moment} AS moment FROM ${DECISIONS};
     CREATE TEMP TABLE ${FIRST} AS SELECT key, first(moment ORDER BY place) AS moment
     FROM ${TIMED} WHERE key IN (SELECT key FROM ${EVENTS}) GROUP BY key`,
  )
}

/** What the outcomes in time of each decision are worth together, in order of time. */
async function makeRewards(engine: Engine, { wait, several = 'first' }: JoinOptions): Promise<void> {
  const inTime =
    wait === undefined
      ? 'true'
      : `(e.moment - d.moment) >= ${number(0)} AND (e.moment - d.moment) <= ${number(wait)}`
  const worth = several === 'max' ? 'max(e.value)' : `${several}(e.value ORDER BY e.time, e.place)`
  await engine.connection.run(
    `CREATE TEMP TABLE ${REWARDS} AS SELECT d.place AS place, ${worth} AS reward, count(*) AS events
     FROM ${TIMED} AS d JOIN ${EVENTS} AS e ON e.key = d.key WHERE NOT e.is_copy AND ${inTime} GROUP BY d.place`,
  )
}

/** Outcomes that are not copies; those without a decision; and those with one whose time is known, beside it. */
const KEPT = `FROM ${EVENTS} WHERE NOT is_copy`
const ORPHANED = `${KEPT} AND key NOT IN (SELECT key FROM ${FIRST})`
const DELAYED = `FROM ${EVENTS} AS e JOIN ${FIRST} AS f ON f.key = e.key WHERE NOT e.is_copy AND f.moment IS NOT NULL`
const NONE: Tally = { count: 0, places: [] }

async function factsOf(
  asking: Asking,
  plan: JoinPlan,
  options: JoinOptions,
  units: Units | undefined,
): Promise<JoinFacts> {
  const { wait, several } = options
  const withItem = plan.decisions.origins['key:item'] !== undefined
  const [decisions, distinct] = await asking.row(`SELECT count(*), count(DISTINCT key) FROM ${DECISIONS}`)
  const [outcomes, withoutId] = await asking.row(
    `SELECT count(*), count(*) FILTER (key IS NULL) FROM ${OUTCOMES}`,
  )
  const [joined, more] = await asking.row(`SELECT count(*), count(*) FILTER (events > 1) FROM ${REWARDS}`)
  const [matched] = await asking.row(`SELECT count(*) ${KEPT} AND key IN (SELECT key FROM ${FIRST})`)
  return {
    file: plan.outcomes.input.name,
    decisions: decisions!,
    outcomes: outcomes!,
    joined: joined!,
    several: more!,
    matched: matched!,
    combination: several ?? 'first',
    isCombinationChosen: several !== undefined,
    ...(wait !== undefined && { wait }),
    withItem,
    withoutId: withoutId!,
    ...(await orphansOf(asking, withoutId!, withItem)),
    ...(await talliesOf(asking, wait)),
    repeated: decisions === distinct ? NONE : await asking.tally(REPEATED),
    ...(units && (await timedFacts(asking, wait))),
    silence: await silenceOf(asking, units),
  }
}

const REPEATED = `SELECT place FROM (SELECT place, row_number() OVER (PARTITION BY key ORDER BY place) AS n FROM ${DECISIONS}) WHERE n > 1`

async function orphansOf(
  asking: Asking,
  withoutId: number,
  withItem: boolean,
): Promise<Pick<JoinFacts, 'orphans' | 'near'>> {
  const part = (number: number): string => `split_part(key, ${duckdb.literal(SEPARATOR)}, ${number})`
  const loose = withItem
    ? keySql(duckdb, part(1), part(2), { isLoose: true })
    : keySql(duckdb, 'key', undefined, { isLoose: true })
  const orphans = await asking.tally(
    `SELECT place FROM ${OUTCOMES} WHERE key IS NULL UNION ALL SELECT place ${ORPHANED}`,
  )
  const near = `SELECT place ${ORPHANED} AND ${loose} IN (SELECT ${loose} FROM ${DECISIONS})`
  return { orphans, near: orphans.count === withoutId ? NONE : await asking.tally(near) }
}

async function talliesOf(
  asking: Asking,
  wait: number | undefined,
): Promise<Pick<JoinFacts, 'copies' | 'late' | 'early' | 'unreadable'>> {
  const late = `SELECT e.place ${DELAYED} AND e.moment - f.moment > ${number(wait ?? 0)}`
  return {
    copies: await asking.tally(`SELECT place FROM ${EVENTS} WHERE is_copy`),
    late: wait === undefined ? NONE : await asking.tally(late),
    early: await asking.tally(`SELECT e.place ${DELAYED} AND e.moment - f.moment < ${number(0)}`),
    unreadable: NONE,
  }
}

async function timedFacts(
  asking: Asking,
  wait: number | undefined,
): Promise<Pick<JoinFacts, 'delays' | 'period'>> {
  const [from, to] = await asking.row(`SELECT min(moment), max(moment) FROM ${TIMED}`)
  const [earliest, latest, events] = await asking.row(
    `SELECT min(moment), max(moment), count(*) FROM ${EVENTS} WHERE NOT is_copy`,
  )
  if (from === undefined || to === undefined || events === 0) return {}
  const last = to + graceOf(from, to, wait)
  const [outside] = await asking.row(
    `SELECT count(*) FROM ${EVENTS} WHERE NOT is_copy AND (moment < ${number(from)} OR moment > ${number(last)})`,
  )
  const [compared] = await asking.row(`SELECT count(*) ${DELAYED}`)
  const quantile = async (share: number): Promise<number> =>
    (
      await asking.row(
        `SELECT e.moment - f.moment AS delay ${DELAYED} ORDER BY delay LIMIT 1 OFFSET ${Math.max(1, Math.ceil(share * compared!)) - 1}`,
      )
    )[0]!
  return {
    ...(compared! > 0 && {
      delays: { least: await quantile(0), twentieth: await quantile(0.05), median: await quantile(0.5) },
    }),
    period: { decisions: [from, to], outcomes: [earliest!, latest!], outside: outside! },
  }
}

async function silenceOf(asking: Asking, units: Units | undefined): Promise<JoinFacts['silence']> {
  const at = units ? 'moment' : 'place'
  const [first, last] = await asking.row(
    `SELECT min(${at}), max(${at}) FROM ${TIMED} WHERE key IN (SELECT key FROM ${FIRST})`,
  )
  if (first === undefined || last === undefined) return { before: 0, after: 0 }
  const [before, after] = await asking.row(
    `SELECT count(*) FILTER (${at} < ${number(first)}), count(*) FILTER (${at} > ${number(last)}) FROM ${TIMED}`,
  )
  return { before: before!, after: after! }
}
