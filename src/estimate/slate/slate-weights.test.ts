import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { plackettLucePolicy } from '../../policy/plackett-luce.js'
import { fixedPolicy } from '../../policy/probabilities.js'
import { log } from '../../portable-math.js'
import { randomStream } from '../../random/stream.js'
import { termsOf, valueOf } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import type { CrossFitted } from '../reward/reward-model.js'
import { predictionsOfShown, type Target } from '../target.js'
import { allPages, expectedLog, type Filling, logOf } from './example-pages.js'
import { close, slateValues } from './example-slates.js'
import { wholePage } from './page-estimators.js'
import { slateMoments } from './slate-moments.js'
import type { SlatePropensities } from './slate-term.js'
import { slateRows, slateWeights, slotMarginals } from './slate-weights.js'

const LOGGING = [0.4, 0.3, 0.2, 0.1]
const SKEWED = [0.05, 0.15, 0.3, 0.5]
const APPEAL = [0.1, 0.2, 0.35, 0.6]
const SLOTS = 3

/** Expected rewards by slot: of a slot's own item, of a reader from the top who stops at a click, of the whole page. */
const REWARDS: Record<string, (items: readonly number[]) => number[]> = {
  own: (items) => items.map((a, k) => APPEAL[a]! / (k + 1)),
  cascade: (items) => {
    let reaches = 1
    return items.map((a) => {
      const clicks = reaches * APPEAL[a]!
      reaches -= clicks
      return clicks
    })
  },
  page: (items) =>
    items.map((_, k) => (k > 0 ? 0 : items.reduce((sum, a, j) => sum + APPEAL[a]! / (j + 1), 0))),
}

/** A model that is wrong in every slot. */
const models = (log: Log): CrossFitted => ({
  modelFor: () => ({ dependsOn: 'row', predict: (row, item) => 0.3 * item - 0.1 * log.position![row]! }),
})

const target = (kind: string): { target: Target; strength: number[] } =>
  kind === 'uniform'
    ? { target: { kind: 'uniform' }, strength: [1, 1, 1, 1] }
    : { target: { kind: 'policy', policy: fixedPolicy('skewed', SKEWED) }, strength: SKEWED }

const total = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0)

interface Case {
  filling: Filling
  rewards: string
  propensities: SlatePropensities
  estimators: string[]
}
const CASES: Case[] = [
  {
    filling: 'without repetition',
    rewards: 'cascade',
    propensities: 'conditional',
    estimators: ['rips', 'snrips', 'cascade-dr'],
  },
  {
    filling: 'without repetition',
    rewards: 'own',
    propensities: 'conditional',
    estimators: ['rips', 'snrips', 'cascade-dr'],
  },
  { filling: 'without repetition', rewards: 'own', propensities: 'marginal', estimators: ['iips'] },
  {
    filling: 'each slot by itself',
    rewards: 'cascade',
    propensities: 'conditional',
    estimators: ['rips', 'snrips', 'cascade-dr'],
  },
  { filling: 'each slot by itself', rewards: 'own', propensities: 'marginal', estimators: ['iips', 'pi'] },
  { filling: 'each slot by itself', rewards: 'page', propensities: 'marginal', estimators: ['pi'] },
]

describe.each(['uniform', 'skewed'])('a %s target', (kind) => {
  const { target: asked, strength } = target(kind)

  describe.each(CASES)('pages filled $filling, $rewards rewards, $propensities propensities', (world) => {
    const rewardOf = REWARDS[world.rewards]!
    const log = expectedLog(allPages(LOGGING, SLOTS, world.filling), world.propensities, rewardOf, 4)
    const truth = total(
      allPages(strength, SLOTS, world.filling).map(({ items, chance }) => chance * total(rewardOf(items))),
    )

    it.each(world.estimators)('%s is right over all pages', (name) => {
      const estimator = estimatorNamed(name)
      const own = models(log)
      const fitted = { models: own, prediction: predictionsOfShown(log, own) }
      const rows = slateRows(log, asked, world.propensities, fitted)
      close(valueOf(estimator, slateMoments(rows, termsOf([estimator]), 'row')), truth, 1e-11)
    })
  })

  it('the wrong kind of propensities gives a wrong answer', () => {
    const log = expectedLog(allPages(LOGGING, SLOTS, 'without repetition'), 'marginal', REWARDS.own!, 4)
    const truth = total(
      allPages(strength, SLOTS, 'without repetition').map(
        ({ items, chance }) => chance * total(REWARDS.own!(items)),
      ),
    )
    const rips = estimatorNamed('rips')
    const found = valueOf(rips, slateMoments(slateRows(log, asked, 'conditional'), termsOf([rips]), 'row'))
    expect(Math.abs(found! / truth - 1)).toBeGreaterThan(0.01)
  })
})

