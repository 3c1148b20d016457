import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { randomStream } from '../random/stream.js'
import { evaluate } from './evaluate.js'
import { exampleFitLog } from './example-fit-log.js'
import { logFitter } from './log-fit.js'
import { excessWithin, fittedToUsers, type WithinUsers } from './user-fit.js'

const [USERS, ITEMS, KINDS, ROWS] = [200, 12, 4, 4000]
const users = Array.from({ length: USERS }, (_, user) => user)

/** A log of uniform exposure, what each user clicked of each kind of items in it, and how much they truly like each. */
function drawn(seed: number, taste: number): { log: Log; clicked: number[][]; rates: number[][] } {
  const random = randomStream(seed, 'user fit')
  // Users like kinds as a law of their own has it, the same in every log.
  const tastes = randomStream(1, 'tastes')
  const rates = users.map(() => Array.from({ length: KINDS }, () => 0.2 + taste * (tastes.uniform() - 0.5)))
  const [user, item, reward] = [new Uint32Array(ROWS), new Uint32Array(ROWS), new Float64Array(ROWS)]
  const counts = users.map(() => Array.from({ length: KINDS }, () => ({ rows: 0, clicks: 0 })))
  for (let row = 0; row < ROWS; row++) {
    user[row] = Math.floor(random.uniform() * USERS)
    item[row] = Math.floor(random.uniform() * ITEMS)
    const kind = item[row]! % KINDS
    reward[row] = random.uniform() < rates[user[row]!]![kind]! ? 1 : 0
    counts[user[row]!]![kind]!.rows++
    counts[user[row]!]![kind]!.clicks += reward[row]!
  }
  const propensity = new Float64Array(ROWS).fill(1 / ITEMS)
  const log = exampleFitLog({ user, users: USERS, item, items: ITEMS, reward, propensity })
  return {
    log,
    rates,
    clicked: counts.map((own) => own.map(({ rows, clicks }) => (clicks + 0.4) / (rows + 2))),
  }
}

/** The softmax over items of what each user is taken to like of each kind. */
function following({ user, item }: Log, liked: readonly number[][], sharpness = 6): Float64Array {
  const scores = liked.map((own) => own.map((rate) => Math.exp(sharpness * rate)))
  const sums = scores.map((own) => (own.reduce((sum, score) => sum + score, 0) * ITEMS) / KINDS)
  return Float64Array.from(item, (shown, row) => scores[user[row]!]![shown % KINDS]! / sums[user[row]!]!)
}

const complaintsOf = (log: Log, target: Float64Array): readonly string[] => {
  const weights = target.map((p, row) => p / log.propensity![row]!)
  const fit = logFitter({ ...log, propensity: log.propensity! })(weights, true).users!
  return fittedToUsers('mine', fit).map(({ code }) => code)
}

describe('a policy that differs between users', () => {
  it('is not trusted where it follows what they clicked in the log, whether or not they differ', async () => {
    for (const taste of [0, 0.2]) {
      const { log, clicked } = drawn(1, taste)
      expect(complaintsOf(log, following(log, clicked))).toEqual(['fitted-to-log'])
      expect(complaintsOf(log, following(log, clicked, 2))).toEqual(['fitted-to-log'])
    }
    const { log, clicked } = drawn(1, 0.2)
    const target = { kind: 'column', name: 'mine' } as const
    const { evaluation } = await evaluate(
      { ...log, target: following(log, clicked) },
      { target, estimators: ['snips'] },
    )
    expect(evaluation.verdict.level).toBe('caution')
    expect(evaluation.verdict.reasons[0]!.message).toMatch(
      /^column:mine follows what each user earned in this log more closely than knowing their tastes could explain, by \d+ standard errors/,
    )
  })

  it('may know their tastes, or what they clicked in another log, or follow anything else', () => {
    for (let seed = 2; seed < 22; seed++) {
      const taste = [0, 0.2, 0.4][seed % 3]!
      const { log, rates } = drawn(seed, taste)
      const other = drawn(seed + 100, taste)
      for (const liked of [rates, other.clicked, rates.toReversed()])
        for (const sharpness of [2, 6, 20])
          expect(complaintsOf(log, following(log, liked, sharpness))).toEqual([])
    }
  })

  it('may learn from each click for the rows after it', () => {
    for (let seed = 30; seed < 35; seed++) {
      const { log } = drawn(seed, 0.2)
      const counts = users.map(() => Array.from({ length: KINDS }, () => [0.4, 2]))
      const target = Float64Array.from(log.item, (item, row) => {
        const own = counts[log.user[row]!]!
        const scores = own.map(([clicks, rows]) => Math.exp((6 * clicks!) / rows!))
        const kind = item % KINDS
        const sum = scores.reduce((all, score) => all + score, 0)
        own[kind]![0]! += log.reward[row]!
        own[kind]![1]!++
        return (scores[kind]! * KINDS) / (sum * ITEMS)
      })
      expect(complaintsOf(log, target)).toEqual([])
    }
  })
})

