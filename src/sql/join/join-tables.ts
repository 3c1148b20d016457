import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { graceOf, type JoinFacts, type Tally } from '../../log/join/join-facts.js'
import type { JoinOptions } from '../../log/join/join-options.js'
import { millisecondsPerUnit, noTimesToWait } from '../../log/join/join-source.js'
import { counted } from '../../number-text.js'
import type { SqlEngine } from '../engine.js'
import type { Relation } from '../relation.js'
import { betterColumns } from './better-columns.js'
import {
  badOutcomesQuery,
  decisionsQuery,
  delaysQuery,
  joinedQuery,
  nearQuery,
  outcomeFactsQuery,
  outcomesQuery,
  silenceQuery,
} from './fact-queries.js'
import { idColumn, joinKeys, type JoinTables } from './join-table.js'
import { type JoinedRows, joinedRows, type JoinSql, type Units } from './joined-rows.js'

/** Decisions with the rewards of their outcomes, and what became of those. */
export interface JoinedTables {
  readonly rows: JoinedRows
  readonly facts: JoinFacts
}

/** So many outcomes that cannot be used are named. */
const MOST_NAMED = 5

/**
 * Joins decisions and outcomes inside an engine, in which nothing is changed: the rewards and facts of `joinedSource`,
 * from a few queries for counts. Rows of tables have no places, so no example is named, and what is said about the order
 * of a file is said by time.
 */
export async function joinTables(
  engine: SqlEngine,
  tables: JoinTables,
  options: JoinOptions,
): Promise<JoinedTables> {
  const { dialect } = engine
  const keys = joinKeys(dialect, tables, options.matchIds === 'loose')
  const asked = { dialect, tables, keys, options }
  const decisions = await decisionsOf(engine, asked)
  const outcomes = await outcomesOf(engine, asked)
  const units = unitsOf(tables, options, { decisions: decisions.latest, outcomes: outcomes.latest, events: outcomes.count }) // prettier-ignore
  const join: JoinSql = { ...asked, units }
  const rows = joinedRows(join)
  const [joined = 0, several = 0] = await countsOf(engine, joinedQuery(join, rows))
  if (several > 0 && outcomes.differ) requireOrder(join)
  const facts = await factsOf(engine, join, { ...decisions, joined, several })
  const isLost = facts.orphans.count * 2 >= facts.outcomes
  const better = isLost ? await betterColumns(engine, tables) : undefined
  return {
    rows,
    facts: better ? { ...facts, better } : facts,
  }
}

/** The log that they make: the columns of the decisions, and the rewards. */
export function relationOfJoin(decisions: Relation, { rows }: JoinedTables): Relation {
  const { keys: _, ...relation } = decisions
  return { ...relation, from: rows.from, numbers: { ...relation.numbers, reward: rows.reward } }
}

/** What is asked about the join before the units of time are known. */
type Asked = Omit<JoinSql, 'units'>

const rowOf = async (engine: SqlEngine, query: string): Promise<(number | null)[]> =>
  (await engine.numbers(query))[0] ?? []

const countsOf = async (engine: SqlEngine, query: string): Promise<number[]> =>
  (await rowOf(engine, query)).map((count) => count ?? 0)

interface Decisions {
  readonly count: number
  readonly repeated: number
  readonly earliest: number | null
  readonly latest: number | null
}

/** Counts the decisions; one without an id is an error. */
async function decisionsOf(engine: SqlEngine, asked: Asked): Promise<Decisions> {
  const [count, withoutId, distinct, earliest = null, latest = null] = await rowOf(
    engine,
    decisionsQuery(asked),
  )
  const { decisions } = asked.tables
  if ((withoutId ?? 0) > 0)
    throw new HindcastError(
      'bad-rows',
      `${decisions.name}: ${counted(withoutId!, 'row cannot', 'rows cannot')} be used: without an id of the decision (${idColumn(decisions).name}).`,
      {
        remedy: advice`Give every decision an id, leave such rows out, or name another column with ${set('columns', 'decision=NAME')}.`,
      },
    )
  return { count: count ?? 0, repeated: (count ?? 0) - (distinct ?? 0), earliest, latest }
}

interface OutcomeCounts {
  readonly count: number
  readonly latest: number | null
  /** They are not all worth the same. */
  readonly differ: boolean
}

/** Counts the outcomes; one whose time or reward is not a number is an error, as in memory. */
async function outcomesOf(engine: SqlEngine, asked: Asked): Promise<OutcomeCounts> {
  const [count, badRewards, badTimes, latest = null, least, most] = await rowOf(engine, outcomesQuery(asked))
  const { name } = asked.tables.outcomes
  const bad = [
    ...(badTimes ? [`${counted(badTimes, 'row')} without a valid time`] : []),
    ...(badRewards ? [`${counted(badRewards, 'row')} without a valid reward`] : []),
  ]
  if (bad.length > 0) {
    const examples = await engine.texts(badOutcomesQuery(asked, MOST_NAMED))
    throw new HindcastError(
      'bad-rows',
      [`${name}: some outcomes cannot be used: ${bad.join(' and ')}.`, ...examples].join('\n  '),
      {
        remedy: advice`Correct these rows or leave them out, or name other columns with ${set('outcomeColumns')}.`,
      },
    )
  }
  return { count: count ?? 0, latest, differ: least !== most }
}

