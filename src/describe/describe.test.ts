import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withCatalogue } from '../log/align.js'
import { type Log, takeRows } from '../log/log.js'
import { choosePropensity, withPropensity } from '../propensity/choice.js'
import { descriptionSchema } from '../schemas/index.js'
import { toyWorld } from '../world/toy.js'
import { uniformPolicy } from '../policy/probabilities.js'
import { describeLog, type Description, tallyItems, tallyUsers } from './describe.js'

interface Row {
  user: number
  item: number
  reward: number
  propensity: number
  weight: number
}

function logOf(rows: readonly Row[], { weighted = false } = {}): Log {
  const idsOf = (of: 'user' | 'item'): string[] =>
    Array.from({ length: Math.max(...rows.map((row) => row[of])) + 1 }, (_, k) => String(k))
  return {
    rows: rows.length,
    user: Uint32Array.from(rows, ({ user }) => user),
    item: Uint32Array.from(rows, ({ item }) => item),
    userIds: idsOf('user'),
    itemIds: idsOf('item'),
    catalogueKnown: false,
    reward: Float64Array.from(rows, ({ reward }) => reward),
    propensity: Float64Array.from(rows, ({ propensity }) => propensity),
    propensitySource: 'logged',
    ...(weighted && { weight: Float64Array.from(rows, ({ weight }) => weight) }),
  }
}

const row = { user: 0, item: 0, reward: 0, propensity: 0.5, weight: 1 }
const anyRow: fc.Arbitrary<Row> = fc.record({
  user: fc.nat({ max: 8 }),
  item: fc.nat({ max: 15 }),
  reward: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: -5, max: 5, noNaN: true })),
  propensity: fc.oneof(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.constantFrom(1, 1 / 49, 1e-300)),
  weight: fc.integer({ min: 1, max: 4 }),
})
const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 40 })

/** The value that stands at a path such as `exposure.gini`. */
const at = (description: Description, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], description)

/** The paths of all nulls. */
const nullsOf = (value: unknown, path: string[] = []): string[] =>
  value === null
    ? [path.join('.')]
    : typeof value === 'object'
      ? Object.entries(value).flatMap(([key, inner]) => nullsOf(inner, [...path, key]))
      : []

