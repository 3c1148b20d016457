import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { fixedPolicy } from '../policy/fixed.js'
import { randomStream } from '../random/stream.js'
import { evaluate } from './evaluate.js'
import { exampleFitLog } from './example-fit-log.js'
import { excessOf, fittedToLog, type ItemFit, samenessOf } from './item-fit.js'
import { logFitter } from './log-fit.js'

const ITEMS = 200
const ROWS = 4000

/** The fit of a target whose probabilities are its weights, since every propensity is 1. */
function fitOfItems(
  item: Uint32Array,
  items: number,
  reward: Float64Array,
  probability: Float64Array,
): ItemFit {
  const propensity = new Float64Array(item.length).fill(1)
  const ids = { length: items }
  const fitter = logFitter({ user: item, item, reward, propensity, userIds: ids, itemIds: ids })
  return fitter(probability, false).items
}

/** A log of uniform exposure in which the click rates of items spread by `spread` around 0.2, and those rates. */
function drawn(seed: number, spread: number): { log: Log; rates: number[]; means: number[] } {
  const random = randomStream(seed, 'item fit')
  const rates = Array.from({ length: ITEMS }, () => 0.2 + spread * (random.uniform() - 0.5))
  const [item, reward] = [new Uint32Array(ROWS), new Float64Array(ROWS)]
  const counts = rates.map(() => ({ rows: 0, clicks: 0 }))
  for (let row = 0; row < ROWS; row++) {
    item[row] = Math.floor(random.uniform() * ITEMS)
    reward[row] = random.uniform() < rates[item[row]!]! ? 1 : 0
    counts[item[row]!]!.rows++
    counts[item[row]!]!.clicks += reward[row]!
  }
  const log = exampleFitLog({
    user: Uint32Array.from({ length: ROWS }, (_, row) => Math.floor(row / 4)),
    users: ROWS / 4,
    item,
    items: ITEMS,
    reward,
    propensity: new Float64Array(ROWS).fill(1 / ITEMS),
  })
  return { log, rates, means: counts.map(({ rows, clicks }) => (clicks + 2) / (rows + 10)) }
}

const sharpened = (values: readonly number[]): number[] => values.map((value) => Math.exp(12 * value))

const codesFor = async (log: Log, preferences: readonly number[]): Promise<string[]> => {
  const target = { kind: 'policy', policy: fixedPolicy('mine', preferences) } as const
  const { evaluation } = await evaluate(log, { target, estimators: ['snips'], checks: false })
  return evaluation.verdict.reasons.map(({ code }) => code)
}

describe('a policy that is the same for everybody', () => {
  it('is not trusted where it was computed from the clicks of the log', async () => {
    const { log, means } = drawn(1, 0.1)
    expect(await codesFor(log, sharpened(means))).toContain('fitted-to-log')
  })

  it('may know the true click rates, or follow anything else', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const { log, rates } = drawn(seed, [0, 0.05, 0.1, 0.3][seed % 4]!)
      expect(await codesFor(log, sharpened(rates))).not.toContain('fitted-to-log')
      expect(await codesFor(log, sharpened(rates.toReversed()))).not.toContain('fitted-to-log')
    }
  })

  it('may be computed from the clicks of another log of the same items', async () => {
    const { log, rates } = drawn(5, 0.1)
    const { means } = drawn(6, 0.1)
    expect(rates).toHaveLength(means.length)
    expect(await codesFor(log, sharpened(means))).not.toContain('fitted-to-log')
  })
})

