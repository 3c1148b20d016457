import type { Log } from '../log/log.js'
import { countRows } from '../log/row-groups.js'
import { formatCount } from '../number-text.js'
import type { Check } from './finding.js'
import { positionsOf } from './row-parts.js'
import { checkShiftedRewards, type Dependence, dependenceOn } from './shifted-rewards.js'
import { figure } from './wording.js'

/** Fewer clicks than this cannot show that items differ. */
const CLICKS = 500
/** χ² within this many standard deviations of its mean is what chance gives. */
const CHANCE = 3

/**
 * Notes that rewards depend on nothing the log holds: not on the item, the user or the position. No log can show
 * whether they were permuted or all rates are alike, so the finding is a note.
 */
export const checkUnrelatedRewards: Check = (examination) => {
  const { log } = examination
  let clicks = 0
  for (let k = 0; k < log.rows; k++) {
    if (!(log.reward[k]! >= 0)) return []
    if (log.reward[k]! > 0) clicks++
  }
  if (clicks < CLICKS || log.rows - clicks < CLICKS) return []
  const byItem = dependenceOn(log, 0)
  const users = byUser(log, clicks / log.rows)
  // Rewards that slipped by a row have a finding of their own.
  if (checkShiftedRewards(examination).length > 0) return []
  if (!byItem || !isChance(byItem) || !isChance(users) || !isChance(byPosition(log, clicks))) return []
  return [
    {
      code: 'rewards-unrelated',
      level: 'note',
      column: 'reward',
      seen: `The ${formatCount(clicks)} clicks depend neither on the item (χ² = ${figure(byItem.chi2)}, by chance about ${figure(byItem.freedom)}) nor on the user${log.position ? ' or the position' : ''}.`,
      why: 'Either items and users differ too little to be detected, or rewards were joined to the wrong rows.',
      remedy: 'Check a few clicks by hand: the item of their row should be the one that was clicked.',
      numbers: {
        clicks,
        chi2: byItem.chi2,
        freedom: byItem.freedom,
        chi2OfUsers: users.chi2,
        users: users.freedom,
      },
      rows: [],
    },
  ]
}

const isChance = ({ chi2, freedom }: Dependence): boolean => chi2 - freedom < CHANCE * Math.sqrt(2 * freedom)

/** Σ_u (clicks − p·n_u)²/(p(1 − p)·n_u) over users with two rows or more. */
function byUser(log: Log, rate: number): Dependence {
  const rows = countRows(log.user, log.userIds.length)
  const clicks = new Uint32Array(rows.length)
  for (let k = 0; k < log.rows; k++) if (log.reward[k]! > 0) clicks[log.user[k]!]!++
  let [chi2, freedom] = [0, 0]
  for (let u = 0; u < rows.length; u++) {
    if (rows[u]! < 2) continue
    chi2 += (clicks[u]! - rate * rows[u]!) ** 2 / (rate * (1 - rate) * rows[u]!)
    freedom++
  }
  return { chi2, freedom: Math.max(1, freedom) }
}

function byPosition(log: Log, clicks: number): Dependence {
  const parts = positionsOf(log)
  if (!parts) return { chi2: 0, freedom: 1 }
  const rate = clicks / log.rows
  const counts = new Uint32Array(parts.sizes.length)
  for (let k = 0; k < log.rows; k++)
    if (log.reward[k]! > 0 && parts.index[k]! < counts.length) counts[parts.index[k]!]!++
  let chi2 = 0
  for (let p = 0; p < counts.length; p++)
    chi2 += (counts[p]! - rate * parts.sizes[p]!) ** 2 / (rate * (1 - rate) * parts.sizes[p]!)
  return { chi2, freedom: counts.length - 1 }
}