describe('weights on a page', () => {
  const page = { items: [2, 0, 1], propensity: [0.5, 0.25, 0.125], reward: [0, 1, 0] }
  const log = logOf([page], 4)

  it('of the uniform target: one of the items that are left, or one of all', () => {
    expect([...slateWeights(log, { kind: 'uniform' }, 'conditional')]).toEqual([
      1 / 4 / 0.5,
      1 / 3 / 0.25,
      1 / 2 / 0.125,
    ])
    expect([...slateWeights(log, { kind: 'uniform' }, 'marginal')]).toEqual([0.5, 1, 2])
  })

  it('are 1 for the logging policy', () => {
    expect([...slateWeights(log, { kind: 'logging' }, 'conditional')]).toEqual([1, 1, 1])
  })

  it('of a column are as it says', () => {
    const given = { ...log, target: Float64Array.of(0.25, 0.5, 0.125) }
    expect([...slateWeights(given, { kind: 'column', name: 'new' }, 'conditional')]).toEqual([0.5, 2, 1])
  })

  it('keep their digits where the target leaves almost nothing to the items below', () => {
    const rest = 1e-14
    const policy = fixedPolicy('near-greedy', [rest / 2, rest / 4, 1 - rest, rest / 4])
    const weights = slateWeights(log, { kind: 'policy', policy }, 'conditional')
    expect(weights[1]! * 0.25).toBeCloseTo(1 / 2, 12)
    expect(weights[2]! * 0.125).toBeCloseTo(1 / 2, 12)
  })

  it('are 0 below an item that the target never shows, and an error where it runs out of items', () => {
    const policy = (strength: number[]): Target => ({ kind: 'policy', policy: fixedPolicy('few', strength) })
    expect([...slateWeights(log, policy([1, 0, 0, 0]), 'conditional')]).toEqual([0, 0, 0])
    expect(() => slateWeights(log, policy([0, 0, 1, 0]), 'conditional')).toThrow(
      'The policy few shows too few items to fill slot 2 of a page.',
    )
  })

  it('of whole pages average 1 over all pages', () => {
    const all = expectedLog(allPages(LOGGING, SLOTS, 'without repetition'), 'conditional', REWARDS.own!, 4)
    const rows = slateRows(all, { kind: 'uniform' }, 'conditional')
    const chance = allPages(LOGGING, SLOTS, 'without repetition').map((page) => page.chance)
    close(total([...slateValues(rows, wholePage.weight)].map((w, s) => w * chance[s]!)), 1, 1e-12)
  })
})

/** The same by recursion over all sets of items that can stand above. */
function byRecursion(probability: Float64Array, positions: number): Float64Array[] {
  const scores = Float64Array.from(probability, (p) => (p > 0 ? log(p) : -Infinity))
  return plackettLucePolicy('reference', scores, { positions }).marginals(0)
}

describe('the probability of an item in a slot', () => {
  it('of two items, by hand', () => {
    const [first, second] = slotMarginals(Float64Array.of(0.9, 0.1), [0, 1], 2)
    expect([...first!]).toEqual([0.9, 0.1])
    expect(second![0]).toBeCloseTo(0.1, 13)
    expect(second![1]).toBeCloseTo(0.9, 13)
  })

  it.each([
    ['even', () => 1],
    ['skewed', (k: number) => 0.5 ** k],
    ['very skewed', (k: number) => 1e-3 ** k],
    ['some never shown', (k: number) => (k % 3 === 2 ? 0 : 1 + k)],
  ])('is that of the recursion over all sets: %s', (_, strength) => {
    const weights = Float64Array.from({ length: 9 }, (_item, k) => strength(k))
    const total = weights.reduce((sum, w) => sum + w, 0)
    const pi = weights.map((w) => w / total)
    const found = slotMarginals(pi, [...pi.keys()], 5)
    byRecursion(pi, 5).forEach((exact, k) =>
      exact.forEach((p, item) => expect(Math.abs(found[k]![item]! - p)).toBeLessThan(1e-12 + 1e-10 * p)),
    )
  })

  it.each([10, 40])('sums to one over the items in each of %s slots, also of five hundred items', (slots) => {
    const random = randomStream(3, 'rates')
    const weights = Float64Array.from({ length: 500 }, () => random.uniform() ** 8)
    const total = weights.reduce((sum, w) => sum + w, 0)
    for (const slot of slotMarginals(
      weights.map((w) => w / total),
      [...weights.keys()],
      slots,
    ))
      expect(slot.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 11)
  })

  it('asks for as many items as there are slots', () => {
    expect(() => slotMarginals(Float64Array.of(1, 0), [0], 2)).toThrow('The target shows 1 items, too few')
  })
})