describe('a policy that differs between segments of users', () => {
  const SEGMENTS = 10
  /** 40 items, 20,000 rows; the probabilities of ten segments follow the clicks of a log, each segment those of its own. */
  const segmented = (seed: number): { log: Log; tables: number[][] } => {
    const random = randomStream(seed, 'segments')
    const [rows, items] = [20_000, 40]
    const rates = Array.from({ length: items }, () => 0.05 + 0.1 * random.uniform())
    const [item, reward] = [new Uint32Array(rows), new Float64Array(rows)]
    const counts = Array.from({ length: SEGMENTS }, () => rates.map(() => ({ rows: 0, clicks: 0 })))
    for (let row = 0; row < rows; row++) {
      item[row] = Math.floor(random.uniform() * items)
      reward[row] = random.uniform() < rates[item[row]!]! ? 1 : 0
      const count = counts[Math.floor(row / 20) % SEGMENTS]![item[row]!]!
      count.rows++
      count.clicks += reward[row]!
    }
    const { log } = drawn(0, 0)
    return {
      log: {
        ...log,
        rows,
        item,
        reward,
        user: Uint32Array.from({ length: rows }, (_, row) => Math.floor(row / 20)),
        userIds: Array.from({ length: rows / 20 }, (_, user) => `${user}`),
        itemIds: log.itemIds.slice(0, items),
        propensity: new Float64Array(rows).fill(1 / items),
      },
      tables: counts.map((own) => {
        const scores = own.map(({ rows: shown, clicks }) => Math.exp((25 * (clicks + 1)) / (shown + 10)))
        const total = scores.reduce((sum, score) => sum + score, 0)
        return scores.map((score) => score / total)
      }),
    }
  }
  const codesOf = async (log: Log, tables: readonly number[][]): Promise<string[]> => {
    const policies = tables.map((table) => fixedPolicy('mine', table))
    const policy = {
      ...policies[0]!,
      groupOf: (user: number) => user % SEGMENTS,
      probabilities: (user: number) => policies[user % SEGMENTS]!.probabilities(user),
    }
    const { evaluation } = await evaluate(log, {
      target: { kind: 'policy', policy },
      estimators: ['snips'],
      checks: false,
    })
    return evaluation.verdict.reasons.map(({ code }) => code)
  }

  it('is not trusted where it was computed from the clicks of the log', async () => {
    const { log, tables } = segmented(1)
    expect(await codesOf(log, tables)).toContain('fitted-to-log')
  })

  it('may be computed from the clicks of another log', async () => {
    for (let seed = 2; seed < 12; seed++)
      expect(await codesOf(segmented(seed).log, segmented(seed + 100).tables)).not.toContain('fitted-to-log')
  })
})

describe('a policy that differs between small contexts', () => {
  const [rows, items, contexts] = [12_000, 15, 30]
  const none = Float64Array.of()
  const nothing = fitOfItems(Uint32Array.of(), 0, none, none).plain
  /** Rows of 30 contexts, such as hours of segments, and the clicks of each item in each of them; tastes differ a little. */
  const shown = (seed: number) => {
    const random = randomStream(seed, 'contexts')
    const rates = Array.from(
      { length: items * contexts },
      (_, k) => 0.08 + 0.01 * (k % items) + 0.04 * random.uniform(),
    )
    const [item, place, reward] = [new Uint32Array(rows), new Uint32Array(rows), new Float64Array(rows)]
    const counts = rates.map(() => ({ rows: 0, clicks: 0 }))
    for (let row = 0; row < rows; row++) {
      item[row] = Math.floor(random.uniform() * items)
      place[row] = (row % contexts) * items + item[row]!
      reward[row] = random.uniform() < rates[place[row]!]! ? 1 : 0
      counts[place[row]!]!.rows++
      counts[place[row]!]!.clicks += reward[row]!
    }
    return { item, place, reward, rates, means: counts.map((of) => (of.clicks + 0.5) / (of.rows + 4)) }
  }
  const sharpened = (values: readonly number[]): number[] => {
    const scores = values.map((value) => Math.exp(12 * value))
    return scores.map((score, k) => {
      const first = k - (k % items)
      return score / scores.slice(first, first + items).reduce((sum, other) => sum + other, 0)
    })
  }
  const fitOf = (seed: number, values: readonly number[]) => {
    const { item, place, reward } = shown(seed)
    const table = sharpened(values)
    const probability = Float64Array.from(place, (k) => table[k]!)
    return fitOfItems(item, items, reward, probability)
  }

  it('is not trusted where it was computed from the clicks of the log: those it treats alike earn the same', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const fit = fitOf(seed, shown(seed).means)
      expect(samenessOf(fit.spread)).toBeGreaterThan(4)
      const [complaint] = fittedToLog('mine', { ...fit, plain: nothing, logarithm: nothing })
      expect(complaint).toMatchObject({ level: 'caution', code: 'fitted-to-log' })
      expect(complaint!.message).toMatch(
        /^Where mine gives the same probability, mean rewards in this log differ less than chance/,
      )
    }
  })

  it('may know the true click rates, or the clicks of another log', () => {
    for (let seed = 1; seed <= 10; seed++) {
      expect(fittedToLog('mine', fitOf(seed, shown(seed).rates))).toEqual([])
      expect(fittedToLog('mine', fitOf(seed, shown(seed + 100).means))).toEqual([])
    }
  })
})

