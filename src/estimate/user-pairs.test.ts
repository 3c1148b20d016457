import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { randomStream } from '../random/stream.js'
import { evaluate } from './evaluate.js'
import { exampleFitLog } from './example-fit-log.js'
import { bucketsLookedAt, pairedRows, userPairsOf } from './paired-rows.js'
import { fittedToRows, type PairSum, shortfallOf } from './user-pairs.js'

const [USERS, ITEMS, ROWS] = [150, 20, 3000]

type Drawn = { readonly log: Log; readonly rates: readonly (readonly number[])[] }

/** A log of uniform exposure and how much users truly like each item; where an item may go away once it is clicked. */
function drawn(seed: number, taste: number, goesAway = false): Drawn {
  const random = randomStream(seed, 'user pairs')
  const tastes = randomStream(1, 'tastes')
  const rates = Array.from({ length: USERS }, () =>
    Array.from({ length: ITEMS }, () => 0.2 + taste * (tastes.uniform() - 0.5)),
  )
  const left = rates.map(() => Array.from({ length: ITEMS }, (_, item) => item))
  const [user, item] = [new Uint32Array(ROWS), new Uint32Array(ROWS)]
  const [reward, propensity] = [new Float64Array(ROWS), new Float64Array(ROWS)]
  for (let row = 0; row < ROWS; row++) {
    const own = left[(user[row] = row % USERS)]!
    const place = Math.floor(random.uniform() * own.length)
    item[row] = own[place]!
    propensity[row] = 1 / own.length
    reward[row] = random.uniform() < rates[user[row]!]![item[row]!]! ? 1 : 0
    if (goesAway && reward[row] && own.length > 1) own.splice(place, 1)
  }
  return { rates, log: exampleFitLog({ user, users: USERS, item, items: ITEMS, reward, propensity }) }
}

/** What a neighbourhood of scores makes of the clicks of a log: those of a user for an item, and for the items beside it. */
function learnt({ user, item, reward, rows }: Log): number[][] {
  const scores = Array.from({ length: USERS }, () => Array.from({ length: ITEMS }, () => 0))
  for (let row = 0; row < rows; row++)
    for (const [away, share] of [0.5, 0.3, 0.2].entries())
      for (const sign of away === 0 ? [0] : [-1, 1])
        scores[user[row]!]![(item[row]! + sign * away + ITEMS) % ITEMS]! += share * (reward[row]! - 0.2)
  return scores
}

/** The softmax of scores. */
function following({ user, item }: Log, scores: readonly (readonly number[])[]): Float64Array {
  const sums = scores.map((own) => own.reduce((sum, score) => sum + Math.exp(score), 0))
  return Float64Array.from(item, (shown, row) => Math.exp(scores[user[row]!]![shown]!) / sums[user[row]!]!)
}

const shortfall = ({ log }: Drawn, target: Float64Array): number => {
  const weights = target.map((p, row) => p / log.propensity![row]!)
  return shortfallOf(userPairsOf(pairedRows(log, log.propensity!), weights)!)
}

const scaled = (scores: readonly (readonly number[])[], by: number): number[][] =>
  scores.map((own) => own.map((score) => by * score))

describe('a target that explains the clicks of single users', () => {
  it('is not trusted where it learned them from the log, whether or not users differ', async () => {
    for (const taste of [0, 0.3])
      for (const sharpness of [1, 3]) {
        const one = drawn(1, taste)
        expect(shortfall(one, following(one.log, scaled(learnt(one.log), sharpness)))).toBeGreaterThan(4.5)
      }
    // Each item has a probability of its own, so that a user has few rows that are alike.
    const { log } = drawn(1, 0.3)
    const scores = learnt(log).map((own) => own.map((score, item) => score + 0.4 * item))
    const { evaluation } = await evaluate(
      { ...log, target: following(log, scores) },
      { target: { kind: 'column', name: 'mine' }, estimators: ['snips'] },
    )
    expect(evaluation.verdict.level).toBe('caution')
    expect(evaluation.verdict.reasons.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(
        /^What column:mine leaves unexplained of the clicks of a user adds up to less than chance makes it, by \d+ standard errors/,
      ),
    )
  })

  it('may know their tastes or what they clicked in another log, and items may go away once they are clicked', () => {
    for (let seed = 2; seed < 12; seed++)
      for (const goesAway of [false, true]) {
        const one = drawn(seed, [0.1, 0.2, 0.4][seed % 3]!, goesAway)
        const other = drawn(seed + 100, [0.1, 0.2, 0.4][seed % 3]!, goesAway)
        for (const scores of [scaled(one.rates, 8), learnt(other.log), scaled(one.rates, -8)])
          expect(shortfall(one, following(one.log, scores))).toBeLessThan(3.5)
      }
  })
})

