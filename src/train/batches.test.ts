import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLinked, neighboursOf } from '../graph/graph.js'
import type { Batch } from '../kernels/kernel.js'
import { type BatchPlan, batchesPerEpoch, drawBatches } from './batches.js'
import { logOf, planOf, type Row } from './example-split.js'
import { itemsPerSample } from './objective-of.js'
import type { Negatives, TrainSettings } from './settings.js'

/** The batches of an epoch, copied: their arrays are used again. */
function copies(plan: BatchPlan, epoch = 1): Batch[] {
  const batchAt = drawBatches(plan)(epoch)
  return Array.from({ length: batchesPerEpoch(plan) }, (_, k) => copyOf(batchAt(k)))
}

const copyOf = ({ users, items, weights, oppositeWeights, corrections }: Batch): Batch => ({
  users: users.slice(),
  items: items.slice(),
  weights: weights.slice(),
  ...(oppositeWeights && { oppositeWeights: oppositeWeights.slice() }),
  ...(corrections && { corrections: corrections.slice() }),
})

/** The samples of an epoch, one after the other. */
function samplesOf(plan: BatchPlan, epoch = 1) {
  const each = itemsPerSample(plan.settings, plan.graph.items)
  return copies(plan, epoch).flatMap(({ users, items, weights, oppositeWeights, corrections }) =>
    Array.from(users, (user, k) => ({
      user,
      items: Array.from(items.subarray(k * each, (k + 1) * each)),
      weight: weights[k]!,
      opposite: oppositeWeights?.[k],
      corrections: corrections && Array.from(corrections.subarray(k * each, (k + 1) * each)),
    })),
  )
}

// Four users, eleven items; the clicks of a user are no two of the same item, so that events can be told apart.
const clicks: Row[] = [0, 1, 2, 3].flatMap((user) =>
  Array.from({ length: 3 + user }, (_, k): Row => [user, (user + 2 * k) % 11, 1, 0.1 + 0.02 * k]),
)
const clickLog = logOf(clicks, { items: 11 })
const nameOf = ({ user, items }: { user: number; items: number[] }): string => `${user} ${items[0]}`
const names = clicks.map(([user, item]) => `${user} ${item}`)

describe('an epoch', () => {
  const shape = fc.record({
    batch: fc.integer({ min: 1, max: 25 }),
    epoch: fc.integer({ min: 1, max: 1000 }),
    seed: fc.nat(),
    loss: fc.constantFrom<TrainSettings['loss']>('bpr', 'softmax', 'ubpr'),
  })

  it('has every event exactly once, in batches that are full but for the last', () => {
    fc.assert(
      fc.property(shape, ({ epoch, ...settings }) => {
        const plan = planOf(clickLog, { ...settings, drawn: 3 })
        expect(samplesOf(plan, epoch).map(nameOf).toSorted()).toEqual(names.toSorted())
        const sizes = copies(plan, epoch).map(({ users }) => users.length)
        expect(sizes.slice(0, -1).every((size) => size === settings.batch)).toBe(true)
        expect(sizes.at(-1)).toBe(names.length % settings.batch || settings.batch)
        expect(sizes).toHaveLength(batchesPerEpoch(plan))
      }),
    )
  })

  it('puts a click and the item drawn beside it into the same batch', () => {
    for (const [batch, size] of [
      [1, 2],
      [2, 2],
      [5, 4],
      [8, 8],
    ] as const) {
      const plan = planOf(clickLog, { loss: 'bce', batch })
      const batches = copies(plan)
      expect(batches[0]!.users).toHaveLength(size)
      expect(batches).toHaveLength(batchesPerEpoch(plan))
      for (const { users, weights, oppositeWeights } of batches)
        for (let k = 0; k < users.length; k += 2) {
          expect(users[k]).toBe(users[k + 1])
          expect([weights[k], oppositeWeights![k]]).toEqual([1, 0])
          expect([weights[k + 1], oppositeWeights![k + 1]]).toEqual([0, 1])
        }
      const clicked = samplesOf(plan).filter(({ weight }) => weight > 0)
      expect(clicked.map(nameOf).toSorted()).toEqual(names.toSorted())
    }
  })

  it('comes in an order of its own, all orders equally likely', () => {
    const plan = planOf(
      logOf(
        [0, 1, 2, 3].map((item): Row => [0, item, 1]),
        { items: 6 },
      ),
      {},
    )
    const orders = new Map<string, number>()
    for (let epoch = 1; epoch <= 4800; epoch++) {
      const order = samplesOf(plan, epoch)
        .map(({ items }) => items[0])
        .join('')
      orders.set(order, (orders.get(order) ?? 0) + 1)
    }
    expect(orders.size).toBe(24)
    const distance = [...orders.values()].reduce((sum, count) => sum + (count - 200) ** 2 / 200, 0)
    expect(distance).toBeLessThan(23 + 5 * Math.sqrt(2 * 23))
  })

  it('depends on seed and epoch, not on the size of its batches', () => {
    const samples = samplesOf(planOf(clickLog, { batch: 4 }), 3)
    expect(samplesOf(planOf(clickLog, { batch: 7 }), 3)).toEqual(samples)
    expect(samplesOf(planOf(clickLog, { batch: 4 }), 4)).not.toEqual(samples)
    expect(samplesOf(planOf(clickLog, { batch: 4, seed: 1 }), 3)).not.toEqual(samples)
  })

  it.each<Partial<TrainSettings>>([
    {},
    { loss: 'softmax', drawn: 5, negatives: { kind: 'popularity', power: 0.5 } },
    { loss: 'sn-bpr', ips: 'resample' },
    { sampleBy: 'user' },
    { loss: 'relmf' },
  ])('gives any of its batches without those before it: %j', (settings) => {
    const plan = planOf(clickLog, { ...settings, batch: 4 })
    const inOrder = copies(plan, 2)
    const epochOf = drawBatches(plan)
    epochOf(1)
    const batchAt = epochOf(2)
    for (const k of Array.from(inOrder.keys()).toReversed()) expect(copyOf(batchAt(k))).toEqual(inOrder[k])
  })

  it('has not changed', () => {
    const frozen = samplesOf(planOf(clickLog, { batch: 4, seed: 42 }), 2).map(({ user, items }) =>
      [user, ...items].join(' '),
    )
    expect(frozen).toMatchInlineSnapshot(`
      [
        "3 2 8",
        "0 4 8",
        "1 7 9",
        "3 3 8",
        "3 5 6",
        "0 0 10",
        "2 6 9",
        "3 7 1",
        "0 2 1",
        "2 8 1",
        "1 1 2",
        "3 9 8",
        "2 10 0",
        "3 0 4",
        "1 3 6",
        "2 2 7",
        "2 4 9",
        "1 5 10",
      ]
    `)
    const softmax = samplesOf(planOf(clickLog, { loss: 'softmax', drawn: 5, seed: 42 }), 1)
    expect(softmax.slice(0, 3).map(({ user, items }) => [user, ...items].join(' '))).toMatchInlineSnapshot(`
      [
        "2 10 1 7 9 9 9",
        "2 8 9 5 9 0 9",
        "2 6 1 9 7 7 0",
      ]
    `)
  })
})