describe('the sums by item and probability', () => {
  const item = Uint32Array.of(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2)
  const reward = Float64Array.of(1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1)
  const fitFor = (probability: (row: number) => number) =>
    fitOfItems(
      item,
      4,
      reward,
      Float64Array.from(item, (_, row) => probability(row)),
    )
  const fit = fitFor((row) => (row < 5 ? 0.2 : 0.8))

  it('count every cell as often as it has rows, and leave out those that have hardly any', () => {
    const close = (value: number): unknown => expect.closeTo(value, 12)
    expect(fit.plain).toEqual({
      cells: 2,
      rows: 11,
      m: close(1 + 3),
      mm: close(5 * 0.04 + 6 * 0.25),
      noise: close(0.2 + 0.3),
      v: close(5 * 0.2 + 6 * 0.3),
      t: close(5 * 0.2 + 6 * 0.8),
      tt: close(5 * 0.04 + 6 * 0.64),
      tm: close(1 * 0.2 + 3 * 0.8),
      tv: close(5 * 0.2 * 0.2 + 6 * 0.8 * 0.3),
      ttv: close(5 * 0.04 * 0.2 + 6 * 0.64 * 0.3),
    })
  })

  it('spread among cells of one step by Σ n (m − m̄)² less Σ v (1 − n/N), in units of the pooled variance', () => {
    // Two cells of one step, m = ⅕ and ½ of 5 and 6 rows, v = ⅕ and 3/10; that of one row is left out.
    const { excess, variance } = fitFor(() => 0.5).spread
    const mean = 4 / 11
    expect(excess).toBeCloseTo(
      5 * (0.2 - mean) ** 2 + 6 * (0.5 - mean) ** 2 - 0.2 * (6 / 11) - 0.3 * (5 / 11),
      12,
    )
    expect(variance).toBeCloseTo(2 * ((4 * 0.2 + 5 * 0.3) / 9) ** 2, 12)
    expect(samenessOf({ excess: -3, variance: 4 })).toBe(1.5)
    // Cells of different steps are not compared.
    expect(fit.spread).toMatchObject({ excess: expect.closeTo(0, 12), variance: 0 })
  })

  it('keep apart users for whom the target differs', () => {
    // Of the rows of each item the first has another probability: five rows of the second item are left, four of the first.
    const { plain, logarithm } = fitFor((row) => (row === 0 || row === 5 ? 0.5 : row < 5 ? 0.2 : 0))
    expect([plain.cells, plain.rows, plain.m]).toEqual([1, 5, 2])
    expect(logarithm.cells).toBe(0)
  })

  it('take probabilities that rounding made different for one', () => {
    const ofRow = (row: number): number =>
      row < 5 ? 1 - (row % 2) * 2 ** -53 : Math.exp(-1) + (row % 2) * 1e-16
    expect(fitFor(ofRow).plain.cells).toBe(2)
  })

  it('say nothing of few cells', () => {
    expect(excessOf(fit.plain)).toBe(-Infinity)
    expect(fittedToLog('mine', fit)).toEqual([])
  })
})
