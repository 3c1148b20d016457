import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { groupRows } from '../log/row-groups.js'
import { normalTail } from '../normal-tail.js'
import { randomStream } from '../random/stream.js'
import { evaluate } from './evaluate.js'
import { exampleFitLog } from './example-fit-log.js'
import { groupedRows } from './grouped-rows.js'
import { itemFitOf } from './item-cells.js'
import { chanceOf, cutsOf, type Parting, pickedFromLog, type SideSums } from './item-pick.js'
import { logFitter } from './log-fit.js'
import { partingsOf } from './pick-cells.js'
import { rowsShown } from './shown-rows.js'

const ITEMS = 120
const ROWS = 6000

/** A log whose items differ by `spread` in their click rates, and how each item fared in it. */
function drawn(
  seed: number,
  spread: number,
): {
  log: Log
  rates: number[]
  rows: number[]
  means: number[]
  ips: number[]
} {
  const random = randomStream(seed, 'item pick')
  const rates = Array.from({ length: ITEMS }, () => 0.2 + spread * (random.uniform() - 0.5))
  const skew = Array.from({ length: ITEMS }, (_, k) => 0.5 + (k % 7) / 6)
  const whole = skew.reduce((sum, share) => sum + share, 0)
  const [item, reward] = [new Uint32Array(ROWS), new Float64Array(ROWS)]
  const [clicks, rows] = [rates.map(() => 0), rates.map(() => 0)]
  for (let row = 0; row < ROWS; row++) {
    let left = random.uniform() * whole
    item[row] = skew.findIndex((share) => (left -= share) < 0)
    reward[row] = random.uniform() < rates[item[row]!]! ? 1 : 0
    rows[item[row]!]!++
    clicks[item[row]!]! += reward[row]!
  }
  const log = exampleFitLog({
    user: Uint32Array.from({ length: ROWS }, (_, row) => Math.floor(row / 4)),
    users: ROWS / 4,
    item,
    items: ITEMS,
    reward,
    propensity: Float64Array.from(item, (shown) => skew[shown]! / whole),
  })
  return {
    log,
    rates,
    rows,
    means: clicks.map((count, k) => count / rows[k]!),
    ips: clicks.map((count, k) => count / skew[k]!),
  }
}

const best = (scores: readonly number[], count: number): Set<number> =>
  new Set([...scores.keys()].toSorted((a, b) => scores[b]! - scores[a]!).slice(0, count))

const targetOf = ({ item }: Log, picked: Set<number>, rest = 0): Float64Array =>
  Float64Array.from(item, (shown) => (picked.has(shown) ? 1 / picked.size : rest))

/** What speaks against a policy that picks items and shows each of the others with the probability `rest`. */
function complaintsOf(log: Log, picked: Set<number>, rest = 0): readonly string[] {
  const weights = targetOf(log, picked, rest).map((p, row) => p / log.propensity![row]!)
  const { partings } = logFitter({ ...log, propensity: log.propensity! })(weights, false).items
  return pickedFromLog('mine', partings).map(({ code }) => code)
}

describe('a policy that only picks items', () => {
  it('is not trusted where it picked those that earn the most in the log, by their means or by IPS', async () => {
    const { log, means, ips } = drawn(1, 0.1)
    const target = { kind: 'column', name: 'mine' } as const
    const picking = { ...log, target: targetOf(log, best(means, 30)) }
    const [reason] = (await evaluate(picking, { target, estimators: ['snips'] })).evaluation.verdict.reasons
    expect(reason!.code).toBe('fitted-to-log')
    expect(reason!.message).toMatch(
      /^column:mine shows the items that earned the most in this log, with 0 exceptions where chance alone would make about \d+: /,
    )
    expect(complaintsOf(log, best(ips, 40))).toEqual(['fitted-to-log'])
    // Some exploration is left.
    expect(complaintsOf(log, best(means, 30), 0.0005)).toEqual(['fitted-to-log'])
  })

  it('may pick by the true click rates, the clicks of another log, how often items are shown, or anything else', () => {
    for (let seed = 2; seed < 22; seed++) {
      const { log, rates, rows } = drawn(seed, [0, 0.1, 0.3][seed % 3]!)
      const other = drawn(seed + 100, 0.3)
      for (const scores of [rates, other.means, other.ips, rows, other.rates])
        expect(complaintsOf(log, best(scores, 10 + 2 * seed))).toEqual([])
    }
  })

  it('may pick all items that are clearly better than the others', () => {
    for (let seed = 22; seed < 28; seed++) {
      const { log } = drawn(seed, 0)
      const good = new Set(Array.from({ length: 40 }, (_, item) => item))
      const reward = log.reward.map((r, row) => (good.has(log.item[row]!) ? 1 - r : r))
      expect(complaintsOf({ ...log, reward }, good)).toEqual([])
    }
  })
})

