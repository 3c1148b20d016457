import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withCatalogue } from '../log/align.js'
import { type Log, takeRows } from '../log/log.js'
import { drawLog, logOf } from './example-logs.js'
import {
  exposureCalibration,
  type ExposureModel,
  popularityModel,
  probabilitiesOf,
  rowPropensities,
} from './exposure-model.js'
import { logisticModel } from './logistic.js'
import { userFolds } from './user-folds.js'

const MODELS: [name: string, fit: (log: Log) => ExposureModel][] = [
  ['popularity', (log) => popularityModel(log, userFolds(log, 0), 1)],
  ['popularity^0.5', (log) => popularityModel(log, userFolds(log, 0), 0.5)],
  ['logistic', (log) => logisticModel(log, userFolds(log, 0))],
]
const zipf = (user: number): number => 2 + Math.floor(200 / (1 + (user % 100)))

/** Mean over users of half the sum of |b̂ − b|: the share of impressions a model would place elsewhere. */
function distance(model: ExposureModel, truth: (user: number) => Float64Array, users: number): number {
  let sum = 0
  for (let user = 0; user < users; user++) {
    const b = truth(user)
    probabilitiesOf(model, user).forEach((p, item) => (sum += Math.abs(p - b[item]!) / 2))
  }
  return sum / users
}

/** Pearson's correlation of logarithms, over the rows. */
function correlation(log: Log, model: ExposureModel, truth: (user: number) => Float64Array): number {
  const x = Array.from(rowPropensities(log, model), Math.log)
  const y = x.map((_, row) => Math.log(truth(log.user[row]!)[log.item[row]!]!))
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value) / values.length
  const [mx, my] = [mean(x), mean(y)]
  const covariance = mean(x.map((value, row) => (value - mx) * (y[row]! - my)))
  return (
    covariance /
    Math.sqrt(mean(x.map((value) => (value - mx) ** 2)) * mean(y.map((value) => (value - my) ** 2)))
  )
}

describe.each(MODELS)('%s', (_, fit) => {
  it('gives every user probabilities that sum to one over the items, those never shown included', () => {
    const anyRow = fc.record({ user: fc.nat({ max: 9 }), item: fc.nat({ max: 12 }) })
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 20, maxLength: 80 }), (rows) => {
        const log = withCatalogue(logOf(rows, { users: 10 }), ['x', 'y', 'z'])
        fc.pre(new Set(log.user).size > 2)
        const model = fit(log)
        for (const user of new Set(log.user)) {
          const probabilities = probabilitiesOf(model, user)
          expect(probabilities).toHaveLength(log.itemIds.length)
          expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
          expect(probabilities.every((p) => p >= 0)).toBe(true)
        }
      }),
      { numRuns: 60, seed: 5 },
    )
  })

  it('says of a user only what other users tell: their own rows do not change their model', () => {
    const { log } = drawLog({ users: 60, items: 30, activity: (user) => 3 + (user % 4) })
    const { foldOf } = userFolds(log, 0)
    const model = fit(log)
    for (const user of [0, 17, 59]) {
      // As many impressions as before, of the least shown item.
      const item = log.item.map((shown, row) => (log.user[row] === user ? 29 : shown))
      const changed = fit({ ...log, item })
      const other = foldOf.findIndex((fold) => fold !== foldOf[user])
      expect(probabilitiesOf(changed, user)).toEqual(probabilitiesOf(model, user))
      expect(probabilitiesOf(changed, other)).not.toEqual(probabilitiesOf(model, other))
    }
  })

  it('does not depend on the order of the rows', () => {
    const { log } = drawLog({ users: 50, items: 20 })
    const backwards = Uint32Array.from({ length: log.rows }, (_, row) => log.rows - 1 - row)
    const there = rowPropensities(log, fit(log))
    const back = rowPropensities(takeRows(log, backwards), fit(takeRows(log, backwards)))
    back.forEach((value, row) => expect(value).toBeCloseTo(there[backwards[row]!]!, 12))
  })

  it('counts a row of weight 2 as two rows', () => {
    const { log } = drawLog({ users: 40, items: 15, activity: () => 5 })
    const twice = takeRows(
      log,
      Uint32Array.from({ length: 2 * log.rows }, (_, row) => row >> 1),
    )
    const weighted = { ...log, weight: new Float64Array(log.rows).fill(2) }
    const [expected, model] = [fit(twice), fit(weighted)]
    for (let user = 0; user < 40; user++)
      probabilitiesOf(model, user).forEach((p, item) =>
        expect(p).toBeCloseTo(probabilitiesOf(expected, user)[item]!, 9),
      )
  })
})

describe.each(MODELS.filter(([name]) => name !== 'popularity^0.5'))('%s', (_, fit) => {
  it.each([
    ['as many impressions each', {}, 0.06],
    ['few very active users', { activity: zipf }, 0.06],
    ['items shown once to a user at most', { activity: () => 6, once: true }, 0.08],
  ])('finds the policy that drew a log: %s', (_, options, most) => {
    const { log, truth } = drawLog(options)
    const model = fit(log)
    expect(distance(model, truth, 1000)).toBeLessThan(most)
    expect(correlation(log, model, truth)).toBeGreaterThan(0.98)
    const { error, errorByChance, bins } = exposureCalibration(log, model)
    expect(bins).toHaveLength(10)
    expect(error).toBeLessThan(Math.max(2 * errorByChance, 0.05))
  })
})

