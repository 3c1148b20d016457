import { pauses, type WorkOptions } from '../model/long-work.js'
import { checkIds, checkMapping, checkOrder, checkPositions, checkSize } from './columns.js'
import type { Check, Examination, Finding } from './finding.js'
import { checkConstantPropensity, checkPropensityScale, checkTinyPropensity } from './propensities.js'
import { checkRewards } from './rewards.js'
import { checkTarget } from './targets.js'
import { checkFindings } from './verdict-findings.js'

/** Every check of cells and columns, in the order in which to correct a log. */
const checks: readonly Check[] = [
  checkMapping,
  checkIds,
  checkPropensityScale,
  checkTinyPropensity,
  checkConstantPropensity,
  checkPositions,
  checkRewards,
  checkTarget,
  checkOrder,
  checkSize,
]

/**
 * Checks the cells and columns of a log, as read, and asks its rows what a verdict asks them; problems come first. An empty log
 * gives no findings.
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
    progress?.({ what: 'examining', done: k + 1, total: checks.length + 1, unit: 'checks' })
  }
  await pause()
  findings.push(...(await checkFindings(examination.log, examination.broken)))
  progress?.({ what: 'examining', done: checks.length + 1, total: checks.length + 1, unit: 'checks' })
  const ofLevel = (level: Finding['level']): Finding[] =>
    findings.filter((finding) => finding.level === level)
  return [...ofLevel('problem'), ...ofLevel('note')]
}
