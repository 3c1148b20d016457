import type { Log } from '../../log/log.js'
import type { RandomStream } from '../../random/stream.js'
import type { SlatePropensities } from './slate-term.js'

/** A page that can be shown: its items from the top, and the probability of each in its slot. */
export interface Page {
  readonly items: readonly number[]
  /** Probability of the whole page. */
  readonly chance: number
  readonly conditional: readonly number[]
  readonly marginal: readonly number[]
}

/** How a page is filled: items in proportion to their strength among those not yet shown, or each slot by itself. */
export type Filling = 'without repetition' | 'each slot by itself'

/** Every page of so many slots, with its probabilities by enumeration. */
export function allPages(strength: readonly number[], slots: number, filling: Filling): Page[] {
  let pages: Omit<Page, 'marginal'>[] = [{ items: [], chance: 1, conditional: [] }]
  for (let k = 0; k < slots; k++)
    pages = pages.flatMap(({ items, chance, conditional }) => {
      const open = strength.map((s, a) => (filling === 'without repetition' && items.includes(a) ? 0 : s))
      const total = open.reduce((sum, s) => sum + s, 0)
      return open.flatMap((s, a) =>
        s === 0
          ? []
          : [
              {
                items: [...items, a],
                chance: (chance * s) / total,
                conditional: [...conditional, s / total],
              },
            ],
      )
    })
  const inSlot = Array.from({ length: slots }, () => strength.map(() => 0))
  for (const { items, chance } of pages) items.forEach((a, k) => (inSlot[k]![a]! += chance))
  return pages.map((page) => ({ ...page, marginal: page.items.map((a, k) => inSlot[k]![a]!) }))
}

/** A page drawn slot by slot. */
export function drawPage(
  strength: readonly number[],
  slots: number,
  random: RandomStream,
  filling: Filling = 'without repetition',
): { items: number[]; conditional: number[] } {
  const open = strength.slice()
  const page = { items: [] as number[], conditional: [] as number[] }
  for (let k = 0; k < slots; k++) {
    const total = open.reduce((sum, s) => sum + s, 0)
    let left = random.uniform() * total
    const item = open.findIndex((s) => s > 0 && (left -= s) < 0)
    page.items.push(item)
    page.conditional.push(open[item]! / total)
    if (filling === 'without repetition') open[item] = 0
  }
  return page
}

/** A page as it stands in a log. */
export interface LoggedPage {
  readonly items: readonly number[]
  readonly propensity: readonly number[]
  readonly reward: readonly number[]
  /** Default: a user for each page. */
  readonly user?: number
  /** How many pages it stands for (default 1). */
  readonly times?: number
}

/** A log of pages, each row with the propensity of its item. */
export function logOf(pages: readonly LoggedPage[], items: number): Log {
  const rows = pages.flatMap((page, slate) =>
    page.items.map((item, position) => ({ page, slate, item, position, user: page.user ?? slate })),
  )
  const users = rows.reduce((most, { user }) => Math.max(most, user), -1) + 1
  const names = (kind: string, count: number): string[] =>
    Array.from({ length: count }, (_, k) => `${kind} ${k}`)
  return {
    rows: rows.length,
    user: Uint32Array.from(rows, ({ user }) => user),
    item: Uint32Array.from(rows, ({ item }) => item),
    userIds: names('user', users),
    itemIds: names('item', items),
    catalogueKnown: true,
    reward: Float64Array.from(rows, ({ page, position }) => page.reward[position]!),
    propensity: Float64Array.from(rows, ({ page, position }) => page.propensity[position]!),
    propensitySource: 'logged',
    slate: Uint32Array.from(rows, ({ slate }) => slate),
    slateIds: names('page', pages.length),
    position: Float64Array.from(rows, ({ position }) => position + 1),
    weight: Float64Array.from(rows, ({ page }) => page.times ?? 1),
  }
}

/** Every page as often as it is shown: what is estimated from this log is the expectation. */
export const expectedLog = (
  pages: readonly Page[],
  propensities: SlatePropensities,
  rewardOf: (items: readonly number[]) => number[],
  items: number,
): Log =>
  logOf(
    pages.map((page) => ({
      items: page.items,
      propensity: page[propensities],
      reward: rewardOf(page.items),
      times: page.chance,
    })),
    items,
  )