describe('pairs', () => {
  it('hold an item that was not clicked, and the weight of the click', () => {
    const weights = clicks.map((_, k) => 0.5 + k / 8)
    const plan = planOf(clickLog, { loss: 'ips-bpr' }, weights)
    for (const sample of samplesOf(plan)) {
      expect(isLinked(plan.graph.byUser, sample.user, sample.items[1]!)).toBe(false)
      expect(sample.weight).toBe(Math.fround(weights[names.indexOf(nameOf(sample))]!))
    }
  })

  it('of ubpr are drawn from all items and count for nothing where the drawn item was clicked', () => {
    const plan = planOf(
      clickLog,
      { loss: 'ubpr' },
      clicks.map(() => 1.5),
    )
    const samples = Array.from({ length: 50 }, (_, epoch) => samplesOf(plan, epoch)).flat()
    const isVoid = ({ user, items }: { user: number; items: number[] }) =>
      isLinked(plan.graph.byUser, user, items[1]!)
    for (const sample of samples) expect(sample.weight).toBe(isVoid(sample) ? 0 : 1.5)
    // Clicks of a user, of eleven items, averaged over the events: (3² + 4² + 5² + 6²)/18/11.
    const share = samples.filter(isVoid).length / samples.length
    expect(share).toBeGreaterThan(0.434 - 0.08)
    expect(share).toBeLessThan(0.434 + 0.08)
  })

  it('of sn-bpr have weights of mean 1 in every batch', () => {
    const plan = planOf(
      clickLog,
      { loss: 'sn-bpr', batch: 5 },
      clicks.map((_, k) => 1 + k * k),
    )
    for (const { weights } of copies(plan))
      expect(Array.from(weights).reduce((a, b) => a + b) / weights.length).toBeCloseTo(1, 6)
  })
})

describe('events that are drawn', () => {
  const weights = clicks.map((_, k) => (k % 4) / 1.5)
  // The k-th user has 3 + k clicks.
  const ofUser = clicks.map(([user]) => 1 / (3 + user))

  it.each<[string, Partial<TrainSettings>, number[]]>([
    ['their weights where those are resampled', { ips: 'resample' }, weights],
    ['one over the events of their user where users are alike', { sampleBy: 'user' }, ofUser],
    ['both', { ips: 'resample', sampleBy: 'user' }, weights.map((weight, k) => weight * ofUser[k]!)],
  ])('come in proportion to %s', (_, settings, shares) => {
    const plan = planOf(clickLog, { loss: 'ips-bpr', ...settings }, weights)
    const samples = Array.from({ length: 400 }, (_, epoch) => samplesOf(plan, epoch)).flat()
    expect(samples).toHaveLength(400 * clicks.length)
    const counts = names.map(() => 0)
    for (const sample of samples) {
      const event = names.indexOf(nameOf(sample))
      counts[event]!++
      // Weights that events are drawn by are not counted again.
      expect(sample.weight).toBe(settings.ips === 'resample' ? 1 : Math.fround(weights[event]!))
    }
    const total = shares.reduce((a, b) => a + b)
    let distance = 0
    shares.forEach((share, k) => {
      const expected = (share / total) * samples.length
      if (share === 0) expect(counts[k]).toBe(0)
      else distance += (counts[k]! - expected) ** 2 / expected
    })
    const degrees = shares.filter((share) => share > 0).length - 1
    expect(distance).toBeLessThan(degrees + 5 * Math.sqrt(2 * degrees))
  })
})