describe('calibration', () => {
  const { log } = drawLog({ users: 500 })

  it('counts every impression once and predicts as many as there were', () => {
    const { bins } = exposureCalibration(log, MODELS[0]![1](log))
    expect(bins.reduce((sum, { exposures }) => sum + exposures, 0)).toBe(log.rows)
    // Trials are impressions times items, so that Σ predicted · trials is the number of impressions.
    const trials = bins.map(({ exposures, observed }) => exposures / observed)
    expect(trials.reduce((sum, value) => sum + value, 0)).toBeCloseTo(log.rows * log.itemIds.length, 3)
    expect(bins.reduce((sum, { predicted }, bin) => sum + predicted * trials[bin]!, 0)).toBeCloseTo(
      log.rows,
      6,
    )
    for (const { observed, interval } of bins) {
      expect(interval[0]).toBeLessThan(observed)
      expect(interval[1]).toBeGreaterThan(observed)
    }
  })

  it('finds out a model that is wrong: the square of popularity', () => {
    const right = exposureCalibration(log, popularityModel(log, userFolds(log, 0), 1))
    const wrong = exposureCalibration(log, popularityModel(log, userFolds(log, 0), 2))
    expect(right.error).toBeLessThan(2 * right.errorByChance)
    expect(wrong.error).toBeGreaterThan(5 * right.error)
  })
})

describe('the logistic model', () => {
  it('learns that active users see more of the tail, which popularity cannot', () => {
    const { log, truth } = drawLog({
      activity: zipf,
      skew: (user) => 6 / (1 + Math.log(zipf(user)) / 2),
    })
    const [popularity, logistic] = [MODELS[0]![1](log), MODELS[2]![1](log)]
    expect(logistic.parameters['both']).toBeLessThan(-0.05)
    expect(distance(logistic, truth, 1000)).toBeLessThan(0.65 * distance(popularity, truth, 1000))
  })

  it('stands where users see nearly all items', () => {
    const { log, truth } = drawLog({ users: 100, items: 10, activity: () => 200, skew: () => 2 })
    expect(distance(MODELS[2]![1](log), truth, 100)).toBeLessThan(0.02)
  })
})

describe('items that other users never saw', () => {
  // Item 3 was shown to user 0 alone.
  const rows = [0, 1, 2, 3, 4, 5].flatMap((user) => [
    { user, item: 0 },
    { user, item: user === 0 ? 3 : 1 + (user % 2) },
  ])

  it('count by what items of a single user took, and never more than the least shown', () => {
    const log = logOf(rows)
    const model = popularityModel(log, userFolds(log, 0), 1)
    expect(model.parameters['unseenRows']).toBe(1)
    expect(model.parameters['unseenImpressions']).toBeGreaterThan(0)
    // Nothing else was shown to one user alone: one impression in all, and one such item.
    const [first, , , unseen] = probabilitiesOf(model, 0)
    expect(unseen! / first!).toBeCloseTo(
      1 /
        log.item.filter((item, row) => item === 0 && model.groupOf[log.user[row]!] !== model.groupOf[0])
          .length,
      12,
    )
  })

  it('share what unseen items take where there are many', () => {
    const log = withCatalogue(
      logOf(rows),
      Array.from({ length: 100 }, (_, k) => `never ${k}`),
    )
    const model = popularityModel(log, userFolds(log, 0), 1)
    const never = Array.from(probabilitiesOf(model, 1)).filter((_, item) =>
      log.itemIds[item]!.startsWith('never'),
    )
    expect(Math.max(...never)).toBe(Math.min(...never))
    expect(never.reduce((sum, p) => sum + p)).toBeLessThan(0.4)
  })
})

describe('the bins of a calibration, worked out by hand', () => {
  // Two users to whom four items are as likely as one to four tenths, the other way round.
  const model: ExposureModel = {
    parameters: {},
    groupOf: Uint32Array.of(0, 1),
    groups: [
      { fold: 0, propensity: Float64Array.of(0.1, 0.2, 0.3, 0.4) },
      { fold: 0, propensity: Float64Array.of(0.4, 0.3, 0.2, 0.1) },
    ],
    classes: [{ classOf: Uint32Array.of(0, 1, 2, 3), size: Float64Array.of(1, 1, 1, 1) }],
  }
  const shown = (user: number, times: readonly number[]) =>
    times.flatMap((count, item) => Array.from({ length: count }, () => ({ user, item })))
  const log = logOf([...shown(0, [1, 2, 3, 4]), ...shown(1, [0, 0, 5, 5])])

  it('are pairs from the least likely on, of one likelihood group by group', () => {
    const { bins, error } = exposureCalibration(log, model)
    const predicted = [0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4]
    predicted.forEach((value, bin) => expect(bins[bin]!.predicted).toBeCloseTo(value, 12))
    expect(bins.map(({ observed }) => observed)).toEqual([0.1, 0.5, 0.2, 0.5, 0.3, 0, 0.4, 0])
    expect(bins.map(({ exposures }) => exposures)).toEqual([1, 5, 2, 5, 3, 0, 4, 0])
    // Of 20 expected, 4 + 3 + 3 + 4 are off.
    expect(error).toBeCloseTo(14 / 20, 12)
  })

  it('count rows by what they stand for', () => {
    const twice = { ...log, weight: new Float64Array(log.rows).fill(2) }
    const { bins, error } = exposureCalibration(twice, model)
    expect(bins.map(({ exposures }) => exposures)).toEqual([2, 10, 4, 10, 6, 0, 8, 0])
    expect(error).toBeCloseTo(14 / 20, 12)
  })
})
