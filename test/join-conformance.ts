import { evaluateSource } from '../src/estimate/evaluate-source.js'
import { memorySums } from '../src/estimate/source/memory-sums.js'
import type { Moments } from '../src/estimate/source/moments.js'
import { type SumSource, isLacking } from '../src/estimate/source/source.js'
import { itemMean } from '../src/estimate/reward/reward-model.js'
import { one, reward, weightedReward } from '../src/estimate/term.js'
import { bytesInput } from '../src/log/bytes/input.js'
import type { JoinFacts } from '../src/log/join/join-facts.js'
import { COMBINATIONS, type JoinOptions } from '../src/log/join/join-options.js'
import { randomStream } from '../src/random/stream.js'
import { readLog } from '../src/read/read-log.js'
import { FAULTS, type Files, files, wait, world } from './join-planted.js'
import { askSums } from '../src/estimate/source/example-asks.js'

type Cell = string | number | null

/** Decisions or outcomes as a table: names ending in `at` or `timestamp` are times, as milliseconds since 1970. */
export interface EventTable {
  readonly names: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** Whether a column has numbers; all others have texts. */
export const hasNumbers = (name: string): boolean => /^(propensity|reward|timestamp|clicked_at)$/.test(name)

/** Decisions and outcomes, and how they are joined. */
export interface EventTables {
  readonly decisions: EventTable
  readonly outcomes: EventTable
}

/** Makes the source to be checked: sums over decisions joined with their outcomes, for the target `uniform`. */
export type MakeJoined = (
  tables: EventTables,
  options: JoinOptions,
) => Promise<SumSource & { dispose?(): unknown }>

interface JoinCheck {
  readonly name: string
  run(): Promise<void>
}

/** The same joins in any engine as in memory: what became of the outcomes, the sums, and the verdict. */
export function joinConformance(make: MakeJoined): readonly JoinCheck[] {
  const check = (
    name: string,
    tables: EventTables,
    options: JoinOptions,
    compare: (found: SumSource, expected: SumSource) => Promise<void>,
  ): JoinCheck => ({
    name,
    run: async () => {
      const source = await make(tables, options)
      try {
        await compare(source, await inMemory(tables, options))
      } finally {
        await source.dispose?.()
      }
    },
  })
  const planted = FAULTS.map(({ name, plant, options }) => ({ name, planted: plant(world), options }))
  const sound = [
    { name: 'no fault', planted: files(world), options: { wait } },
    { name: 'no fault, and no wait', planted: files(world), options: { several: 'sum' as const } },
  ]
  return [
    ...[...sound, ...planted].map(({ name, planted: tables, options = {} }) =>
      check(`a join with ${name}`, tablesOf(tables), options, sameVerdict),
    ),
    ...RANDOM.map((seed) => {
      const { tables, options } = randomJoin(seed)
      return check(`random join ${seed}: ${JSON.stringify(options)}`, tables, options, sameSums)
    }),
    check('outcomes without times', untimed(randomJoin(3).tables), {}, sameSums),
    check('no outcomes', { ...randomJoin(3).tables, outcomes: { ...randomJoin(3).tables.outcomes, rows: [] } }, {}, sameSums), // prettier-ignore
  ]
}

const RANDOM = Array.from({ length: 12 }, (_, seed) => seed + 1)

async function inMemory({ decisions, outcomes }: EventTables, join: JoinOptions): Promise<SumSource> {
  const input = (name: string, { names, rows }: EventTable): ReturnType<typeof bytesInput> => {
    const cell = (value: Cell): string => (value === null ? '' : `"${value}"`)
    const text = [names.join(','), ...rows.map((row) => row.map(cell).join(','))].join('\n')
    return bytesInput(name, new TextEncoder().encode(`${text}\n`))
  }
  const { log } = await readLog(
    { decisions: input('decisions', decisions), outcomes: input('outcomes', outcomes) },
    { join },
  )
  return memorySums(log, { target: { kind: 'uniform' }, seed: 0, rewardModel: itemMean })
}

/** The tables of a planted fault, times as numbers. */
function tablesOf({ shown, clicks }: Files): EventTables {
  const table = (csv: string): EventTable => {
    const [names = [], ...rows] = csv
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','))
    const cell = (text: string, k: number): Cell => {
      const name = names[k]!
      if (!hasNumbers(name)) return text
      return name === 'propensity' ? Number(text) : Date.parse(text)
    }
    return { names, rows: rows.map((row) => row.map(cell)) }
  }
  return { decisions: table(shown), outcomes: table(clicks) }
}

const START = Date.UTC(2026, 2, 1)
const IDS = ['a', 'b', 'A', ' b', '7', '7.0', 'c', "d'", 'ß', '-1.00', 'x\ty']

/**
 * A join with all that may go wrong: ids that are missing, repeated or differ little, copies, ties, clocks that disagree.
 * Rows are in an order that tables have too: by time, then by worth.
 */
