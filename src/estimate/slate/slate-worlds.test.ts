import { describe, expect, it } from 'vitest'
import { type RandomStream, randomStream } from '../../random/stream.js'
import { ESTIMATORS, estimatorNamed } from '../estimators/index.js'
import { type Row, evaluate, close } from './example-slates.js'

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

const ALL = ESTIMATORS.all.filter(({ rows }) => rows === 'slates').map(({ name }) => name)
const CASES: Case[] = [
  { pages: 'factored', rewards: 'independent', weights: 'marginal', unbiased: ALL, biased: [] },
  {
    pages: 'factored',
    rewards: 'cascade',
    weights: 'conditional',
    unbiased: ['rips', 'snrips', 'cascade-dr'],
    biased: ['iips', 'pi'],
  },
  {
    pages: 'factored',
    rewards: 'additive',
    weights: 'marginal',
    unbiased: ['pi'],
    biased: ['iips', 'rips', 'snrips', 'cascade-dr'],
  },
  { pages: 'factored', rewards: 'entangled', weights: 'marginal', unbiased: [], biased: ALL },
  {
    pages: 'plackett-luce',
    rewards: 'cascade',
    weights: 'conditional',
    unbiased: ['rips', 'snrips', 'cascade-dr'],
    biased: ['iips', 'pi'],
  },
  {
    pages: 'plackett-luce',
    rewards: 'independent',
    weights: 'conditional',
    unbiased: ['rips', 'snrips', 'cascade-dr'],
    biased: ['iips', 'pi'],
  },
  {
    pages: 'plackett-luce',
    rewards: 'independent',
    weights: 'marginal',
    unbiased: ['iips'],
    biased: ['rips', 'snrips', 'pi', 'cascade-dr'],
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
    close((await evaluate(estimatorNamed(name), everything)).value, truth, 1e-12)
  })

  it.each(world.biased)('%s is biased where its assumption fails', async (name) => {
    const { value } = await evaluate(estimatorNamed(name), everything)
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
        const { value, se } = await evaluate(estimatorNamed(name), rows, 'user')
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
        const { value, se } = await evaluate(estimatorNamed(name), rows, 'user')
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
