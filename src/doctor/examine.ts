import { pauses, type WorkOptions } from '../model/long-work.js'
import { checkBalance } from './balance.js'
import { checkClickOutage } from './click-outage.js'
import { checkDrift } from './drift.js'
import { checkDuplicates } from './duplicates.js'
import { checkFilteredUsers } from './filtered-users.js'
import type { Check, Examination, Finding } from './finding.js'
import { checkIds } from './ids.js'
import { checkPositions } from './implausible-position.js'
import { checkInclusion } from './inclusion-probabilities.js'
import { checkItemDeficit } from './item-deficit.js'
import { checkMapping } from './mapping.js'
import { checkMixedLoggers } from './mixed-loggers.js'
import { checkNeighboursAlike } from './neighbours-alike.js'
import { checkNeverClicked } from './never-clicked.js'
import { checkOrder } from './order.js'
import { checkPreviousRow } from './previous-row.js'
import { checkConstantPropensity } from './propensity-constant.js'
import { checkPropensityFloor } from './propensity-floor.js'
import { checkPropensityScale } from './propensity-scale.js'
import { checkPropensitySum } from './propensity-sum.js'
import { checkRewards } from './reward-range.js'
import { withoutEchoes } from './shown-again.js'
import { checkFallOff } from './rewards-fall-off.js'
import { checkSilentUsers } from './silent-users.js'
import { checkUnrelatedRewards } from './unrelated-rewards.js'
import { checkShiftedRewards } from './shifted-rewards.js'
import { checkSize } from './size.js'
import { checkTarget } from './target-sum.js'
import { checkTargetShift } from './target-shift.js'
import { checkTiredUsers } from './tired-users.js'
import { checkTinyPropensity } from './tiny-propensity.js'
import { checkVisits } from './visits.js'

/** Every check of the doctor, in the order in which to fix a log. */
const checks: readonly Check[] = [
  checkMapping,
  checkIds,
  checkPropensityScale,
  checkTinyPropensity,
  checkConstantPropensity,
  checkPropensityFloor,
  checkPropensitySum,
  checkBalance,
  checkItemDeficit,
  checkInclusion,
  checkMixedLoggers,
  checkPositions,
  checkRewards,
  checkShiftedRewards,
  checkPreviousRow,
  checkUnrelatedRewards,
  checkTarget,
  checkTargetShift,
  checkDuplicates,
  checkOrder,
  checkFilteredUsers,
  checkVisits,
  checkClickOutage,
  checkFallOff,
  checkTiredUsers,
  checkNeighboursAlike,
  checkSilentUsers,
  checkNeverClicked,
  checkDrift,
  checkSize,
]

/**
 * Checks a log, as read, for every mistake the doctor knows; problems come first. An empty log gives no
 * findings. Sound logs give no problems. O(n log n) in the number of rows.
 */
export async function examine(
  examination: Examination,
  { progress, signal }: WorkOptions = {},
): Promise<Finding[]> {
  if (examination.log.rows === 0) return []
  const pause = pauses(signal)
  const findings: Finding[] = []
  for (const [k, check] of checks.entries()) {
    await pause()
    findings.push(...check(examination))
    progress?.({ what: 'examining', done: k + 1, total: checks.length, unit: 'checks' })
  }
  const named = withoutEchoes(findings)
  const ofLevel = (level: Finding['level']): Finding[] => named.filter((finding) => finding.level === level)
  return [...ofLevel('problem'), ...ofLevel('note')]
}
