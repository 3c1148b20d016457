import { exp, log, softplus } from '../portable-math.js'
import type { LossForm, Numbers } from './kernel.js'

/** What a sample's loss is made from besides its scores: w, v, r and c of `LossForm`. */
interface SampleWeights {
  readonly weight: number
  readonly opposite: number
  readonly reward?: number | undefined
  readonly corrections: Numbers | undefined
}

/** The loss of one sample and its slope along each of its scores, as `LossForm` says; `policyLoss` has that of the policy form. The obvious way, in float64. */
export function sampleLoss(
  form: Exclude<LossForm, 'policy'>,
  scores: readonly number[],
  { weight, opposite, reward, corrections }: SampleWeights,
): { loss: number; slopes: number[] } {
  if (form === 'pairwise') {
    const margin = scores[0]! - scores[1]!
    const slope = weight * sigmoid(-margin)
    return { loss: weight * softplus(-margin), slopes: [-slope, slope] }
  }
  if (form === 'pointwise') {
    const s = scores[0]!
    return {
      loss: weight * softplus(-s) + opposite * softplus(s),
      slopes: [opposite * sigmoid(s) - weight * sigmoid(-s)],
    }
  }
  if (form === 'squared') {
    const error = scores[0]! - reward!
    return { loss: weight * error * error, slopes: [2 * weight * error] }
  }
  const logits = scores.map((score, k) => score - corrections![k]!)
  const most = Math.max(...logits)
  const powers = logits.map((logit) => exp(logit - most))
  const total = powers.reduce((a, b) => a + b)
  return {
    loss: weight * (log(total) + most - logits[0]!),
    slopes: powers.map((power, k) => weight * (power / total - (k === 0 ? 1 : 0))),
  }
}

const sigmoid = (x: number): number => {
  const e = exp(-Math.abs(x))
  return x >= 0 ? 1 / (1 + e) : e / (1 + e)
}
