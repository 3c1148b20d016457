import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { randomStream } from '../../random/stream.js'
import { ESTIMATORS } from '../estimators/index.js'
import { drawPage, type Filling, logOf } from './example-pages.js'
import type { SlateKind } from './slate-kind.js'
import { settlePropensities, unfitFor } from './slate-propensities.js'
import { slotMarginals } from './slate-weights.js'

const slateKindOf = (log: Log): SlateKind => settlePropensities(log).kind

interface Logger {
  readonly items: number
  readonly slots: number
  readonly pages: number
  /** Each user has tastes of their own. */
  readonly personal: boolean
  readonly pagesPerUser: number
  readonly filling: Filling
  /** 0: all items alike. */
  readonly skew: number
  /** Decimals that propensities are written with. */
  readonly digits?: number
}

type Written = 'conditional' | 'marginal' | 'single draw' | 'on the page'

const USUAL: Logger = {
  items: 30,
  slots: 4,
  pages: 1000,
  personal: false,
  pagesPerUser: 5,
  filling: 'without repetition',
  skew: 1,
}

/** A drawn log whose propensities are of one kind. */
function drawn(written: Written, logger: Logger, seed: number): Log {
  const { items, slots, pages, personal, pagesPerUser, filling, skew, digits } = logger
  const random = randomStream(seed, 'slate kinds')
  let strength: number[] = []
  let marginals: Float64Array[] = []
  const logged = Array.from({ length: pages }, (_, page) => {
    const user = Math.floor(page / pagesPerUser)
    if (page === 0 || (personal && page % pagesPerUser === 0)) {
      const raw = Array.from({ length: items }, () => 4 ** (skew * random.uniform()))
      const total = raw.reduce((sum, s) => sum + s, 0)
      strength = raw.map((s) => s / total)
      // They take time, and are not always written.
      marginals =
        written === 'conditional' || written === 'single draw'
          ? []
          : filling === 'without repetition'
            ? slotMarginals(Float64Array.from(strength), [...strength.keys()], slots)
            : Array.from({ length: slots }, () => Float64Array.from(strength))
    }
    const { items: shown, conditional } = drawPage(strength, slots, random, filling)
    const chance = (item: number, k: number): number =>
      written === 'conditional'
        ? conditional[k]!
        : written === 'marginal'
          ? marginals[k]![item]!
          : written === 'single draw'
            ? strength[item]!
            : marginals.reduce((sum, slot) => sum + slot[item]!, 0)
    const rounded = (p: number): number => (digits === undefined ? p : Number(p.toFixed(digits)))
    const propensity = shown.map((item, k) => rounded(chance(item, k)))
    return { items: shown, propensity, reward: shown.map(() => 0), user }
  })
  return logOf(logged, items)
}