describe('the sums over pairs of rows of a user', () => {
  // A user of six rows, of which two and three are of the same item; the slope is that of both users.
  const user = Uint32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1)
  const item = Uint32Array.of(0, 0, 1, 1, 1, 2, 0, 1, 2, 2)
  const reward = Float64Array.of(1, 0, 1, 1, 0, 0, 1, 0, 2, 1)
  const propensity = Float64Array.of(0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.5, 0.25, 0.25, 0.25)
  const target = Float64Array.of(0.2, 0.2, 0.6, 0.6, 0.6, 0.2, 0.7, 0.1, 0.2, 0.2)
  const log = exampleFitLog({ user, users: 2, item, items: 3, reward, propensity })
  const less = (values: Float64Array): Float64Array =>
    values.map((value, row) => {
      const same = values.filter((_, other) => item[other] === item[row])
      return value - same.reduce((sum, one) => sum + one, 0) / same.length
    })
  const mean = target.reduce((sum, p) => sum + p, 0) / 10
  const p = less(target.map((value) => Math.log(value + 0.1 * mean)))
  const rest = less(reward)
  const rowsOf = (own: number): number[] => [...user.keys()].filter((row) => user[row] === own)
  const covariance = (a: Float64Array, b: Float64Array): number => {
    let sum = 0
    for (const own of [0, 1]) {
      const rows = rowsOf(own)
      const away = (values: Float64Array, row: number): number =>
        values[row]! - rows.reduce((total, one) => total + values[one]!, 0) / rows.length
      for (const row of rows) sum += away(a, row) * away(b, row)
    }
    return sum
  }
  const slope = covariance(p, rest) / covariance(p, p)
  const e = rest.map((value, row) => value - slope * p[row]!)
  const weights = target.map((value, row) => value / propensity[row]!)
  const pairs = userPairsOf(pairedRows(log, propensity), weights)!

  /** The mean over rows i, j, k, l of a user that are all different. */
  const meanOf = (
    rows: readonly number[],
    of: (i: number, j: number, k: number, l: number) => number,
  ): number => {
    let [sum, count] = [0, 0]
    for (const i of rows)
      for (const j of rows)
        for (const k of rows)
          for (const l of rows)
            if (new Set([i, j, k, l]).size === 4) {
              sum += of(i, j, k, l)
              count++
            }
    return sum / count
  }

  it('square covariances over rows that are all different', () => {
    const expected = [0, 1].map((own) => {
      const rows = rowsOf(own)
      // Half of a product of differences is a covariance.
      const squared = meanOf(
        rows,
        (i, j, k, l) => ((p[i]! - p[j]!) * (e[i]! - e[j]!) * (p[k]! - p[l]!) * (e[k]! - e[l]!)) / 4,
      )
      return (rows.length - 1) * squared
    })
    expect(pairs.slopes.sum).toBeCloseTo(expected[0]! + expected[1]!, 12)
  })

  it('compare rows of the same item with others of the user', () => {
    const repeats = (left: Float64Array): number => {
      let sum = 0
      for (const own of [0, 1]) {
        const rows = rowsOf(own)
        for (const shown of [0, 1, 2]) {
          const same = rows.filter((row) => item[row] === shown)
          for (const i of same)
            for (const j of same) {
              if (i === j) continue
              const others = rows.filter((row) => row !== i && row !== j)
              let [total, count] = [0, 0]
              for (const k of others)
                for (const l of others)
                  if (k !== l) {
                    total += (left[i]! - left[k]!) * (left[j]! - left[l]!)
                    count++
                  }
              sum += total / count / (same.length - 1)
            }
        }
      }
      return sum
    }
    expect(pairs.repeats.sum).toBeCloseTo(repeats(e), 12)
    expect(pairs.unaided.sum).toBeCloseTo(repeats(rest), 12)
  })

  it('are nothing for a target that treats users alike, or shows nothing of what was logged', () => {
    const paired = pairedRows(log, propensity)
    const alike = Float64Array.from(item, (shown, row) => [0.2, 0.3, 0.5][shown]! / propensity[row]!)
    expect(userPairsOf(paired, alike)).toBe(null)
    expect(userPairsOf(paired, new Float64Array(10))).toBe(null)
  })

  it('speak where they are far below 0; those of an item only where rows of it are independent draws', () => {
    const at = (sum: number): PairSum => ({ sum, variance: 4 })
    const fine = { slopes: at(0), repeats: at(0), unaided: at(0), feedback: 0 }
    expect(fittedToRows('mine', { ...fine, slopes: at(-8) })).toEqual([])
    expect(fittedToRows('mine', { ...fine, slopes: at(-10) })).toMatchObject([{ level: 'caution', value: 5 }])
    const repeated = { ...fine, repeats: at(-10) }
    expect(shortfallOf(repeated)).toBe(5)
    expect(shortfallOf({ ...repeated, slopes: at(-8) })).toBeCloseTo(9 / Math.SQRT2, 12)
    for (const doubtful of [{ feedback: 2.6 }, { feedback: -2.6 }, { feedback: null }, { unaided: at(-4.1) }])
      expect(shortfallOf({ ...repeated, ...doubtful })).toBeCloseTo(0, 12)
  })
})

it('logs of many rows are looked at in part, by the ids of users', () => {
  expect(bucketsLookedAt(100_000)).toBe(undefined)
  expect(bucketsLookedAt(1_000_000)).toBe(6554)
  const users = 2000
  const columns = { user: Uint32Array.from({ length: users }, (_, k) => k), item: new Uint32Array(users) }
  const log = exampleFitLog({
    ...columns,
    users,
    items: 1,
    reward: new Float64Array(users),
    propensity: new Float64Array(users).fill(1),
  })
  const { rows } = pairedRows({ ...log, rows: 200_000 }, log.propensity!)
  expect(rows.length / users).toBeCloseTo(0.5, 1)
})