describe('the sums within users', () => {
  // The first user has two cells of two and three rows, and a row alone; the second a single cell.
  const user = Uint32Array.of(0, 0, 0, 0, 0, 0, 1, 1)
  const reward = Float64Array.of(1, 0, 1, 1, 0, 1, 1, 0)
  const target = Float64Array.of(0.2, 0.2, 0.8, 0.8, 0.8, 0.5, 0.2, 0.2)
  const fitOf = (probability: Float64Array): { plain: WithinUsers; logarithm: WithinUsers } =>
    logFitter({
      user,
      item: user,
      reward,
      propensity: new Float64Array(8).fill(1),
      userIds: { length: 2 },
      itemIds: { length: 2 },
    })(probability, true).users!

  it('compare the cells of a user with each other, each as often as it has rows', () => {
    const close = (value: number): unknown => expect.closeTo(value, 12)
    // t̄ = 2.8/5 and m̄ = 3/5; v = 1/2 and 1/3.
    expect(fitOf(target).plain).toEqual({
      cells: 3,
      rows: 7,
      users: 2,
      t: close(2 * 0.36 ** 2 + 3 * 0.24 ** 2),
      tt: close(4 * 0.04 + 3 * 0.64),
      tm: close(2 * -0.36 * (1 / 2 - 3 / 5) + 3 * 0.24 * (2 / 3 - 3 / 5)),
      m: close(2 / 100 + 3 / 225),
      noise: close((1 / 2) * (3 / 5) + (1 / 3) * (2 / 5)),
      spread: close(2 * 0.36 ** 2 * (1 / 2) + 3 * 0.24 ** 2 * (1 / 3)),
    })
  })

  it('leave out what is never shown where logarithms are taken', () => {
    const { plain, logarithm } = fitOf(target.map((p) => (p === 0.2 ? 0 : p)))
    expect([plain.cells, logarithm.cells, logarithm.users]).toEqual([3, 1, 1])
  })

  it('exceed sd(t) sd(q) by so many standard errors, sd(q) the larger by the error with which it is known', () => {
    const sums = { cells: 60, rows: 400, users: 10, t: 4, tt: 9, tm: 7, m: 30, noise: 20, spread: 1 }
    const most = Math.sqrt(4 * (10 + Math.sqrt((2 * 400 + 4 * 20 * 10) / 50)))
    expect(excessWithin(sums)).toBeCloseTo(7 - most, 12)
    expect(fittedToUsers('mine', { plain: sums, logarithm: sums })).toEqual([])
    const far = { ...sums, tm: 12 }
    expect(fittedToUsers('mine', { plain: sums, logarithm: far })).toMatchObject([{ level: 'caution' }])
    expect(excessWithin({ ...far, cells: 15 })).toBe(-Infinity)
    expect(excessWithin({ ...far, t: 0 })).toBe(-Infinity)
  })
})
