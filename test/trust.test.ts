import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluate } from '../src/estimate/evaluate.js'
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

const expectCovered = ({ trusted, covered }: Fate): void => {
  expect(trusted).toBeGreaterThan(0)
  expect(covered / trusted).toBeGreaterThan(LEAST_COVERED)
}

describe('rewards of 0 or 5', () => {
  // They earn 1.02 on average: an estimate just below 1 once got the logit scale of [0, 1], and an interval of no width.
  const world = { ...PLAIN, base: -1.8, earn: () => 5, meanOfClick: 5 }

  it('are not trusted where no range is given, nor is one assumed: the interval covers all the same', async () => {
    const { snips } = await fatesIn(world, 60)
    expect(snips).toMatchObject({ trusted: 0, refused: 0 })
    expect(snips!.held / snips!.logs).toBeGreaterThan(LEAST_COVERED)
  })

  it('are covered where their range is given', async () => {
    const { snips } = await fatesIn(world, 60, { rewardRange: [0, 5] })
    expect(snips!.trusted).toBeGreaterThan(50)
    expectCovered(snips!)
  })

  it('beyond the range that is given are an error', async () => {
    await expect(evaluateWorld(world, 0, { rewardRange: [0, 4] })).rejects.toThrow(
      'Rewards run from 0 to 5, beyond the range 0 to 4.',
    )
  })
})

describe('revenue', () => {
  // Lognormal amounts with σ 1.5: logs passed every gate because they missed the large orders.
  const amount = (random: RandomStream): number => exp(1.5 * drawNormal(random) - 1.125)
  const world = { ...PLAIN, users: 800, rows: 4000, base: -3, earn: amount }

  it('is not trusted without a range, and says which rewards to state', async () => {
    const { snips } = await fatesIn(world, 40)
    expect(snips!.trusted).toBe(0)
    const { verdict } = await evaluateWorld(world, 0)
    expect(verdict.reasons.map(({ code }) => code)).toContain('unknown-reward-range')
  })

  it('is not trusted with a range whose end the log has hardly seen', async () => {
    const { snips } = await fatesIn(world, 40, { rewardRange: [0, 10_000] })
    expect(snips!.trusted).toBe(0)
  })

  it('is trusted where amounts are bounded, with the bound given, and covered', async () => {
    const even = (random: RandomStream): number => 2 * random.uniform()
    const bounded = { ...world, base: -1.5, earn: even }
    const { snips } = await fatesIn(bounded, 60, { rewardRange: [0, 2] })
    expect(snips!.trusted).toBeGreaterThan(50)
    expectCovered(snips!)
  })
})

describe('days that differ', () => {
  const world = { ...PLAIN, rows: 6000, days: 28, daySd: 0.4 }

  it('are in the interval where the log has times', async () => {
    const { snips } = await fatesIn(world, 80)
    // Days that are independent look as if they ran together in about one log of a hundred.
    expect(snips!.trusted).toBeGreaterThan(76)
    expectCovered(snips!)
    expect((await evaluateWorld(world, 0)).cluster).toBe('user+day')
  })

  it('are not in it where rows are clustered by user alone', async () => {
    const { snips } = await fatesIn(world, 80, { cluster: 'user' })
    expect(snips!.covered / snips!.trusted).toBeLessThan(LEAST_COVERED)
  })

  it('are a reason for caution where there are few', async () => {
    const { verdict, cluster, days } = await evaluateWorld({ ...world, days: 3 }, 0)
    expect({ cluster, days, level: verdict.level }).toEqual({ cluster: 'user', days: 3, level: 'caution' })
    expect(verdict.reasons[0]!.code).toBe('few-days')
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
    expect(levels.filter((level) => level !== 'trust').length).toBeLessThanOrEqual(1)
  })
})

describe('the same file through DuckDB', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindcast-trust-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each<[string, TrustWorld, readonly string[]]>([
    ['sound clicks', { ...PLAIN, days: 28, daySd: 0.2 }, ['trust']],
    [
      'weights with a heavy tail',
      { ...PLAIN, items: 300, policies: policiesByChance(1, 300, 2) },
      ['caution', 'refuse'],
    ],
    ['rewards of 0 or 5', { ...PLAIN, earn: () => 5, meanOfClick: 5 }, ['caution']],
    ['revenue', { ...PLAIN, earn: (random) => exp(1.5 * drawNormal(random) - 1.125) }, ['caution', 'refuse']],
    ['three days', { ...PLAIN, days: 3, daySd: 0.2 }, ['caution']],
  ])('has the verdicts of the log in memory: %s', async (name, world, levels) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.parquet`)
    await writeFile(file, await parquetBytes(drawLog(world, 3)))
    const { log } = await readLogFile(file)
    const target = { kind: 'column', name: 'target_prob' } as const
    const options = { estimators: ['ips', 'snips', 'clipped-ips', 'sub-gaussian-ips'] }
    const { evaluation: memory } = await evaluate(log, { target, ...options })
    const duckdb = await evaluateFile(file, { target }, options, async ({ evaluation }) => evaluation)
    expect(levels).toContain(memory.verdict.level)
    const { cluster, days, answer } = memory
    expect(duckdb).toMatchObject({ cluster, days, answer })
    expect(duckdb.verdict).toEqual({
      ...memory.verdict,
      reasons: memory.verdict.reasons.map(({ value, ...reason }) => ({
        ...reason,
        value: value === null ? null : expect.closeTo(value, 9),
      })),
    })
    memory.estimates.forEach(({ estimator, verdict, interval }, k) => {
      const other = duckdb.estimates[k]!
      expect(other.estimator).toBe(estimator)
      expect(other.verdict.level, estimator).toBe(verdict.level)
      expect(other.verdict.reasons.map(({ message }) => message)).toEqual(
        verdict.reasons.map(({ message }) => message),
      )
      expect(other.interval).toEqual(interval && interval.map((end) => expect.closeTo(end, 9)))
    })
  })
})