describe('how sharply items are parted', () => {
  const item = Uint32Array.from({ length: 20 }, (_, row) => Math.floor(row / 5))
  const reward = Float64Array.from({ length: 20 }, (_, row) => (row % 5 <= Math.floor(row / 5) ? 1 : 0))
  const propensity = Float64Array.from(item, (shown) => (shown < 3 ? 0.25 : 0.5))
  const byItem = groupedRows(groupRows(item, 4), reward)

  it('is counted from a line half way between both sides, each mean as far from it as its noise may lead', () => {
    // Means of five rows: 1/5 and 2/5 left out, 3/5 and 4/5 shown; IPS gives 8 for the last as for the second.
    const [mean, ips, snips] = partingsOf(byItem, propensity, (k) => item[byItem.rows[k]!]! >= 2)
    const error = (rate: number): number => Math.sqrt((rate * (1 - rate) * 5) / 4 / 5)
    const close = (value: number): unknown => expect.closeTo(value, 12)
    // Both sides are as alike as noise makes them, so that true means would be 0.3 and 0.7.
    const asSeen = 2 * normalTail(0.1 / error(0.4)) + 2 * normalTail(0.3 / error(0.2))
    const apart = 2 * normalTail(0.2 / error(0.4)) + 2 * normalTail(0.2 / error(0.2))
    expect(mean).toEqual({ crossed: 0, asSeen: close(asSeen), apart: close(apart) })
    expect(snips).toEqual(mean)
    expect(ips!.crossed).toBe(1)
  })

  it('is not asked of a side with a single item, nor where the items shown earn less', () => {
    expect(partingsOf(byItem, propensity, (k) => item[byItem.rows[k]!]! === 3)).toEqual([])
    expect(partingsOf(byItem, propensity, (k) => item[byItem.rows[k]!]! < 2)).toEqual([])
  })

  it('is asked of targets that show some items alike and no others', () => {
    const fitFor = (probability: (item: number) => number) =>
      itemFitOf(
        byItem,
        rowsShown(propensity)(Float64Array.from(item, (shown, row) => probability(shown) / propensity[row]!)),
      )
    expect(fitFor((shown) => (shown < 2 ? 0 : 0.5)).partings).toHaveLength(3)
    expect(fitFor((shown) => shown / 6).partings).toEqual([])
    expect(fitFor(() => 0.25).partings).toEqual([])
  })

  const side = (x: readonly number[], noise: number): SideSums => ({
    items: x.length,
    x: x.reduce((sum, one) => sum + one, 0),
    xx: x.reduce((sum, one) => sum + one * one, 0),
    noise: noise * x.length,
    least: Math.min(...x),
    most: Math.max(...x),
  })

  it('takes the spread of a side for chance as far as noise explains it', () => {
    const cuts = cutsOf(side([5, 7, 9], 1), side([0, 2], 5))
    expect(cuts).toMatchObject({
      shown: { mean: 7, spread: 3 },
      others: { mean: 1, spread: 0 },
      middle: 3.5,
    })
    expect(cuts!.between).toEqual([1.75, 2.5, 3.25, 4, 4.75, 5.5, 6.25])
  })

  it('weighs the less telling of both guesses at the truth, by e^(K − Λ) (Λ/K)^K for K of Λ expected', () => {
    const parting = (crossed: number, asSeen: number, apart: number): Parting => ({ crossed, asSeen, apart })
    expect(chanceOf(parting(0, 9, 6))).toBe(-6)
    expect(chanceOf(parting(2, 5, 9))).toBeCloseTo(2 - 5 + 2 * Math.log(5 / 2), 12)
    expect(chanceOf(parting(4, 3, 20))).toBe(0)
    expect(pickedFromLog('mine', [parting(0, 6, 5.2)])).toEqual([])
    expect(pickedFromLog('mine', [parting(0, 3, 3), parting(0, 6, 5.4)])).toMatchObject([{ value: 5.4 }])
  })
})