describe('describeLog', () => {
  it('counts what a small log holds', () => {
    const log = logOf([
      { ...row, user: 0, item: 0, reward: 1, propensity: 0.5 },
      { ...row, user: 0, item: 0, reward: 0, propensity: 0.5 },
      { ...row, user: 1, item: 0, reward: 3, propensity: 0.25 },
      { ...row, user: 2, item: 2, reward: -1, propensity: 1 },
    ])
    expect(describeLog({ ...log, time: Float64Array.of(5, 9, 2, 7) })).toEqual({
      schema: 'hindcast.description/1',
      rows: 4,
      impressions: 4,
      users: 3,
      items: 2,
      clicks: 2,
      clickRate: 0.5,
      // Residuals of the users 0, 1/2, −1/2; SE = √(3/2 · 1/2)/4.
      clickRateInterval: [
        expect.closeTo(0.5 - (1.959963984540054 * Math.sqrt(0.75)) / 4, 12),
        expect.closeTo(0.5 + (1.959963984540054 * Math.sqrt(0.75)) / 4, 12),
      ],
      meanReward: 0.75,
      rewardRange: [-1, 3],
      exposure: {
        gini: expect.closeTo(0.25, 12) as number,
        top10Share: 1,
        catalogue: null,
        neverShown: null,
        shareByTenth: expect.any(Array) as number[],
        medianImpressions: 2,
        maxImpressions: 3,
      },
      activity: {
        gini: expect.closeTo(1 / 6, 12) as number,
        minImpressions: 1,
        medianImpressions: 1,
        maxImpressions: 2,
      },
      propensity: { source: 'logged', min: 0.25, max: 1, floorShare: 0.25 },
      uniformTarget: {
        ess: expect.closeTo(81 / 25, 12) as number,
        essRatio: expect.closeTo(81 / 100, 12) as number,
      },
      time: { first: 2, last: 9 },
      reasons: expect.any(Object) as Record<string, string>,
    })
  })

  it('has an effective sample size of (Σw)²/Σw² with w = 1/b', () => {
    fc.assert(
      fc.property(anyRows, fc.boolean(), (rows, weighted) => {
        const tame = rows.map((r) => ({ ...r, propensity: Math.max(r.propensity, 1e-6) }))
        const weights = tame.map(({ propensity, weight }) => (weighted ? weight : 1) / propensity)
        const expected = weights.reduce((a, b) => a + b, 0) ** 2 / weights.reduce((a, b) => a + b * b, 0)
        const { ess, essRatio } = describeLog(logOf(tame, { weighted })).uniformTarget
        expect(ess! / expected).toBeCloseTo(1, 9)
        expect(essRatio).toBe(ess! / rows.length)
      }),
      { seed: 1 },
    )
  })

  it('has an effective sample size of all rows for a log drawn uniformly', () => {
    for (const items of [3, 7, 49, 93, 200]) {
      const log = toyWorld({ users: 30, items }).draw({ policy: uniformPolicy(items) })
      expect(describeLog(log).uniformTarget).toEqual({ ess: 150, essRatio: 1 })
    }
  })

  it('keeps its numbers where propensities are as small as numbers go', () => {
    const log = logOf([row, { ...row, propensity: 5e-324 }, { ...row, propensity: 5e-324 }])
    expect(describeLog(log).uniformTarget.ess).toBeCloseTo(2, 12)
  })

  it('counts a thinned row for as many as it stands for', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const thinned = describeLog(logOf(rows, { weighted: true }))
        const whole = describeLog(logOf(rows.flatMap((r) => Array.from({ length: r.weight }, () => r))))
        expect(thinned.rows).toBe(rows.length)
        for (const path of [
          'impressions',
          'users',
          'items',
          'clicks',
          'clickRate',
          'rewardRange',
          'activity',
          'exposure',
        ])
          expect(at(thinned, path)).toEqual(at(whole, path))
        expect(thinned.meanReward).toBeCloseTo(whole.meanReward, 12)
        thinned.clickRateInterval?.forEach((end, k) =>
          expect(end).toBeCloseTo(whole.clickRateInterval![k]!, 12),
        )
      }),
      { seed: 2 },
    )
  })

  it('does not depend on the order of rows', () => {
    const log = toyWorld({ users: 40, items: 12 }).draw()
    const reversed = takeRows(
      log,
      Uint32Array.from({ length: log.rows }, (_, k) => log.rows - 1 - k),
    )
    expect(describeLog(reversed)).toEqual({
      ...describeLog(log),
      uniformTarget: {
        ess: expect.closeTo(describeLog(log).uniformTarget.ess!, 9) as number,
        essRatio: expect.closeTo(describeLog(log).uniformTarget.essRatio!, 12) as number,
      },
    })
  })

  it('has a click rate interval that covers the click rate of all users nineteen times in twenty', () => {
    // Users with few items differ a lot: an interval that took rows for independent would cover about four times in five.
    const replicates = 300
    let covered = 0
    for (let seed = 0; seed < replicates; seed++) {
      const log = toyWorld({ seed, users: 100, items: 2, exposures: 20, skew: 0 }).draw()
      const [low, high] = describeLog(log).clickRateInterval!
      if (low <= 2 / 7 && 2 / 7 <= high) covered++
    }
    expect(covered / replicates).toBeGreaterThan(0.9)
    expect(covered / replicates).toBeLessThan(0.99)
  })

  it('keeps the interval within [0, 1]', () => {
    const rare = describeLog(
      logOf(Array.from({ length: 9 }, (_, user) => ({ ...row, user, reward: user === 0 ? 1 : 0 }))),
    )
    expect(rare.clickRateInterval![0]).toBe(0)
    const common = describeLog(
      logOf(Array.from({ length: 9 }, (_, user) => ({ ...row, user, reward: user === 0 ? 0 : 1 }))),
    )
    expect(common.clickRateInterval![1]).toBe(1)
  })

  it('counts items never shown where the catalogue is known', () => {
    const log = logOf([row, { ...row, user: 1, item: 1 }])
    const { exposure, items, reasons } = describeLog(withCatalogue(log, ['0', '1', '2', '3']))
    expect([items, exposure.catalogue, exposure.neverShown]).toEqual([2, 4, 2])
    expect(exposure.gini).toBe(0.5)
    expect(exposure.medianImpressions).toBe(1)
    expect(Object.keys(reasons)).not.toContain('exposure.catalogue')
  })

  it('leaves users of the whole out where a part has no rows of theirs', () => {
    const log = logOf([row, { ...row, user: 1 }, { ...row, user: 2 }])
    const part = describeLog(takeRows(log, Uint32Array.of(0, 2)))
    expect([part.users, part.activity.minImpressions]).toEqual([2, 1])
  })

  it('gives a reason for every null, and for nothing else', () => {
    const one = logOf([row])
    const full = withCatalogue({ ...logOf([row, { ...row, user: 1 }]), time: Float64Array.of(1, 2) }, ['0'])
    for (const log of [one, choosePropensity(one, { kind: 'none' }), full]) {
      const { reasons, ...values } = describeLog(log)
      // A part that is null as a whole is told as a whole.
      expect(Object.keys(reasons).toSorted()).toEqual(nullsOf(values).toSorted())
      for (const reason of Object.values(reasons)) expect(reason).toMatch(/\w+ \w+/)
    }
    expect(describeLog(full).reasons).toEqual({})
  })

  it('fits its schema, before and after a trip through JSON', () => {
    fc.assert(
      fc.property(anyRows, fc.boolean(), fc.boolean(), (rows, weighted, known) => {
        const thinned = rows.map((r) => ({ ...r, weight: 1 / (1 - r.weight / 7) }))
        const log = logOf(thinned, { weighted })
        const description = describeLog(known ? withCatalogue(log, ['20', '21']) : log)
        expect(descriptionSchema.parse(description)).toEqual(description)
        expect(descriptionSchema.parse(JSON.parse(JSON.stringify(description)))).toEqual(description)
      }),
      { numRuns: 300, seed: 3 },
    )
    const none = describeLog(choosePropensity(logOf([row]), { kind: 'none' }))
    expect(descriptionSchema.parse(none)).toEqual(none)
  })

  it('keeps how propensities were estimated', () => {
    const chosen = withPropensity(toyWorld({ seed: 1 }).draw(), { kind: 'logistic', floor: 0.001 })
    const description = describeLog(chosen.log, { estimatedPropensity: chosen.estimate! })
    expect(description.propensity).toMatchObject({
      source: 'estimated',
      min: 0.001,
      estimate: chosen.estimate,
    })
    expect(descriptionSchema.parse(JSON.parse(JSON.stringify(description)))).toEqual(description)
    expect(describeLog(chosen.log).propensity).not.toHaveProperty('estimate')
  })

  it('refuses a log without rows', () => {
    expect(() => describeLog(takeRows(logOf([row]), new Uint32Array(0)))).toThrow('The log has no rows.')
  })
})

describe('tallies', () => {
  const log = logOf(
    [
      { ...row, user: 1, item: 2, reward: 2, weight: 4 },
      { ...row, user: 1, item: 0, reward: -1, weight: 1 },
    ],
    { weighted: true },
  )

  it('sum impressions, rewards and clicks by item and by user, rows by their weight', () => {
    expect(tallyItems(log)).toEqual({
      ids: ['0', '1', '2'],
      impressions: Float64Array.of(1, 0, 4),
      reward: Float64Array.of(-1, 0, 8),
      clicks: Float64Array.of(0, 0, 4),
    })
    expect(tallyUsers(log)).toEqual({
      ids: ['0', '1'],
      impressions: Float64Array.of(0, 5),
      reward: Float64Array.of(0, 7),
      clicks: Float64Array.of(0, 4),
    })
  })
})
