import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { fixedPolicy } from '../policy/fixed.js'
import { randomStream } from '../random/stream.js'
import { evaluate } from './evaluate.js'
import { excessOf, fittedToLog, itemFitOf } from './item-fit.js'

const ITEMS = 200
const ROWS = 4000

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
  const ids = (count: number): string[] => Array.from({ length: count }, (_, k) => `${k}`)
  const log: Log = {
    rows: ROWS,
    user: Uint32Array.from({ length: ROWS }, (_, row) => Math.floor(row / 4)),
    userIds: ids(ROWS / 4),
    item,
    itemIds: ids(ITEMS),
    catalogueKnown: true,
    reward,
    propensity: new Float64Array(ROWS).fill(1 / ITEMS),
    propensitySource: 'logged',
  }
  return { log, rates, means: counts.map(({ rows, clicks }) => (clicks + 2) / (rows + 10)) }
}

const sharpened = (values: readonly number[]): number[] => values.map((value) => Math.exp(12 * value))

const codesFor = async (log: Log, preferences: readonly number[]): Promise<string[]> => {
  const target = { kind: 'policy', policy: fixedPolicy('mine', preferences) } as const
  const { evaluation } = await evaluate(log, { target, estimators: ['snips'] })
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

describe('the sums by item', () => {
  const item = Uint32Array.of(0, 0, 1, 1, 1)
  const reward = Float64Array.of(1, 0, 1, 1, 0)
  const fit = itemFitOf(item, 3, reward, Float64Array.of(0.2, 0.2, 0.8, 0.8, 0.8))

  it('count every item as often as it is shown, and leave out those that are not', () => {
    const close = (value: number): unknown => expect.closeTo(value, 12)
    expect(fit.within).toBeCloseTo(0, 12)
    expect(fit.plain).toEqual({
      items: 2,
      rows: 5,
      m: close(3),
      mm: close(2 / 4 + (3 * 4) / 9),
      v: close(2 / 4 + (3 * 2) / 9),
      t: close(2 * 0.2 + 3 * 0.8),
      tt: close(2 * 0.04 + 3 * 0.64),
      tm: close(0.2 + 0.8 * 2),
      tv: close(0.2 * 0.5 + (0.8 * 3 * 2) / 9),
      ttv: close(0.04 * 0.5 + (0.64 * 3 * 2) / 9),
    })
  })

  it('say nothing of few items, or of a policy that differs between users', () => {
    expect(excessOf(fit.plain)).toBe(-Infinity)
    const { log, means } = drawn(1, 0.1)
    const total = sharpened(means).reduce((sum, value) => sum + value, 0)
    const probability = Float64Array.from(log.item, (a) => sharpened(means)[a]! / total)
    const ofAll = itemFitOf(log.item, ITEMS, log.reward, probability)
    expect(fittedToLog('mine', ofAll)).toHaveLength(1)
    expect(fittedToLog('mine', { ...ofAll, within: ofAll.plain.tt })).toEqual([])
  })
})
