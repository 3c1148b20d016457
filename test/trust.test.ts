import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluate } from '../src/estimate/evaluate.js'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { parquetBytes } from '../src/log/write/parquet.js'
import { evaluateFile } from '../src/node/evaluate-file.js'
import { readLogFile } from '../src/node/read-log.js'
import { exp } from '../src/portable-math.js'
import { drawNormal } from '../src/random/distributions.js'
import type { RandomStream } from '../src/random/stream.js'
import {
  drawLog,
  evaluateWorld,
  type Fate,
  fatesIn,
  policiesByChance,
  truthOf,
  type TrustWorld,
} from './trust-world.js'

/**
 * Trust that was not earned: each of these cases once said *trust* of intervals that missed, or refused logs that are
 * sound. Coverage over whole families of worlds is measured in bench/coverage; here a few dozen logs of one world each.
 */
const PLAIN: TrustWorld = { items: 10, tilt: 0.6, base: -1.5, users: 400, rows: 2000 }

/** Fewer hits than this of 60 to 100 intervals that hold the truth 95 % of the time occur once in several hundred tries. */
const LEAST_COVERED = 0.86

/** The same, with numbers to nine digits behind the point: engines add up in another order. */
const nearly = (value: unknown): unknown =>
  typeof value === 'number'
    ? expect.closeTo(value, 9)
    : Array.isArray(value)
      ? value.map(nearly)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, nearly(one)]))
        : value

const expectCovered = ({ trusted, covered }: Fate): void => {
  expect(trusted).toBeGreaterThan(0)
  expect(covered / trusted).toBeGreaterThan(LEAST_COVERED)
}

describe('rewards of 0 or 5', () => {
  // They earn 1.02 on average: an estimate just below 1 once got the logit scale of [0, 1], and an interval of no width.
  const world = { ...PLAIN, base: -1.8, earn: () => 5, meanOfClick: 5 }

  it.each([{}, { rewardRange: [0, 5] as const }])('are trusted and covered, with %j', async (range) => {
    const { snips } = await fatesIn(world, 60, range)
    expect(snips!.trusted).toBeGreaterThan(57)
    expectCovered(snips!)
  })

  it('beyond the range that is given are an error', async () => {
    await expect(evaluateWorld(world, 0, { rewardRange: [0, 4] })).rejects.toThrow(
      'Rewards run from 0 to 5, beyond the range 0 to 4.',
    )
  })
})

describe('revenue', () => {
  it('is covered where amounts are bounded, with the bound given', async () => {
    const even = (random: RandomStream): number => 2 * random.uniform()
    const bounded = { ...PLAIN, users: 800, rows: 4000, earn: even }
    const { snips } = await fatesIn(bounded, 60, { rewardRange: [0, 2] })
    expect(snips!.trusted).toBeGreaterThan(57)
    expectCovered(snips!)
  })

  it('is covered by a wider interval where a bound is given, if nine in ten are heavy-tailed', async () => {
    // Lognormal amounts with σ 1.5: the logs that miss the large orders have intervals that are too narrow.
    const amount = (random: RandomStream): number => exp(1.5 * drawNormal(random) - 1.125)
    const world = { ...PLAIN, users: 800, rows: 4000, base: -3, earn: amount }
    const [free, bounded] = [
      await fatesIn(world, 100),
      await fatesIn(world, 100, { rewardRange: [0, 10_000] }),
    ]
    expect(bounded['snips']!.held).toBeGreaterThanOrEqual(free['snips']!.held)
    expectCovered(bounded['snips']!)
  })
})

describe('days that differ', () => {
  const world = { ...PLAIN, rows: 6000, days: 28, daySd: 0.4 }

  it('are in the interval where the log has times', async () => {
    const { snips } = await fatesIn(world, 80)
    expect(snips!.trusted).toBeGreaterThan(76)
    expectCovered(snips!)
    expect((await evaluateWorld(world, 0)).cluster).toBe('user+day')
  })

  it('are not in it where rows are clustered by user alone, which the verdict says', async () => {
    const { snips } = await fatesIn(world, 80, { cluster: 'user' })
    expect(snips!.covered / snips!.trusted).toBeLessThan(LEAST_COVERED)
    const { verdict } = await evaluateWorld(world, 0, { cluster: 'user' })
    expect(verdict.questions.find(({ question }) => question === 'time')!.text).toBe(
      '28 days: how much one differs from another is not in the interval.',
    )
  })

  it('are not in it where there are few, which the verdict says', async () => {
    const { verdict, cluster, days } = await evaluateWorld({ ...world, days: 3 }, 0)
    expect({ cluster, days }).toEqual({ cluster: 'user', days: 3 })
    expect(verdict.questions.find(({ question }) => question === 'time')!.text).toContain('3 days: how much')
  })
})

