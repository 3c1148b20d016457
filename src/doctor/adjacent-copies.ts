import type { Log } from '../log/log.js'
import { counted } from '../number-text.js'
import type { Check } from './finding.js'
import { isSorted } from './sorted-rows.js'
import { countSameItemPairs } from './same-item-pairs.js'
import { figure } from './wording.js'

/** How far apart rows are compared to learn how often they are alike by chance. */
const FARTHEST = 5
/** Pairs of rows of one user that it takes to learn it. */
const PAIRS = 200

/**
 * Finds rows that were written twice in a row: among pairs of rows of one user, neighbours are clearly more often
 * equal in every column than rows two to five apart (or, where those are few, than any two rows). It needs
 * neither times nor propensities, but users with three rows or more.
 */
export const checkAdjacentCopies: Check = ({ log }) => {
  // Most logs have hardly any equal neighbours, and are spared the rest.
  if (pairsByDistance(log, 1).alike[0]! < 10) return []
  const { alike, sameUser, examples } = pairsByDistance(log)
  const [adjacent, neighbours] = [alike[0]!, sameUser[0]!]
  const apart = sum(sameUser) - neighbours
  // Where users are mixed, few of their rows are near each other: then all pairs of a user tell, copies included.
  const all = apart < PAIRS ? countSameItemPairs(log) : undefined
  const [equal, compared] = all ? [all.pairs, all.userPairs] : [sum(alike) - adjacent, apart]
  const byChance = (neighbours * equal) / compared
  const excess = adjacent - byChance
  const variance = byChance * (1 + neighbours / compared)
  if (excess < 10 || adjacent < 1.15 * byChance || excess < 6 * Math.sqrt(variance)) return []
  if (isSorted(log)) return []
  return [
    {
      code: 'duplicated-impressions',
      level: 'problem',
      seen: `${counted(adjacent, 'row')} equal the row above in every column; judging by how often other rows of a user are equal, about ${figure(byChance)} would be expected.`,
      why: 'Each copy counts as separate evidence: intervals come out too narrow, and copied rows weigh too much.',
      remedy:
        'Look for an event that is sent twice or a join with several matches, and keep one row per impression.',
      numbers: { copies: excess, adjacent, byChance, rows: log.rows },
      rows: examples,
      lowersTo: 'caution',
    },
  ]
}

const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b)

/** Pairs of rows d = 1 … 5 apart. */
interface PairsByDistance {
  /** Those of one user. */
  readonly sameUser: readonly number[]
  /** Those that are equal in every column. */
  readonly alike: readonly number[]
  /** The first five rows that equal the one above. */
  readonly examples: readonly number[]
}

/** Counts pairs up to `farthest` apart. */
export function pairsByDistance(log: Log, farthest = FARTHEST): PairsByDistance {
  const columns = [
    log.reward,
    log.propensity,
    log.target,
    log.slate,
    log.position,
    log.time,
    log.cluster,
    log.weight,
    log.q,
  ].filter((column) => column !== undefined)
  const alike = Array.from({ length: farthest }, () => 0)
  const sameUser = Array.from({ length: farthest }, () => 0)
  const examples: number[] = []
  const { user, item } = log
  for (let k = 1; k < log.rows; k++) {
    for (let d = 1; d <= farthest && d <= k; d++) {
      if (user[k] !== user[k - d]) continue
      sameUser[d - 1]!++
      if (item[k] !== item[k - d] || !columns.every((column) => Object.is(column[k], column[k - d]))) continue
      alike[d - 1]!++
      if (d === 1 && examples.length < 5) examples.push(k)
    }
  }
  return { alike, sameUser, examples }
}