function randomJoin(seed: number): { tables: EventTables; options: JoinOptions } {
  const { uniform } = randomStream(seed, 'join-conformance')
  const below = (most: number): number => Math.floor(uniform() * most)
  const pick = <One>(list: readonly One[]): One => list[below(list.length)]!
  const isRepeated = seed % 3 === 0
  const shown = Array.from({ length: isRepeated ? 14 : IDS.length }, (_, k): Cell[] => [
    isRepeated ? pick(IDS) : IDS[k]!,
    `u${below(3)}`,
    `i${below(3)}`,
    0.25,
    START + below(20) * 1000,
  ]).toSorted((a, b) => Number(a[4]) - Number(b[4]))
  const kept = isRepeated ? shown : shown.slice(0, 8)
  const [withOwn, withItem] = [seed % 2 === 0, seed % 4 === 2]
  const came = Array.from({ length: 5 + below(25) }, (): Cell[] => [
    uniform() < 0.1 ? null : pick(IDS),
    START + below(45) * 1000 - 5000,
    pick([1, 2, 0.5]),
    ...(withOwn ? [uniform() < 0.2 ? null : pick(['x', 'y', 'z'])] : []),
    ...(withItem ? [uniform() < 0.1 ? null : `${pick(['i', 'I'])}${below(3)}`] : []),
  ]).toSorted((a, b) => Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]))
  const several = COMBINATIONS[seed % 4]!
  return {
    tables: {
      decisions: { names: ['impression_id', 'user_id', 'item_id', 'propensity', 'timestamp'], rows: kept },
      outcomes: {
        names: ['impression_id', 'clicked_at', 'reward', ...(withOwn ? ['click_id'] : []), ...(withItem ? ['sku'] : [])], // prettier-ignore
        rows: came,
      },
    },
    options: {
      several,
      ...(seed % 5 > 1 && { wait: pick([0, 5000, 1e9]) }),
      ...(seed % 2 === 0 && { defaultReward: -0.5 }),
      ...(seed % 4 === 1 && { matchIds: 'loose' as const }),
      ...(withItem && { outcomeColumns: { item: 'sku' } }),
    },
  }
}

/** The same without times, each outcome worth 1. */
const untimed = ({ decisions, outcomes }: EventTables): EventTables => ({
  decisions,
  outcomes: { names: ['impression_id'], rows: outcomes.rows.map(([id]) => [id!]) },
})

function fail(what: string): never {
  throw new Error(`Not as in memory: ${what}.`)
}

function alike(what: string, found: unknown, expected: unknown): void {
  if (typeof found === 'object' && found !== null && typeof expected === 'object' && expected !== null) {
    for (const name of new Set([...Object.keys(found), ...Object.keys(expected)]))
      alike(`${what}, ${name}`, (found as never)[name], (expected as never)[name])
    return
  }
  if (Object.is(found, expected)) return
  if (typeof found === 'number' && typeof expected === 'number')
    if (Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected))) return
  fail(`${what} is ${String(found)}, not ${String(expected)}`)
}

/** Facts without what tables lack: places of rows and, without times, an order. Better columns are looked for in other rows. */
function comparable(facts: JoinFacts | undefined): object {
  if (!facts) fail('the facts about the join are missing')
  const { file: _, better: _better, silence, ...others } = facts
  const counts = Object.entries(others).map(([name, fact]) => [
    name,
    typeof fact === 'object' && 'places' in fact ? fact.count : fact,
  ])
  return {
    ...Object.fromEntries(counts),
    ...(facts.period && { silence }),
  }
}

const TERMS = [one, reward, weightedReward]

async function sameSums(found: SumSource, expected: SumSource): Promise<void> {
  alike('the facts', comparable(found.about.join), comparable(expected.about.join))
  const sums = async (source: SumSource): Promise<object> => {
    const moments = await askSums(source, TERMS, 'user')
    if (isLacking(moments)) fail(moments.lacking)
    return byKey(moments)
  }
  alike('the sums by user', await sums(found), await sums(expected))
}

const byKey = (moments: Moments): object =>
  Object.fromEntries(Array.from(moments.keys, (key, k) => [key, TERMS.map((term) => moments.sums(term)[k]!)]))

async function sameVerdict(found: SumSource, expected: SumSource): Promise<void> {
  await sameSums(found, expected)
  const { better: here } = found.about.join!
  const { better: there } = expected.about.join!
  alike('the better columns', [here?.decision, here?.outcome], [there?.decision, there?.outcome])
  alike('the evaluation', await told(found), await told(expected))
}

/** What an evaluation says: the level of the verdict, the codes of its reasons, and numbers. */
async function told(source: SumSource): Promise<object> {
  const { evaluation } = await evaluateSource(source, { estimators: ['ips', 'snips'], bootstrap: 100 })
  const { verdict, estimates } = evaluation
  return {
    level: verdict.level,
    reasons: verdict.reasons.map(({ code }) => code).toSorted(),
    estimates: estimates.map(({ verdict: own, ...estimate }) => ({ ...estimate, level: own?.level })),
  }
}
