import type { Evaluation, Sensitivity, SensitivityPoint } from '../estimate/evaluation.js'
import { withinSentence } from '../listed.js'
import { formatConfidence, formatEstimate, headlineOf, targetWords } from './estimate-text.js'

/** The factor for which an interval is given where no conclusion could flip. */
const SOME_GAMMA = 1.2

/**
 * How wrong propensities may be before the answer changes, in a sentence. Null where that is not known, or the log gives
 * no answer that could change.
 */
export function sensitivityText(evaluation: Evaluation): string | null {
  const { sensitivity, verdict, target, confidence } = evaluation
  if (!sensitivity || verdict.level === 'refuse') return null
  const { flipsAt, grid } = sensitivity
  if (flipsAt === 1) {
    const { gamma, low, high, interval } = grid.find((point) => point.gamma >= SOME_GAMMA) ?? grid.at(-1)!
    const range = formatEstimate((low + high) / 2, interval).interval
    return `If propensities are off by a factor of up to ${gammaText(gamma)}, the ${formatConfidence(confidence)} CI is ${range}.`
  }
  const claim = `The conclusion that ${conclusionOf(evaluation, withinSentence(targetWords(target)))}`
  if (flipsAt === null)
    return `${claim} holds even if propensities are off by a factor of up to ${gammaText(grid.at(-1)!.gamma)}.`
  const most = flooredGamma(flipsAt)
  return most > 1
    ? `${claim} holds as long as no propensity is off by more than a factor of ${gammaText(most)}.`
    : `${claim} does not survive an error of 1 % in the propensities.`
}

/** What becomes of the answer where propensities may be off by a factor of up to one Γ, in a sentence. */
export function sensitivityAt(
  { confidence, verdict, log }: Pick<Evaluation, 'confidence' | 'verdict' | 'log'>,
  { flipsAt, grid }: Sensitivity,
  { gamma, low, high, interval }: SensitivityPoint,
): string {
  const middle = (low + high) / 2
  const range = `${formatConfidence(confidence)} CI ${formatEstimate(middle, interval).interval}`
  const values =
    gamma === 1
      ? `With exact propensities, the estimate is ${formatEstimate(low, interval).value} (${range})`
      : `If propensities are off by a factor of up to ${gammaText(gamma)}, the estimate can be anything in ${formatEstimate(middle, [low, high]).interval} (${range})`
  if (verdict.level === 'refuse') return `${values}.`
  if (flipsAt === 1) return `${values}. No difference from the logging policy is detected.`
  const claim = `the target policy earns ${grid[0]!.low > log.meanReward ? 'more' : 'less'} than the logging policy`
  return flipsAt === null || gamma < flipsAt
    ? `${values}. The conclusion that ${claim} holds.`
    : `${values}. The conclusion that ${claim} no longer holds.`
}

/** Whether the sentence leads: propensities that were not logged are the first thing to doubt. */
export const sensitivityLeads = ({ log }: Pick<Evaluation, 'log'>): boolean =>
  log.propensitySource === 'estimated' || log.propensitySource === 'assumed'

/** What a figure of the intervals over Γ finds: how far the conclusion holds. */
export function sensitivityFinding(
  { flipsAt, grid }: Sensitivity,
  { value, meanReward }: { readonly value: number; readonly meanReward: number },
): string {
  if (flipsAt === 1) return 'No difference from the logging policy is detected, even with exact propensities'
  const claim = `The target policy earns ${value > meanReward ? 'more' : 'less'} than the logging policy`
  if (flipsAt === null)
    return `${claim}, even if propensities are off by a factor of up to ${gammaText(grid.at(-1)!.gamma)}`
  const most = flooredGamma(flipsAt)
  return most > 1
    ? `${claim} as long as no propensity is off by more than a factor of ${gammaText(most)}`
    : `${claim} only if propensities are exact to within 1 %`
}

/** A factor as it is written: 1.05, 1.4, 3. */
export const gammaText = (gamma: number): string => String(Number(gamma.toFixed(2)))

/** A factor that is not yet one at which the answer flips. */
export const flooredGamma = (gamma: number): number => Math.floor(gamma * 100 + 1e-9) / 100

function conclusionOf({ estimates, log }: Evaluation, who: string): string {
  const { value } = headlineOf(estimates)!
  return `${who} earns ${value > log.meanReward ? 'more' : 'less'} than the logging policy`
}