describe('40 users', () => {
  it('are trusted or not whatever they happened to click, and covered', async () => {
    // Once 94 of 150 such logs were trusted: those whose clicks happened to be spread evenly.
    const { snips } = await fatesIn({ ...PLAIN, users: 40, rows: 1600, base: -1, userSd: 0.8 }, 80)
    expect(snips!.trusted).toBe(80)
    expectCovered(snips!)
  })
})

describe('a λ chosen from the data', () => {
  const world = { ...PLAIN, items: 30, tilt: 1 }
  const estimators = [
    'clipped-ips',
    'clipped-dr',
    'switch-dr',
    'dr-os',
    'sub-gaussian-ips',
    'sub-gaussian-dr',
  ]

  it('leaves trusted intervals that cover, whatever the estimator', async () => {
    const fates = await fatesIn(world, 60, { estimators })
    for (const name of estimators) {
      const { trusted, covered } = fates[name]!
      // By SLOPE, 60 of 60 were trusted and from 1 to 35 of them covered.
      expect(trusted - covered, name).toBeLessThanOrEqual((1 - LEAST_COVERED) * Math.max(trusted, 20))
    }
    expect(fates['clipped-ips']!.trusted).toBeGreaterThan(50)
  })

  it('is not trusted where it is far too small, and says by how much it may be off', async () => {
    const { estimates } = await evaluateWorld(world, 0, { estimators: ['clipped-ips:0.5', 'snips'] })
    const [clipped, snips] = estimates
    expect(clipped!.verdict.level).toBe('caution')
    expect(clipped!.verdict.reasons.map(({ code }) => code)).toContain('shrinking-bias')
    expect(clipped!.interval![1]).toBeLessThan(truthOf(world))
    expect(snips!.verdict.level).toBe('trust')
  })

  it('does not speak for the log beside an estimate that leaves weights as they are', async () => {
    const { answer } = await evaluateWorld(world, 0, { estimators: ['clipped-ips', 'dr', 'snips'] })
    expect(answer).toBe('snips')
  })
})

describe('tied weights', () => {
  it('of sound logs are not taken for a heavy tail', async () => {
    // Policies by chance over 20 items: weights of 20 values, the largest about 3, ESS about 80 %. Four of these were refused.
    const levels: string[] = []
    for (let seed = 0; seed < 100; seed++) {
      const policies = policiesByChance(seed, 20, 0.4)
      const { verdict } = await evaluateWorld({ ...PLAIN, items: 20, base: -1, policies }, seed)
      levels.push(verdict.level)
    }
    expect(levels.filter((level) => level === 'refuse')).toHaveLength(0)
    // Checks accuse one sound log in a hundred: more than four of these once in 300 tries.
    expect(levels.filter((level) => level !== 'trust').length).toBeLessThanOrEqual(4)
  })
})

describe('the same file through DuckDB', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindcast-trust-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each<[string, TrustWorld]>([
    ['sound clicks', { ...PLAIN, days: 28, daySd: 0.2 }],
    ['weights with a heavy tail', { ...PLAIN, items: 300, policies: policiesByChance(1, 300, 2) }],
    ['rewards of 0 or 5', { ...PLAIN, earn: () => 5, meanOfClick: 5 }],
    ['revenue', { ...PLAIN, earn: (random) => exp(1.5 * drawNormal(random) - 1.125) }],
    ['three days', { ...PLAIN, days: 3, daySd: 0.2 }],
  ])('has the verdicts of the log in memory: %s', async (name, world) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.parquet`)
    await writeFile(file, await parquetBytes(drawLog(world, 3)))
    const { log } = await readLogFile(file)
    const target = { kind: 'column', name: 'target_prob' } as const
    const options = {
      estimators: ['ips', 'snips', 'clipped-ips', 'sub-gaussian-ips'],
      said: { policyMade: 'elsewhere' } as const,
    }
    const { evaluation: memory } = await evaluate(log, { target, ...options })
    const duckdb = await evaluateFile(file, { target }, options, async ({ evaluation }) => evaluation)
    const { cluster, days, answer } = memory
    expect(duckdb).toMatchObject({ cluster, days, answer })
    const judged = ({ estimates }: Evaluation): unknown =>
      estimates.map(({ estimator, verdict, interval }) => ({ estimator, verdict, interval }))
    expect(judged(duckdb)).toEqual(nearly(judged(memory)))
  })
})