describe('the kind of propensities is seen', () => {
  it.each<[string, Written, Partial<Logger>, string]>([
    ['one policy for all', 'conditional', {}, 'conditional'],
    ['one policy for all', 'marginal', {}, 'marginal'],
    ['one policy for all', 'single draw', {}, 'neither'],
    ['one policy for all', 'on the page', {}, 'neither'],
    ['four decimals', 'conditional', { digits: 4 }, 'conditional'],
    ['four decimals', 'marginal', { digits: 4 }, 'marginal'],
    ['each slot by itself', 'conditional', { filling: 'each slot by itself' }, 'both'],
    ['each slot by itself', 'marginal', { filling: 'each slot by itself' }, 'both'],
    ['uniform pages', 'conditional', { skew: 0 }, 'conditional'],
    ['uniform pages', 'marginal', { skew: 0 }, 'marginal'],
    ['uniform pages', 'single draw', { skew: 0 }, 'marginal'],
    ['uniform pages', 'on the page', { skew: 0 }, 'neither'],
    ['many items', 'conditional', { items: 500 }, 'conditional'],
    ['many items', 'marginal', { items: 500 }, 'marginal'],
    ['tastes of each user', 'conditional', { personal: true, pagesPerUser: 40 }, 'conditional'],
    ['tastes of each user', 'marginal', { personal: true, pagesPerUser: 40 }, 'marginal'],
    ['tastes of each user', 'single draw', { personal: true, pagesPerUser: 40 }, 'neither'],
    [
      'one page for each user, few items',
      'conditional',
      { personal: true, pagesPerUser: 1, items: 8, slots: 3, pages: 600 },
      'conditional',
    ],
    [
      'one page for each user, few items',
      'marginal',
      { personal: true, pagesPerUser: 1, items: 8, slots: 3, pages: 600 },
      'marginal',
    ],
    ['ten slots', 'conditional', { slots: 10 }, 'conditional'],
    ['ten slots', 'marginal', { slots: 10 }, 'marginal'],
    ['pages of one slot', 'conditional', { slots: 1 }, 'both'],
  ])('%s: %s', (_, written, traits, expected) => {
    for (const seed of [1, 2, 3])
      expect(slateKindOf(drawn(written, { ...USUAL, ...traits }, seed)).kind).toBe(expected)
  })

  it('or not: one page for each user of many items', () => {
    const log = drawn(
      'conditional',
      { ...USUAL, personal: true, pagesPerUser: 1, items: 1000, pages: 500 },
      1,
    )
    expect(slateKindOf(log).kind).toBe('unknown')
  })

  it('also in short logs, never wrongly', () => {
    for (const written of ['conditional', 'marginal'] as const)
      for (let seed = 0; seed < 40; seed++)
        for (const personal of [false, true]) {
          const traits = { personal, pages: 60, items: 8, slots: 3, pagesPerUser: 1 + (seed % 3) }
          const { kind } = slateKindOf(drawn(written, { ...USUAL, ...traits }, seed))
          expect([written, 'unknown']).toContain(kind)
        }
  })
})

describe('what is made of it', () => {
  const conditional = drawn('conditional', USUAL, 1)
  const marginal = drawn('marginal', USUAL, 1)

  it('the log decides where nothing is stated, and agreement is no finding', () => {
    expect(settlePropensities(conditional)).toMatchObject({ propensities: 'conditional', isBoth: false })
    expect(settlePropensities(marginal)).toMatchObject({ propensities: 'marginal', isBoth: false })
    expect(settlePropensities(marginal, 'marginal').finding).toBeUndefined()
  })

  it('the wrong kind is refused', () => {
    const { propensities, finding } = settlePropensities(marginal, 'conditional')
    expect(propensities).toBe('conditional')
    expect(finding).toMatchObject({ code: 'slate-propensities', level: 'refuse' })
    expect(finding!.message).toMatch(
      /^The propensities of the pages were said to be conditional \(given the items above\), but look marginal/,
    )
    expect(settlePropensities(drawn('single draw', USUAL, 1)).finding).toMatchObject({ level: 'refuse' })
  })

  it('an unknown kind is a caution, until it is stated', () => {
    const traits = { ...USUAL, personal: true, pagesPerUser: 1, items: 1000, pages: 500 }
    const log = drawn('conditional', traits, 1)
    expect(settlePropensities(log).finding).toMatchObject({ level: 'caution' })
    expect(settlePropensities(log, 'conditional').finding).toBeUndefined()
  })

  it('estimators that need the other kind have no value', () => {
    const unfit = (log: Log): string[] => {
      const settled = settlePropensities(log)
      return ESTIMATORS.all.filter((one) => unfitFor(one, settled) !== undefined).map(({ name }) => name)
    }
    expect(unfit(conditional)).toEqual(['iips', 'pi'])
    expect(unfit(marginal)).toEqual(['rips', 'snrips', 'cascade-dr'])
    expect(unfit(drawn('marginal', { ...USUAL, filling: 'each slot by itself' }, 1))).toEqual([])
    expect(unfitFor(ESTIMATORS.named('iips'), settlePropensities(conditional))).toBe(
      'it needs propensities that are marginal (whatever stands above), and those of the log are conditional (given the items above)',
    )
  })
})
