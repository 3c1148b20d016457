import type { Comparison, Difference } from '../estimate/comparison.js'
import { formatPercent } from '../number-text.js'
import { formatFixed } from './estimate-text.js'
import { perUnitOf } from './unit.js'

/** What a choice is described from. */
export type ChoiceInput = Pick<Comparison, 'baseline' | 'differences' | 'confidence' | 'estimator'> &
  Required<Pick<Comparison, 'choice'>>

/** Which policy to launch and why, and how often the rule that says so errs, in sentences. */
export function choiceSentences({ baseline, choice, differences, estimator }: ChoiceInput): string[] {
  const { launch, isBaseline, errors } = choice
  const chosen = isBaseline ? undefined : differences.find(({ target }) => target === launch)
  const worst = `If no policy were better than ${baseline}, this rule would launch one in ${chance(errors.wrongIfNoneIsBetter)} of logs like this one.`
  const asEstimated =
    `If every policy earned what it is estimated to earn, it would launch one that is worse than ${baseline} in ${chance(errors.wrongAsEstimated)}, ` +
    `and miss the best in ${chance(errors.notBestAsEstimated)}.${waiting(errors.expectedLossOfWaiting, baseline, estimator)}`
  if (differences.every(({ verdict }) => verdict.level === 'refuse'))
    return [`Keep ${baseline}: this log cannot answer for any other policy.`]
  return [chosen ? launchSentence(chosen, baseline) : keepSentence(differences, baseline), worst, asEstimated]
}

function launchSentence({ target, verdict }: Difference, baseline: string): string {
  const why = `Launch ${target}: of the policies that earn detectably more than ${baseline}, it earns the most.`
  return verdict.level === 'trust' ? why : `${why} Its verdict is caution, so read the reasons first.`
}

function keepSentence(differences: readonly Difference[], baseline: string): string {
  const refused = differences.filter(({ verdict }) => verdict.level === 'refuse').length
  const about = refused === 0 ? '' : ', among those that this log can answer for'
  return `Keep ${baseline}: no policy earns detectably more${about}.`
}

/** What is forgone where the baseline is kept. */
function waiting(loss: number, baseline: string, estimator: string): string {
  if (loss === 0) return ''
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(loss)))
  return ` By keeping ${baseline} where no difference is detected it would forgo ${formatFixed(loss, decimals)} ${perUnitOf(estimator)} on average.`
}

/** A simulated probability: "2.5 %", "34 %", "less than 0.1 %". */
function chance(probability: number): string {
  if (probability < 0.001) return 'less than 0.1 %'
  if (probability > 0.999) return 'more than 99.9 %'
  return formatPercent(probability, probability < 0.1 ? 1 : 0)
}
