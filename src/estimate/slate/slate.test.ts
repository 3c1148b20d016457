import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { type RandomStream, randomStream } from '../../random/stream.js'
import { type Estimator, influenceOf, standardErrorOf, termsOf, valueOf } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import { memorySource } from '../memory-source.js'
import { type ClusterBy, Moments } from '../moments.js'
import type { WeighedRows } from '../rows.js'
import { weight } from '../term.js'
import { SLATE_ESTIMATOR_NAMES, slateEstimatorNamed } from './index.js'
import { slateSource } from './slate-source.js'

interface Row {
  slate: number
  position: number
  user: number
  r: number
  w: number
  q: number
  v: number
  times: number
}

/** Rows as a slate log seen from a target. */
function weighed(rows: readonly Row[]): WeighedRows {
  const column = (of: (row: Row) => number): Float64Array => Float64Array.from(rows, of)
  const ids = (kind: string, of: (row: Row) => number): string[] =>
    Array.from({ length: Math.max(0, ...rows.map(of)) + 1 }, (_, k) => `${kind} ${k}`)
  const log: Log = {
    rows: rows.length,
    user: Uint32Array.from(rows, ({ user }) => user),
    item: new Uint32Array(rows.length),
    userIds: ids('user', ({ user }) => user),
    itemIds: ['a'],
    catalogueKnown: false,
    reward: column(({ r }) => r),
    propensitySource: 'logged',
    slate: Uint32Array.from(rows, ({ slate }) => slate),
    slateIds: ids('page', ({ slate }) => slate),
    position: column(({ position }) => position),
    weight: column(({ times }) => times),
  }
  return {
    log,
    weight: column(({ w }) => w),
    prediction: column(({ q }) => q),
    value: column(({ v }) => v),
  }
}

async function evaluate(
  estimator: Estimator,
  rows: readonly Row[],
  clusterBy: ClusterBy = 'row',
): Promise<{ value: number | undefined; se: number | undefined; clusters: number }> {
  const moments = await slateSource(weighed(rows)).moments(termsOf([estimator]), clusterBy)
  return {
    value: valueOf(estimator, moments),
    se: standardErrorOf(influenceOf(estimator, moments)),
    clusters: moments.clusters,
  }
}

const close = (a: number | undefined, b: number | undefined, tolerance = 1e-9): void => {
  expect(Math.abs(a! - b!)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(a!), Math.abs(b!)))
}