describe('points', () => {
  it('are the impressions where some earned nothing, with the weight on the side they tell for', () => {
    const log = logOf([
      [0, 0, 1],
      [0, 1, 0],
      [1, 1, -2],
      [1, 0, 3],
    ])
    const samples = samplesOf(planOf(log, { loss: 'ips-bce' }, [1, 2, 3, 4]))
    const told = samples.map(({ user, items, weight, opposite }) => [user, items[0], weight, opposite])
    expect(told.toSorted()).toEqual([
      [0, 0, 1, 0],
      [0, 1, 0, 2],
      [1, 0, 4, 0],
      [1, 1, 0, 3],
    ])
  })

  it('of relmf take 1/θ for clicked and 1 − 1/θ for not, beside an item that was not clicked', () => {
    const inverse = clicks.map((_, k) => 1 + k)
    const plan = planOf(clickLog, { loss: 'relmf', batch: 6 }, inverse)
    const samples = samplesOf(plan)
    for (let k = 0; k < samples.length; k += 2) {
      const [click, drawn] = [samples[k]!, samples[k + 1]!]
      const weight = inverse[names.indexOf(nameOf(click))]!
      expect([click.weight, click.opposite]).toEqual([weight, 1 - weight])
      expect([drawn.weight, drawn.opposite]).toEqual([0, 1])
      expect(isLinked(plan.graph.byUser, drawn.user, drawn.items[0]!)).toBe(false)
    }
  })

  it('of a click that stands for several impressions count as often, and so does the item beside it', () => {
    const plan = { ...planOf(clickLog, { loss: 'relmf' }, Array(clicks.length).fill(6)) }
    const thinned = { ...plan, counts: new Float64Array(clicks.length).fill(2) }
    const [click, drawn] = samplesOf(thinned)
    // Two impressions with 1/θ = 3 each.
    expect([click!.weight, click!.opposite]).toEqual([6, -4])
    expect([drawn!.weight, drawn!.opposite]).toEqual([0, 2])
  })

  it('of sn-bce share out a weight of 1 each in every batch', () => {
    const log = logOf([...clicks, [0, 9, 0, 0.1], [1, 8, 0, 0.1]], { items: 11 })
    const plan = planOf(
      log,
      { loss: 'sn-bce', batch: 6 },
      Array.from({ length: 20 }, (_, k) => k + 1),
    )
    for (const { users, weights, oppositeWeights } of copies(plan)) {
      const sum = (numbers: ArrayLike<number>) => Array.from(numbers).reduce((a, b) => a + b, 0)
      expect((sum(weights) + sum(oppositeWeights!)) / users.length).toBeCloseTo(1, 6)
    }
  })
})

describe('softmax samples', () => {
  const scores = (item: number): number => Math.sin(item) * 1.5

  it.each<[Negatives, string]>([
    [{ kind: 'unclicked' }, 'the clicked item and all that were not clicked'],
    [{ kind: 'popularity', power: 0.75 }, 'the clicked item and all that were not clicked'],
    [{ kind: 'all' }, 'all items'],
  ])('drawn by %j have a denominator that is on average that of %s', (negatives) => {
    const plan = planOf(clickLog, { loss: 'softmax', drawn: 4, negatives })
    const sums = new Map<string, { count: number; sum: number; squares: number; exact: number }>()
    for (let epoch = 0; epoch < 800; epoch++)
      for (const sample of samplesOf(plan, epoch)) {
        const [clicked] = sample.items
        const estimate = sample.items.reduce(
          (sum, item, k) => sum + Math.exp(scores(item) - sample.corrections![k]!),
          0,
        )
        const own = new Set(neighboursOf(plan.graph.byUser, sample.user))
        const counted = Array.from({ length: 11 }, (_, item) => item).filter(
          (item) => negatives.kind === 'all' || item === clicked || !own.has(item),
        )
        const exact = counted.reduce((sum, item) => sum + Math.exp(scores(item)), 0)
        const seen = sums.get(nameOf(sample)) ?? { count: 0, sum: 0, squares: 0, exact }
        sums.set(nameOf(sample), {
          count: seen.count + 1,
          exact,
          sum: seen.sum + estimate,
          squares: seen.squares + estimate * estimate,
        })
      }
    expect(sums.size).toBe(clicks.length)
    for (const { count, sum, squares, exact } of sums.values()) {
      const mean = sum / count
      const error = Math.sqrt((squares / count - mean * mean) / count)
      expect(Math.abs(mean - exact)).toBeLessThan(4.5 * error + 1e-6 * exact)
      expect(error / exact).toBeLessThan(0.03)
    }
  })
})