/** The units of both clocks; undefined unless both can be compared. */
function unitsOf(
  { decisions, outcomes }: JoinTables,
  { wait }: JoinOptions,
  latest: { readonly decisions: number | null; readonly outcomes: number | null; readonly events: number },
): Units | undefined {
  const shown = millisecondsPerUnit(latest.decisions ?? undefined)
  const came = outcomes.relation.numbers.time && millisecondsPerUnit(latest.outcomes ?? undefined)
  if (wait !== undefined) {
    if (!decisions.relation.numbers.time) throw noTimesToWait(decisions.name)
    if (latest.events > 0 && came === undefined) throw noTimesToWait(outcomes.name)
    if (shown === undefined) throw noTimesToWait(decisions.name)
  }
  return shown === undefined || typeof came !== 'number' ? undefined : { decisions: shown, outcomes: came }
}

/** Rows of a table have no order: without times, nobody knows which of several outcomes came first. */
function requireOrder({ tables, options }: JoinSql): void {
  const { several = 'first' } = options
  if (several === 'sum' || several === 'max' || tables.outcomes.relation.numbers.time !== undefined) return
  throw new HindcastError(
    'bad-option',
    `Some decisions have several outcomes, and ${tables.outcomes.name} has no times to show which came ${several}.`,
    {
      remedy: advice`Name a column of times with ${set('outcomeColumns', 'time=NAME')}, or choose ${set('several', 'sum')} or max.`,
    },
  )
}

/** So many, none of which has a place. */
const tallyOf = (count: number | undefined): Tally => ({ count: count ?? 0, places: [] })

async function factsOf(
  engine: SqlEngine,
  join: JoinSql,
  decisions: Decisions & { readonly joined: number; readonly several: number },
): Promise<JoinFacts> {
  const { tables, options, units, keys } = join
  const { wait, several: combination } = options
  const shown = shownBetween(decisions, units)
  const answer = await rowOf(
    engine,
    outcomeFactsQuery(join, shown && { from: shown[0], last: shown[1] + graceOf(...shown, wait) }),
  )
  const [outcomes, withoutId, copies, matched, lost, late, early, compared, outside] = answer.map(
    (count) => count ?? 0,
  )
  const [earliest, latest, first, last] = answer.slice(9)
  const near = lost! > 0 && keys.isText && options.matchIds !== 'loose'
  return {
    file: tables.outcomes.name,
    decisions: decisions.count,
    outcomes: outcomes!,
    joined: decisions.joined,
    several: decisions.several,
    matched: matched!,
    combination: combination ?? 'first',
    isCombinationChosen: combination !== undefined,
    ...(wait !== undefined && { wait }),
    withItem: tables.decisions.origins['key:item'] !== undefined,
    withoutId: withoutId!,
    copies: tallyOf(copies),
    orphans: tallyOf(lost! + withoutId!),
    near: tallyOf(near ? (await countsOf(engine, nearQuery(join)))[0] : 0),
    late: tallyOf(late),
    early: tallyOf(early),
    unreadable: tallyOf(0),
    repeated: tallyOf(decisions.repeated),
    ...(compared! > 0 && { delays: await delaysOf(engine, join, compared!) }),
    ...(shown &&
      typeof earliest === 'number' && {
        period: { decisions: shown, outcomes: [earliest, latest!] as const, outside: outside! },
      }),
    silence: await silenceOf(engine, join, first ?? null, last ?? null),
  }
}

/** When the first and the last decision were made, in milliseconds. */
function shownBetween(
  { earliest, latest }: Decisions,
  units: Units | undefined,
): readonly [from: number, to: number] | undefined {
  if (!units || earliest === null || latest === null) return undefined
  return [earliest * units.decisions, latest * units.decisions]
}

type Delays = NonNullable<JoinFacts['delays']>

async function delaysOf(engine: SqlEngine, join: JoinSql, count: number): Promise<Delays> {
  const placeOf = (share: number): number => Math.max(1, Math.ceil(share * count))
  const places = [placeOf(0), placeOf(0.05), placeOf(0.5)] as const
  const found = new Map((await engine.numbers(delaysQuery(join, [...new Set(places)]))) as [number, number][])
  return { least: found.get(places[0])!, twentieth: found.get(places[1])!, median: found.get(places[2])! }
}

/** Without times, nothing is known about the order of decisions. */
async function silenceOf(
  engine: SqlEngine,
  join: JoinSql,
  first: number | null,
  last: number | null,
): Promise<JoinFacts['silence']> {
  if (first === null || last === null) return { before: 0, after: 0 }
  const [before = 0, after = 0] = await countsOf(engine, silenceQuery(join, first, last))
  return { before, after }
}
