import { exp, log, log1p } from '../portable-math.js'
import type { Numbers } from './kernel.js'

/**
 * What a policy is taught by in the `policy` form. With π the share of the shown item, v one over its propensity and r
 * its reward, the term of a sample is
 *
 * | curve | term g | its slope along log π |
 * |---|---|---|
 * | linear | r·min(vπ, M) | r·vπ below M, else 0 |
 * | logarithmic | log(1 + λr·vπ)/λ for r ≥ 0, else r·vπ | r·vπ/(1 + λr·vπ), else r·vπ |
 * | likelihood | r·v·log π | r·v |
 */
export interface PolicyTerms {
  readonly curve: 'linear' | 'logarithmic' | 'likelihood'
  /** M of the linear curve, `Infinity` for none; λ of the logarithmic one. */
  readonly bend: number
  /** T of π = softmax(s/T). */
  readonly temperature: number
  /** Whether batches bring expected rewards q of all items of a sample: r is then less q of the shown item, and Σ π·q is added (doubly robust). */
  readonly expects: boolean
}

/** What the term of one sample is made from besides its scores. */
export interface PolicySample {
  /** How many samples it counts as. */
  readonly weight: number
  readonly inversePropensity: number
  readonly reward: number
  readonly corrections: Numbers
  readonly expectedRewards?: Numbers | undefined
}

/** The loss −w·g of one sample of the `policy` form, and its slope along each score. The obvious way, in float64. */
export function policyLoss(
  { curve, bend, temperature }: PolicyTerms,
  scores: readonly number[],
  { weight, inversePropensity, reward, corrections, expectedRewards }: PolicySample,
): { loss: number; slopes: number[] } {
  const logits = scores.map((score, k) => score / temperature - corrections[k]!)
  const most = Math.max(...logits)
  const powers = logits.map((logit) => exp(logit - most))
  const total = powers.reduce((a, b) => a + b)
  const policy = powers.map((power) => power / total)
  const others = powers.slice(1).reduce((a, b) => a + b, 0)
  const q = policy.map((_, k) => expectedRewards?.[k] ?? 0)
  const mean = policy.reduce((sum, share, k) => sum + share * q[k]!, 0)
  const { term, slope } = termOf(curve, bend, {
    ratio: policy[0]! * inversePropensity,
    logShare: logits[0]! - most - log(total),
    inversePropensity,
    reward: reward - q[0]!,
  })
  return {
    loss: -weight * (term + mean),
    slopes: policy.map((share, k) => {
      const own = k === 0 ? others / total : -share
      return (-weight / temperature) * (slope * own + share * (q[k]! - mean))
    }),
  }
}

/** The term of a sample and its slope along log π. */
function termOf(
  curve: PolicyTerms['curve'],
  bend: number,
  {
    ratio,
    logShare,
    inversePropensity,
    reward,
  }: Record<'ratio' | 'logShare' | 'inversePropensity' | 'reward', number>,
): { term: number; slope: number } {
  const plain = reward * ratio
  if (curve === 'likelihood')
    return { term: reward * inversePropensity * logShare, slope: reward * inversePropensity }
  if (curve === 'linear')
    return ratio >= bend ? { term: reward * bend, slope: 0 } : { term: plain, slope: plain }
  if (reward < 0 || bend === 0) return { term: plain, slope: plain }
  return { term: log1p(bend * plain) / bend, slope: plain / (1 + bend * plain) }
}
