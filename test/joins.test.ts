import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { momentsOf } from '../src/estimate/source/moments-of.js'
import type { Moments } from '../src/estimate/source/moments.js'
import { isLacking } from '../src/estimate/source/source.js'
import { importanceWeights } from '../src/estimate/target.js'
import { one, reward, weightedReward } from '../src/estimate/term.js'
import { bytesInput } from '../src/log/bytes/input.js'
import { type ExampleDecision, type ExampleOutcome, joinedSlowly } from '../src/log/join/example-join.js'
import type { JoinFacts } from '../src/log/join/join-facts.js'
import { COMBINATIONS, type JoinOptions, type LogParts } from '../src/log/join/join-options.js'
import { readLogFile } from '../src/node/read-log.js'
import { DuckDbSums } from '../src/node/sums/duckdb-sums.js'
import type { ReadLog, ReadOptions } from '../src/read/plan.js'
import { readLog } from '../src/read/read-log.js'

/** Decisions and outcomes in tables of their own: bytes and DuckDB join them as a slow, obvious join does. */
let folder: string
let counter = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-joins-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function saved(name: string, content: string): Promise<string> {
  const path = join(folder, `${counter++}-${name}`)
  await writeFile(path, content)
  return path
}

const START = Date.UTC(2026, 2, 1)
const iso = (time: number): string => new Date(START + time).toISOString()

const decisionsCsv = (decisions: readonly ExampleDecision[]): string =>
  [
    'impression_id,user_id,item_id,propensity,timestamp',
    ...decisions.map(({ id, time }, k) => `${quoted(id)},u${k % 3},i${k % 2},0.5,${iso(time)}`),
  ].join('\n')

const outcomesCsv = (outcomes: readonly ExampleOutcome[], withOwn: boolean): string =>
  [
    `impression_id,clicked_at,reward${withOwn ? ',click_id' : ''}`,
    ...outcomes.map(
      ({ id, time, value, own }) => `${quoted(id)},${iso(time)},${value}${withOwn ? `,${own ?? ''}` : ''}`,
    ),
  ].join('\n')

const quoted = (id: string): string => (id === '' ? '' : `"${id}"`)

const bytes = (name: string, text: string): ReturnType<typeof bytesInput> =>
  bytesInput(name, new TextEncoder().encode(text))

const countsOf = (facts: JoinFacts): ReturnType<typeof joinedSlowly>['counts'] => ({
  joined: facts.joined,
  several: facts.several,
  matched: facts.matched,
  withoutId: facts.withoutId,
  late: facts.late.count,
  early: facts.early.count,
  copies: facts.copies.count,
  orphans: facts.orphans.count,
  near: facts.near.count,
  repeated: facts.repeated.count,
})

const TERMS = [one, reward, weightedReward]

const sorted = (moments: Moments): number[][] =>
  Array.from(moments.keys, (key, k) => [key, ...TERMS.map((term) => moments.sums(term)[k]!)]).toSorted(
    ([x], [y]) => x! - y!,
  )

/** Joins files in memory and in DuckDB, which must agree on every row and on what became of the outcomes. */
async function bothWays(parts: LogParts<string>, reading: ReadOptions = {}): Promise<ReadLog> {
  const read = await readLogFile(parts, reading)
  const source = await DuckDbSums.open(parts, { ...reading, target: { kind: 'uniform' } })
  try {
    const moments = await source.moments(TERMS, 'row')
    if (isLacking(moments)) throw new Error(moments.lacking)
    const { log } = read
    const weight = importanceWeights(log, { kind: 'uniform' })
    expect(sorted(moments)).toEqual(sorted(momentsOf({ log, weight }, TERMS, 'row')))
    expect(source.join).toEqual(log.join)
    return read
  } finally {
    source.dispose()
  }
}

const ids = fc.constantFrom('a', 'b', 'A', ' b', '7', '7.0', 'c', 'd', 'ß', 'long-id-of-a-decision')
const decision = fc.record({ id: ids, time: fc.integer({ min: 0, max: 20 }).map((t) => t * 1000) })
const outcome = fc.record({
  id: fc.oneof({ weight: 8, arbitrary: ids }, { weight: 1, arbitrary: fc.constant('') }),
  time: fc.integer({ min: -5, max: 40 }).map((t) => t * 1000),
  value: fc.constantFrom(1, 2, 0.5),
  own: fc.constantFrom('x', 'y', 'z'),
})
const options: fc.Arbitrary<JoinOptions> = fc.record(
  {
    wait: fc.constantFrom(0, 5000, 1e9),
    defaultReward: fc.constantFrom(0, -1, 0.25),
    several: fc.constantFrom(...COMBINATIONS),
    matchIds: fc.constantFrom('exact' as const, 'loose' as const),
  },
  { requiredKeys: [] },
)

describe('a join', () => {
  it('gives each decision what a slow, obvious join gives it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(decision, { minLength: 1, maxLength: 8 }),
        fc.array(outcome, { maxLength: 12 }),
        fc.boolean(),
        options,
        async (decisions, all, withOwn, joining) => {
          const outcomes = withOwn ? all : all.map(({ own: _, ...event }) => event)
          const expected = joinedSlowly(decisions, outcomes, joining)
          const parts = {
            decisions: bytes('shown.csv', decisionsCsv(decisions)),
            outcomes: bytes('clicks.csv', outcomesCsv(outcomes, withOwn)),
          }
          const { log } = await readLog(parts, { join: joining })
          expect(Array.from(log.reward)).toEqual(expected.rewards)
          expect(countsOf(log.join!)).toEqual(expected.counts)
        },
      ),
      { numRuns: 300 },
    )
  })
  it('is the same inside DuckDB', { timeout: 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(decision, { minLength: 1, maxLength: 8 }),
        fc.array(outcome, { maxLength: 12 }),
        fc.boolean(),
        options,
        async (decisions, all, withOwn, joining) => {
          const parts = {
            decisions: await saved('shown.csv', decisionsCsv(decisions)),
            outcomes: await saved('clicks.csv', outcomesCsv(all, withOwn)),
          }
          await bothWays(parts, { join: joining })
        },
      ),
      { numRuns: 40 },
    )
  })
})
