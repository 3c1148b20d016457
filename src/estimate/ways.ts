import { HindcastError } from '../error.js'
import { type Facts, isLacking } from './source/source.js'
import type { ClusterColumn } from './source/moments.js'

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
