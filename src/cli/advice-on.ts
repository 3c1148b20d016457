import { worded } from '../advice.js'
import type { Evaluation } from '../estimate/evaluation.js'
import { listed } from '../listed.js'
import { DECLARED_REMEDIES, SAY_SO } from '../verdict/declared.js'
import { TOTALS_HINT } from '../verdict/totals.js'
import type { Verdict } from '../verdict/verdict.js'
import { asOptions } from './option-words.js'

/** What a person may do about a verdict on evaluations: say what only they know, accept a fault, give totals. */
export function adviceOn(
  evaluations: readonly Pick<Evaluation, 'estimates' | 'said'>[],
  verdict: Verdict,
): string[] {
  const said = evaluations[0]?.said
  const remedies = verdict.reasons.flatMap(({ code }) => DECLARED_REMEDIES[code] ?? [])
  const isUnsaid = verdict.questions.some(
    ({ question, level }) => question === 'declared' && level === 'not-said',
  )
  const reasons = [
    verdict,
    ...evaluations.flatMap(({ estimates }) => estimates.map((one) => one.verdict)),
  ].flatMap((one) => one.reasons)
  const unfound = Object.keys(said?.accept ?? {}).filter((code) => !reasons.some((one) => one.code === code))
  const fault = verdict.reasons.find(
    ({ level, question }) => level !== 'note' && question !== 'declared' && question !== 'overlap',
  )
  return [
    ...(remedies.length > 0 ? [worded(remedies, asOptions)] : []),
    ...(fault ? [`If you know the fault to be harmless, say why with --accept "${fault.code}=WHY".`] : []),
    ...(unfound.length > 0
      ? [`Nothing was found that is called ${listed(unfound, 'or')}: --accept changed nothing.`]
      : []),
    ...(isUnsaid ? [worded(SAY_SO, asOptions)] : []),
    ...(verdict.level !== 'refuse' && !said?.totals ? [worded(TOTALS_HINT, asOptions)] : []),
  ]
}