const number = fc.double({ min: 0, max: 3, noNaN: true })
const slot = fc.record({ r: number, w: number, q: number, v: number })
/** Slates of one to four slots, of a few users. */
const logs: fc.Arbitrary<Row[]> = fc
  .array(
    fc.record({
      user: fc.integer({ min: 0, max: 5 }),
      slots: fc.array(slot, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 2, maxLength: 12 },
  )
  .map((pages) =>
    pages.flatMap(({ user, slots }, slate) =>
      slots.map((values, position) => ({ ...values, slate, position, user, times: 1 })),
    ),
  )
const law = (predicate: (rows: Row[]) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(logs, predicate), { numRuns: 50 })
const slatesIn = (rows: readonly Row[]): number => new Set(rows.map(({ slate }) => slate)).size

describe.each(SLATE_ESTIMATOR_NAMES)('%s', (name) => {
  const estimator = slateEstimatorNamed(name)

  it('is the mean reward of a slate when the target is the logging policy', () =>
    law(async (rows) => {
      const onPolicy = rows.map((row) => ({ ...row, w: 1, v: row.q }))
      const total = rows.reduce((sum, { r }) => sum + r, 0)
      close((await evaluate(estimator, onPolicy)).value, total / slatesIn(rows))
    }))

  it('is IPS, or DR, when every slate has one slot', () =>
    law(async (rows) => {
      const single = rows.map((row, slate) => ({ ...row, slate, position: 0 }))
      const plain = estimatorNamed(name === 'cascade-dr' ? 'dr' : 'ips')
      const moments = await memorySource(weighed(single)).moments(termsOf([plain]), 'user')
      const found = await evaluate(estimator, single, 'user')
      close(found.value, valueOf(plain, moments))
      close(found.se ?? 0, standardErrorOf(influenceOf(plain, moments)) ?? 0)
      const asRows = await memorySource(weighed(single)).moments(termsOf([estimator]), 'user')
      close(found.value, valueOf(estimator, asRows))
    }))

  it('does not depend on the order of rows', () =>
    law(async (rows) => {
      close((await evaluate(estimator, rows)).value, (await evaluate(estimator, rows.toReversed())).value)
    }))

  it('does not depend on how slates are clustered', () =>
    law(async (rows) => {
      close((await evaluate(estimator, rows, 'user')).value, (await evaluate(estimator, rows, 'row')).value)
    }))

  it('is the same from merged parts as from the whole', () =>
    law(async (rows) => {
      const momentsOf = (part: Row[]): Promise<Moments> =>
        slateSource(weighed(part)).moments(termsOf([estimator]), 'user')
      const whole = await momentsOf(rows)
      const merged = Moments.merge(
        await momentsOf(rows.filter(({ slate }) => slate === 0)),
        await momentsOf(rows.filter(({ slate }) => slate > 0)),
      )
      close(valueOf(estimator, merged), valueOf(estimator, whole))
      close(
        standardErrorOf(influenceOf(estimator, merged)) ?? 0,
        standardErrorOf(influenceOf(estimator, whole)) ?? 0,
      )
    }))

  it('counts a slate that stands for three as three slates', () =>
    law(async (rows) => {
      const heavy = rows.map((row) => ({ ...row, times: row.slate === 0 ? 3 : 1 }))
      const most = Math.max(...rows.map(({ slate }) => slate))
      const repeated = [1, 2].flatMap((copy) =>
        rows.filter(({ slate }) => slate === 0).map((row) => ({ ...row, slate: most + copy })),
      )
      close(
        (await evaluate(estimator, heavy)).value,
        (await evaluate(estimator, [...rows, ...repeated])).value,
      )
    }))

  it('is undefined, not 0, for an empty log', async () => {
    expect((await evaluate(estimator, [])).value).toBeUndefined()
  })
})

describe('by hand', () => {
  // Two slates of unequal length, the second with its rows out of order.
  const rows: Row[] = [
    { slate: 0, position: 1, user: 0, r: 1, w: 2, q: 0.5, v: 0.25, times: 1 },
    { slate: 0, position: 2, user: 0, r: 1, w: 0.5, q: 0.5, v: 0.5, times: 1 },
    { slate: 0, position: 3, user: 0, r: 2, w: 3, q: 1, v: 1, times: 1 },
    { slate: 1, position: 2, user: 1, r: 1, w: 4, q: 0, v: 0.5, times: 1 },
    { slate: 1, position: 1, user: 1, r: 0, w: 0.5, q: 1, v: 2, times: 1 },
  ]

  it.each([
    ['iips', 2 + 0.5 + 6, 4],
    ['rips', 2 + 1 + 6, 2],
    ['pi', 3.5 * 4, 3.5],
    ['cascade-dr', 0.25 + 1 + (1 + 0.5) + (1 + 3), 2 - 0.5 + (0.25 + 2)],
  ])('%s', async (name, first, second) => {
    const { value, se, clusters } = await evaluate(slateEstimatorNamed(name), rows, 'user')
    expect(value).toBeCloseTo((first + second) / 2, 12)
    expect(se).toBeCloseTo(Math.abs(first - second) / 2, 12)
    expect(clusters).toBe(2)
  })
})

describe('slates that are none', () => {
  const row: Row = { slate: 0, position: 0, user: 0, r: 0, w: 1, q: 0, v: 0, times: 1 }
  const source = (...rows: Partial<Row>[]) => slateSource(weighed(rows.map((part) => ({ ...row, ...part }))))

  it('a position twice', () => {
    expect(() => source({}, { slate: 1, position: 3 }, { slate: 1, position: 3 })).toThrow(
      'Slate "page 1" has position 3 twice.',
    )
  })

  it('rows of two users', () => {
    expect(() => source({}, { position: 1, user: 2 })).toThrow(
      'Slate "page 0" has rows of two users, "user 0" and "user 2".',
    )
  })

  it('rows that stand for different numbers of impressions', () => {
    expect(() => source({ times: 2 }, { position: 1 })).toThrow('Slate "page 0" has rows of weight 2 and 1.')
  })

  it('a log without slates or positions', () => {
    const { slate: _slate, ...noSlate } = weighed([row]).log
    expect(() => slateSource({ ...weighed([row]), log: noSlate })).toThrow('no slate column')
    const { position: _position, ...noPosition } = weighed([row]).log
    expect(() => slateSource({ ...weighed([row]), log: noPosition })).toThrow('no position column')
  })

  it('a cluster column that is not there, or differs within a slate', async () => {
    await expect(source({}).moments([], 'column')).rejects.toThrow('no cluster column')
    const rows = weighed([row, { ...row, position: 1 }])
    const log = { ...rows.log, cluster: Uint32Array.of(0, 1), clusterIds: ['x', 'y'] }
    expect(() => slateSource({ ...rows, log })).toThrow('Slate "page 0" has rows of two clusters.')
  })

  it('a sum over rows is not a sum over slates', async () => {
    await expect(source({}).moments([weight], 'row')).rejects.toThrow('w is a sum over rows')
  })

  it('an estimator that nobody knows', () => {
    expect(() => slateEstimatorNamed('ripps')).toThrow(/no slate estimator "ripps"/)
  })
})

const SLOTS = 3
const ITEMS = 4
const APPEAL = [0.1, 0.2, 0.35, 0.6]

/** How pages are drawn: an item for each slot by itself, or slot by slot without repetition (Plackett–Luce). */
type Pages = 'factored' | 'plackett-luce'

/** Probability of `item` in slot `k` below the items `above`. */
function chance(
  pages: Pages,
  preference: readonly number[],
  above: readonly number[],
  k: number,
  item: number,
): number {
  // Preferences differ from slot to slot, so that slots cannot be mixed up unnoticed.
  const strength = (a: number): number => preference[(a + k) % ITEMS]!
  const left = (a: number): boolean => pages === 'factored' || !above.includes(a)
  let total = 0
  for (let a = 0; a < ITEMS; a++) if (left(a)) total += strength(a)
  return left(item) ? strength(item) / total : 0
}

/** What users do with a page: the expected reward of each slot. */
const REWARDS: Record<string, (page: readonly number[]) => number[]> = {
  // A slot's reward depends on its own item.
  independent: (page) => page.map((a, k) => APPEAL[a]! / (k + 1)),
  // From the top, until the first click.
  cascade: (page) => {
    let reaches = 1
    return page.map((a) => {
      const clicks = reaches * APPEAL[a]!
      reaches -= clicks
      return clicks
    })
  },
  // The page's reward is a sum over slots, and all of it is booked in the first.
  additive: (page) =>
    page.map((_, k) => (k === 0 ? page.reduce((sum, a, j) => sum + APPEAL[a]! / (j + 1), 0) / 2 : 0)),
  // All items of a page bear on each other.
  entangled: (page) => page.map(() => page.reduce((product, a) => product * APPEAL[a]!, 1)),
}

interface Page {
  readonly items: readonly number[]
  readonly b: number
  readonly pi: number
  /** Ratio of the probabilities of each slot's item, given the items above. */
  readonly conditional: readonly number[]
  /** Ratio of the probabilities of each slot's item, whatever the items above. */
  readonly marginal: readonly number[]
}

const LOGGING = [0.4, 0.3, 0.2, 0.1]
const TARGET = [0.1, 0.2, 0.3, 0.4]

/** Every page there is, with its probabilities. */
function allPages(pages: Pages): Page[] {
  const found: Omit<Page, 'marginal'>[] = []
  for (let code = 0; code < ITEMS ** SLOTS; code++) {
    const items = Array.from({ length: SLOTS }, (_, k) => Math.floor(code / ITEMS ** k) % ITEMS)
    const under = (preference: readonly number[]): number[] =>
      items.map((item, k) => chance(pages, preference, items.slice(0, k), k, item))
    const [b, pi] = [under(LOGGING), under(TARGET)]
    const product = (factors: readonly number[]): number => factors.reduce((x, y) => x * y, 1)
    if (product(b) > 0)
      found.push({ items, b: product(b), pi: product(pi), conditional: pi.map((p, k) => p / b[k]!) })
  }
  const inSlot = (k: number, item: number, under: 'b' | 'pi'): number =>
    found.reduce((sum, page) => sum + (page.items[k] === item ? page[under] : 0), 0)
  return found.map((page) => ({
    ...page,
    marginal: page.items.map((item, k) => inSlot(k, item, 'pi') / inSlot(k, item, 'b')),
  }))
}

/** A model that is wrong in every slot: Q̂_k(a), and its mean under the target given the items above. */
function model(pages: Pages, page: Page, k: number): { q: number; v: number } {
  const guess = (a: number): number => 0.3 * a - 0.1 * k
  let v = 0
  for (let a = 0; a < ITEMS; a++) v += chance(pages, TARGET, page.items.slice(0, k), k, a) * guess(a)
  return { q: guess(page.items[k]!), v }
}

interface Case {
  pages: Pages
  rewards: string
  weights: 'conditional' | 'marginal'
  unbiased: string[]
  biased: string[]
}

const ALL = [...SLATE_ESTIMATOR_NAMES]
const CASES: Case[] = [
  { pages: 'factored', rewards: 'independent', weights: 'marginal', unbiased: ALL, biased: [] },
  {
    pages: 'factored',
    rewards: 'cascade',
    weights: 'conditional',
    unbiased: ['rips', 'cascade-dr'],
    biased: ['iips', 'pi'],
  },
  {
    pages: 'factored',
    rewards: 'additive',
    weights: 'marginal',
    unbiased: ['pi'],
    biased: ['iips', 'rips', 'cascade-dr'],
  },
  { pages: 'factored', rewards: 'entangled', weights: 'marginal', unbiased: [], biased: ALL },
  {
    pages: 'plackett-luce',
    rewards: 'cascade',
    weights: 'conditional',
    unbiased: ['rips', 'cascade-dr'],
    biased: ['iips', 'pi'],
  },
  {
    pages: 'plackett-luce',
    rewards: 'independent',
    weights: 'conditional',
    unbiased: ['rips', 'cascade-dr'],
    biased: ['iips', 'pi'],
  },
  {
    pages: 'plackett-luce',
    rewards: 'independent',
    weights: 'marginal',
    unbiased: ['iips'],
    biased: ['rips', 'pi', 'cascade-dr'],
  },
]

describe.each(CASES)('$pages pages, $rewards rewards, $weights weights', (world) => {
  const pages = allPages(world.pages)
  const rewards = REWARDS[world.rewards]!
  const total = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0)
  const truth = total(pages.map((page) => page.pi * total(rewards(page.items))))

  const rowsOf = (page: Page, slate: number, r: readonly number[], times: number): Row[] =>
    page.items.map((_, k) => ({
      slate,
      position: k,
      user: slate,
      r: r[k]!,
      w: page[world.weights][k]!,
      ...model(world.pages, page, k),
      times,
    }))

  /** All pages, each as often as the logging policy shows it: what is estimated from it is the expectation. */
  const everything = pages.flatMap((page, slate) => rowsOf(page, slate, rewards(page.items), page.b))

  it.each(world.unbiased)('%s is unbiased, to the last digit', async (name) => {
    close((await evaluate(slateEstimatorNamed(name), everything)).value, truth, 1e-12)
  })

  it.each(world.biased)('%s is biased where its assumption fails', async (name) => {
    const { value } = await evaluate(slateEstimatorNamed(name), everything)
    expect(Math.abs(value! / truth - 1)).toBeGreaterThan(1e-4)
  })

  if (world.unbiased.length > 0)
    it('is estimated from a drawn log within four standard errors', async () => {
      const random = randomStream(11, 'pages')
      const rows = Array.from({ length: 4000 }, (_, slate) => {
        const page = drawPage(pages, random)
        return rowsOf(page, slate, drawRewards(world.rewards, page.items, random), 1)
      }).flat()
      for (const name of world.unbiased) {
        const { value, se } = await evaluate(slateEstimatorNamed(name), rows, 'user')
        expect(Math.abs(value! - truth), name).toBeLessThan(4 * se!)
        expect(se! / truth, name).toBeLessThan(0.2)
      }
    })
})

function drawPage(pages: readonly Page[], random: RandomStream): Page {
  let left = random.uniform()
  return pages.find((page) => (left -= page.b) < 0) ?? pages.at(-1)!
}

/** Rewards of 0 or 1 with the expectations of `REWARDS`; a cascade ends with its first click. */
function drawRewards(rewards: string, items: readonly number[], random: RandomStream): number[] {
  if (rewards !== 'cascade') return REWARDS[rewards]!(items).map((mean) => (random.uniform() < mean ? 1 : 0))
  const click = items.findIndex((a) => random.uniform() < APPEAL[a]!)
  return items.map((_, k) => (k === click ? 1 : 0))
}

describe('standard errors', () => {
  it('are those of the spread of estimates over drawn logs', async () => {
    const pages = allPages('plackett-luce')
    const names = ['rips', 'cascade-dr']
    const found = names.map(() => ({ values: [] as number[], variances: 0 }))
    const logs = 200
    for (let log = 0; log < logs; log++) {
      const random = randomStream(5, 'logs', log)
      // A user sees two pages with the same luck: the cluster is the user, not the page.
      const rows = Array.from({ length: 150 }, (_, user) => {
        const page = drawPage(pages, random)
        const r = drawRewards('cascade', page.items, random)
        return [0, 1].flatMap((copy) =>
          page.items.map((_item, k) => ({
            slate: 2 * user + copy,
            position: k,
            user,
            r: r[k]!,
            w: page.conditional[k]!,
            ...model('plackett-luce', page, k),
            times: 1,
          })),
        )
      }).flat()
      for (const [k, name] of names.entries()) {
        const { value, se } = await evaluate(slateEstimatorNamed(name), rows, 'user')
        found[k]!.values.push(value!)
        found[k]!.variances += se! ** 2 / logs
      }
    }
    for (const { values, variances } of found) {
      const mean = values.reduce((sum, x) => sum + x, 0) / logs
      const spread = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (logs - 1)
      expect(Math.sqrt(variances / spread)).toBeGreaterThan(0.85)
      expect(Math.sqrt(variances / spread)).toBeLessThan(1.15)
    }
  })
})
