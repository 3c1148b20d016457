import type { Log } from '../log/log.js'
import { checkBalance } from './balance.js'
import { checkClickOutage } from './click-outage.js'
import { checkDuplicates, checkQuickCopies } from './duplicates.js'
import { checkFilteredUsers } from './filtered-users.js'
import type { Check, Finding } from './finding.js'
import { checkPositions } from './implausible-position.js'
import { checkItemDeficit } from './item-deficit.js'
import { checkNeighboursAlike } from './neighbours-alike.js'
import { checkPreviousRow } from './previous-row.js'
import { checkConstantPropensity } from './propensity-constant.js'
import { checkPropensityFloor } from './propensity-floor.js'
import { checkFallOff } from './rewards-fall-off.js'
import { checkShiftedRewards } from './shifted-rewards.js'
import { withoutEchoes } from './shown-again.js'
import { checkSilentUsers } from './silent-users.js'
import { checkTargetShift } from './target-shift.js'
import { checkTiredUsers } from './tired-users.js'
import { checkTinyPropensity } from './tiny-propensity.js'
import { checkVisits } from './visits.js'

/** The checks that cost a pass or two over the rows. */
const QUICK: readonly Check[] = [
  checkTinyPropensity,
  checkConstantPropensity,
  checkPropensityFloor,
  checkBalance,
  checkItemDeficit,
  checkPositions,
  checkShiftedRewards,
  checkPreviousRow,
  checkTargetShift,
  checkFilteredUsers,
  checkVisits,
  checkQuickCopies,
  checkClickOutage,
  checkFallOff,
  checkTiredUsers,
  checkNeighboursAlike,
  checkSilentUsers,
]

/** Whether rows are in the order of a file, or in none of their own. */
export type RowOrder = 'file' | 'none'

/** Copies show in the order of a file; without one only users, items and times tell, which takes longer. */
const WITHOUT_ORDER = QUICK.map((check) => (check === checkQuickCopies ? checkDuplicates : check))

/**
 * What an evaluation has to know before it is trusted: the problems that a few passes over a log in memory find, each
 * with what becomes of the verdict (`lowersTo`). A sound log gives none. About a second per million rows, or two with times; an evaluation looks at 400,000.
 */
export function quickFindings(log: Log, order: RowOrder = 'file'): Finding[] {
  if (log.rows === 0) return []
  const examination = { log, mapping: {} }
  const checks = order === 'file' ? QUICK : WITHOUT_ORDER
  const findings = withoutEchoes(checks.flatMap((check) => check(examination)))
  return findings.filter(({ lowersTo }) => lowersTo !== undefined)
}
