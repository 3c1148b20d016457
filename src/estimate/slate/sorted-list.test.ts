import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { ruledPolicy } from '../../policy/ruled-policy.js'
import { parseScoreRule } from '../../policy/score-rule.js'
import { randomStream } from '../../random/stream.js'
import { termsOf, valueOf } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import { evaluate } from '../evaluate.js'
import type { CrossFitted } from '../reward/reward-model.js'
import { predictionsOfShown, type Target } from '../target.js'
import { allPages, drawPage, expectedLog, type Filling, logOf } from './example-pages.js'
import { close } from './example-slates.js'
import type { SlatePropensities } from './slate-term.js'
import { slateMoments } from './slate-moments.js'
import { slateRows } from './slate-weights.js'

const LOGGING = [0.4, 0.3, 0.2, 0.1]
const APPEAL = [0.1, 0.2, 0.35, 0.6]
const SLOTS = 3

/** The reward of each slot: of its own item, or of a reader from the top who stops at a click. */
const REWARDS = {
  own: (items: readonly number[]): number[] => items.map((a, k) => APPEAL[a]! / (k + 1)),
  cascade: (items: readonly number[]): number[] => {
    let reaches = 1
    return items.map((a) => {
      const clicks = reaches * APPEAL[a]!
      reaches -= clicks
      return clicks
    })
  },
}
const total = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0)

/** What a page earns on average where the best items stand first, in their order, ties by chance. */
function truthOfList(scores: readonly number[], rewards: keyof typeof REWARDS): number {
  const lists = orders([0, 1, 2, 3]).filter((order) =>
    order.every((item, k) => k === 0 || scores[order[k - 1]!]! >= scores[item]!),
  )
  return total(lists.map((order) => total(REWARDS[rewards](order.slice(0, SLOTS))))) / lists.length
}

const orders = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first) => orders(items.filter((item) => item !== first)).map((rest) => [first, ...rest]))

const models = (log: Log): CrossFitted => ({
  modelFor: () => ({ dependsOn: 'row', predict: (row, item) => 0.3 * item - 0.1 * log.position![row]! }),
})

interface Case {
  filling: Filling
  rewards: keyof typeof REWARDS
  propensities: SlatePropensities
  estimators: string[]
}
const ABOVE = ['rips', 'snrips', 'cascade-dr']
const CASES: Case[] = [
  {
    filling: 'without repetition',
    rewards: 'cascade',
    propensities: 'conditional',
    estimators: ABOVE,
  },
  { filling: 'without repetition', rewards: 'own', propensities: 'conditional', estimators: ABOVE },
  { filling: 'without repetition', rewards: 'own', propensities: 'marginal', estimators: ['iips'] },
  {
    filling: 'each slot by itself',
    rewards: 'cascade',
    propensities: 'conditional',
    estimators: ABOVE,
  },
  { filling: 'each slot by itself', rewards: 'own', propensities: 'marginal', estimators: ['iips'] },
]

const scored = (scores: readonly number[], typed: string): Target => ({
  kind: 'policy',
  policy: ruledPolicy('scores', scores, parseScoreRule(typed)),
})

describe.each([
  { named: 'sorted by score', scores: [1, 4, 3, 2] },
  { named: 'sorted by score, with ties', scores: [1, 4, 4, 1] },
])('a list $named', ({ scores }) => {
  it.each(CASES)(
    'is worth what its pages earn, by $estimators of $propensities propensities of pages drawn $filling, $rewards rewards',
    ({ filling, rewards, propensities, estimators }) => {
      const log = expectedLog(allPages(LOGGING, SLOTS, filling), propensities, REWARDS[rewards], 4)
      const fitted = { models: models(log), prediction: predictionsOfShown(log, models(log)) }
      const rows = slateRows(log, scored(scores, 'best'), propensities, fitted)
      for (const name of estimators) {
        const estimator = estimatorNamed(name)
        const moments = slateMoments(rows, termsOf([estimator]), 'row')
        close(valueOf(estimator, moments), truthOfList(scores, rewards), 1e-12)
      }
    },
  )
})

