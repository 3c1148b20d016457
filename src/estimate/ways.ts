import { HindcastError } from '../error.js'
import { isLacking } from './source/source.js'
import type { Facts, Known, RowKind, SumSource } from './source/source.js'
import { type ClusterColumn, JOINT, type Moments } from './source/moments.js'
import type { Term } from './term.js'

/**
 * The ways in which rows may depend on each other, joined by a plus sign: `user`, `user+day`. `auto` is users and days
 * where the log says on which day a row was shown, and users elsewhere.
 */
export type ClusterChoice = 'auto' | ClusterColumn | `${ClusterColumn}+${ClusterColumn}`

/** So few days do not tell how much days differ. */
export const FEWEST_DAYS = 5

/** The ways that were chosen, the first of which the worst-case intervals and the bootstrap go by. */
export function waysOf(choice: string, { days }: Pick<Facts, 'days'>): ClusterColumn[] {
  if (choice === 'auto')
    return !isLacking(days) && days !== null && days >= FEWEST_DAYS ? ['user', 'day'] : ['user']
  const ways = choice.split('+').map((way) => way.trim())
  const unknown = ways.find((way) => !isClusterColumn(way))
  if (unknown !== undefined)
    throw new HindcastError('bad-option', `Rows cannot be clustered by ${JSON.stringify(unknown)}.`, {
      remedy: 'Choose user, day, user+day, row or column:NAME.',
    })
  if (ways.length > 2 || new Set(ways).size < ways.length || (ways.length > 1 && ways.includes('row')))
    throw new HindcastError('bad-option', `Rows cannot be clustered by ${choice}.`, {
      remedy: 'Choose one column, or two different ones: user+day.',
    })
  return ways as ClusterColumn[]
}

const isClusterColumn = (way: string): way is ClusterColumn =>
  ['user', 'row', 'day', 'column'].includes(way) || (way.startsWith('column:') && way.length > 7)

/** Sums to be asked for. */
interface Asked {
  readonly terms: readonly Term[]
  /** Those of the terms that estimates and their spread are made of (default: all): clusters of both ways are many, and need no others. */
  readonly spread?: readonly Term[]
  readonly rows?: RowKind
}

/**
 * The sums of some terms by clusters of the first way and, where there is a second, crossed with those of the other and
 * with those of both: V = V_first + V_second − V_both (Cameron, Gelbach & Miller 2011).
 */
export async function momentsByWays(
  source: SumSource,
  [first, second]: readonly ClusterColumn[],
  { terms, spread = terms, rows }: Asked,
): Promise<Known<Moments>> {
  const crossed = second && (await source.crossed?.(terms, [first!, second], rows))
  if (crossed) return crossed
  const ofFirst = await source.moments(terms, first!, rows)
  if (second === undefined || isLacking(ofFirst)) return ofFirst
  const ofSecond = await source.moments(terms, second, rows)
  if (isLacking(ofSecond)) return ofSecond
  const both = await source.moments(spread, `${first!}${JOINT}${second}`, rows)
  if (isLacking(both)) return both
  return ofFirst.crossedWith([
    { sign: 1, moments: ofSecond },
    { sign: -1, moments: both },
  ])
}
