import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { randomStream } from '../../random/stream.js'
import { evaluate } from '../evaluate.js'
import type { Evaluation } from '../evaluation.js'
import { allPages, drawPage, type Filling, type LoggedPage, logOf } from './example-pages.js'
import { clicksTogetherOf, keepApart } from './slate-kind.js'
import type { SlatePropensities } from './slate-term.js'
import { slatesOf } from './slates.js'

const LOGGED = [4, 3, 2, 2, 1, 1]
const WANTED = [1, 1, 2, 2, 3, 4]
const APPEAL = [0.05, 0.1, 0.15, 0.2, 0.3, 0.45]
const SLOTS = 3

/** What users do: click every item by itself, or stop at the first click. */
type Users = 'click each' | 'stop at the first click'

interface Drawn {
  readonly kind: SlatePropensities
  readonly users: Users
  readonly filling?: Filling
  readonly pages?: number
}

/** Pages with the probabilities of both policies, of one kind; the target's are in a column. */
function drawn({ kind, users, filling = 'without repetition', pages = 4000 }: Drawn): Log {
  const random = randomStream(3, 'pages')
  const [ofLogger, ofTarget] = [LOGGED, WANTED].map((strength) => {
    const all = allPages(strength, SLOTS, filling)
    return new Map(all.map((page) => [page.items.join(), page[kind]]))
  })
  const target: number[] = []
  const logged = Array.from({ length: pages }, (_, page): LoggedPage => {
    const { items } = drawPage(LOGGED, SLOTS, random, filling)
    target.push(...ofTarget!.get(items.join())!)
    let isReading = true
    const reward = items.map((item) => {
      const clicks = isReading && random.uniform() < APPEAL[item]!
      if (clicks && users === 'stop at the first click') isReading = false
      return clicks ? 1 : 0
    })
    return { items, propensity: ofLogger!.get(items.join())!, reward, user: Math.floor(page / 4) }
  })
  const { weight: _, ...log } = logOf(logged, LOGGED.length)
  return { ...log, target: Float64Array.from(target) }
}

const evaluation = async (log: Log, estimators?: readonly string[]): Promise<Evaluation> =>
  (
    await evaluate(log, {
      target: { kind: 'column', name: 'wanted' },
      said: { policyMade: 'elsewhere' },
      ...(estimators && { estimators }),
    })
  ).evaluation

const codesOf = ({ estimates }: Evaluation, name: string): string[] =>
  estimates.find(({ estimator }) => estimator === name)!.verdict.reasons.map(({ code }) => code)

describe('in a log of pages whose propensities depend on the items above', () => {
  it('single rows are not trusted, and whole pages answer without being asked for', async () => {
    const found = await evaluation(drawn({ kind: 'conditional', users: 'click each' }))
    expect(codesOf(found, 'snips')).toContain('rows-of-pages')
    expect(codesOf(found, 'ips')).toContain('rows-of-pages')
    expect(found).toMatchObject({ answer: 'snrips', verdict: { level: 'trust', reasons: [] } })
  })

  it('SNIPS answers with caution where it alone was asked for', async () => {
    const found = await evaluation(drawn({ kind: 'conditional', users: 'click each' }), ['snips'])
    expect(found).toMatchObject({ answer: 'snips', verdict: { level: 'caution' } })
  })

  it('single rows miss the truth that whole pages find', async () => {
    const found = await evaluation(drawn({ kind: 'conditional', users: 'stop at the first click' }))
    // From the top until the first click, over every page that the target may fill.
    const truth = allPages(WANTED, SLOTS, 'without repetition').reduce(
      (sum, { items, chance }) => sum + chance * (1 - items.reduce((left, a) => left * (1 - APPEAL[a]!), 1)),
      0,
    )
    const of = (name: string): Evaluation['estimates'][number] =>
      found.estimates.find(({ estimator }) => estimator === name)!
    const [low, high] = of('snrips').interval!
    expect(low).toBeLessThan(truth)
    expect(high).toBeGreaterThan(truth)
    expect(SLOTS * of('snips').interval![0]).toBeGreaterThan(truth)
  })
})

describe('where propensities are whatever stands above', () => {
  it('single rows are trusted while slots do not matter to each other', async () => {
    const found = await evaluation(drawn({ kind: 'marginal', users: 'click each' }))
    expect(found).toMatchObject({ answer: 'snips', verdict: { level: 'trust' } })
  })

  it('nothing that takes slots one by one is trusted where a click keeps others away', async () => {
    const log = drawn({ kind: 'marginal', users: 'stop at the first click' })
    const found = await evaluation(log, ['snips', 'iips'])
    expect(codesOf(found, 'snips')).toEqual(['slots-interact'])
    expect(codesOf(found, 'iips')).toEqual(['slots-interact'])
  })

  it('PI is trusted only on pages that may repeat an item', async () => {
    const once = await evaluation(drawn({ kind: 'marginal', users: 'click each' }), ['pi'])
    expect(codesOf(once, 'pi')).toContain('dependent-slots')
    const apart = drawn({ kind: 'marginal', users: 'click each', filling: 'each slot by itself' })
    expect((await evaluation(apart, ['pi'])).verdict.level).toBe('trust')
  })
})

describe('clicks that share a page', () => {
  it('are counted in pairs, beside what positions alone would give', () => {
    const page = (reward: number[]): LoggedPage => ({
      items: [0, 1, 2],
      propensity: [0.5, 0.5, 0.5],
      reward,
      user: 0,
    })
    const log = logOf([page([1, 1, 1]), page([1, 0, 0]), page([0, 2.5, 0]), page([0, 0, 0])], 3)
    // Positions earn in 2, 2 and 1 of 4 pages: (2·2 + 2·1 + 2·1)/16 pairs per page.
    expect(clicksTogetherOf(log, slatesOf(log))).toEqual({ pairs: 3, expected: (4 * 8) / 16 })
  })

  it('tell nothing where few are expected, or more are seen', () => {
    expect(keepApart({ pairs: 0, expected: 19 })).toBe(false)
    expect(keepApart({ pairs: 0, expected: 21 })).toBe(true)
    expect(keepApart({ pairs: 900, expected: 1000 })).toBe(false)
    expect(keepApart({ pairs: 2000, expected: 1000 })).toBe(false)
  })
})