describe('a list with exploration', () => {
  it('is worth what it earns with each of its pages, to the last digit', () => {
    const [scores, epsilon] = [[1, 4, 3, 2], 0.3]
    // Slot by slot: the best item left with probability 0.7, else any item left.
    let pages: { items: number[]; chance: number }[] = [{ items: [], chance: 1 }]
    for (let k = 0; k < SLOTS; k++)
      pages = pages.flatMap(({ items, chance }) => {
        const left = [0, 1, 2, 3].filter((item) => !items.includes(item))
        const best = left.toSorted((a, b) => scores[b]! - scores[a]!)[0]
        return left.map((item) => ({
          items: [...items, item],
          chance: chance * (epsilon / left.length + (item === best ? 1 - epsilon : 0)),
        }))
      })
    const truth = total(pages.map(({ items, chance }) => chance * total(REWARDS.cascade(items))))
    const log = expectedLog(allPages(LOGGING, SLOTS, 'without repetition'), 'conditional', REWARDS.cascade, 4)
    const fitted = { models: models(log), prediction: predictionsOfShown(log, models(log)) }
    const rows = slateRows(log, scored(scores, `epsilon=${epsilon}`), 'conditional', fitted)
    for (const name of ABOVE) {
      const estimator = estimatorNamed(name)
      close(valueOf(estimator, slateMoments(rows, termsOf([estimator]), 'row')), truth, 1e-12)
    }
  })
})

describe('sort by score on a log of pages', () => {
  const random = randomStream(3, 'pages')
  const drawn = (filling: Filling): Log =>
    logOf(
      Array.from({ length: 6000 }, () => {
        const { items, conditional } = drawPage(LOGGING, SLOTS, random, filling)
        const reward = REWARDS.own(items).map((mean) => (random.uniform() < mean ? 1 : 0))
        return { items, propensity: conditional, reward }
      }),
      4,
    )

  it.each<Filling>(['without repetition', 'each slot by itself'])(
    'is answered by whole pages, whose interval holds the truth: drawn %s',
    async (filling) => {
      const target = scored([1, 4, 3, 2], 'best')
      const { evaluation } = await evaluate(drawn(filling), { target })
      expect(evaluation.answer).toBe('snrips')
      const { value, interval, unit } = evaluation.estimates.find(({ estimator }) => estimator === 'snrips')!
      const truth = truthOfList([1, 4, 3, 2], 'own')
      expect(unit).toBe('page')
      expect(interval![0]).toBeLessThan(truth)
      expect(interval![1]).toBeGreaterThan(truth)
      expect(Math.abs(value! / truth - 1)).toBeLessThan(0.2)
      const rows = evaluation.estimates.find(({ estimator }) => estimator === 'snips')!
      expect(rows.verdict.reasons.map(({ code }) => code)).toContain('rows-of-pages')
    },
  )

  it('does not change where all scores are multiplied by ten, as that of softmax does', async () => {
    const log = drawn('without repetition')
    const valueBy = async (scale: number, rule: string): Promise<number> => {
      const target = scored(
        [1, 4, 3, 2].map((score) => scale * score),
        rule,
      )
      const { evaluation } = await evaluate(log, { target, estimators: ['snrips'], checks: false })
      return evaluation.estimates[0]!.value!
    }
    for (const rule of ['best', 'top=3', 'epsilon=0.2', 'rank'])
      expect(await valueBy(10, rule)).toBe(await valueBy(1, rule))
    expect(await valueBy(10, 'softmax=1')).not.toBeCloseTo(await valueBy(1, 'softmax=1'), 2)
  })

  it('is refused where it runs out of items', async () => {
    const log = drawn('without repetition')
    const target = scored([1, 4, -Infinity, -Infinity], 'best')
    await expect(evaluate(log, { target, estimators: ['snrips'] })).rejects.toThrow(
      'shows too few items to fill slot 3 of a page',
    )
  })
})
