import { type Expression, least, number, over, plus, row, times, when } from '../../sql/expression.js'
import type { Estimator, TunedEstimator } from '../estimator.js'
import { weighingErrors, weighingRewards } from './importance.js'

/** What an estimator with shrunken weights says about itself, and what a weight becomes at a λ. */
interface Shrinking<Name extends string> extends Pick<
  TunedEstimator<Name>,
  'name' | 'label' | 'meaning' | 'docs' | 'tuning'
> {
  readonly weight: (lambda: number) => Expression
}

/** IPS with shrunken weights: V = S[w′r]/n. `largest` is the largest w′ at a λ where no w is above `maxWeight`. */
function shrunkenIps<Name extends string>(
  { weight, tuning, ...named }: Shrinking<Name>,
  largest: (lambda: number, maxWeight: number | undefined) => number | undefined,
): TunedEstimator<Name> {
  const card = { ...named, family: 'weighted', rows: 'plain' } as const
  const at = (lambda: number): Estimator<Name> => ({
    ...card,
    lambda,
    ...weighingRewards(weight(lambda)),
    largestWeight: (maxWeight) => largest(lambda, maxWeight),
  })
  return { ...card, tuning, with: at }
}

/** DR with shrunken weights: V = mean of v + w′(r − q). */
function shrunkenDr<Name extends string>({
  weight,
  tuning,
  ...named
}: Shrinking<Name>): TunedEstimator<Name> {
  const card = { ...named, family: 'doubly-robust', rows: 'model' } as const
  return { ...card, tuning, with: (lambda) => ({ ...card, lambda, ...weighingErrors(weight(lambda)) }) }
}

/** Weights that are cut at λ: λ = ∞ leaves them as they are, λ = 0 leaves none. */
const cutting = (base: 'IPS' | 'DR', without: string): TunedEstimator['tuning'] => ({
  unchanged: { lambda: Infinity, is: base },
  other: { lambda: 0, is: without },
  takingHoldOf: (weight) => weight,
  cutsAtLambda: true,
})

/** IPS with weights cut at λ: V = S[min(w, λ) r]/n. λ → ∞ is IPS. */
export const clippedIps = shrunkenIps(
  {
    name: 'clipped-ips',
    label: 'Clipped IPS',
    meaning: 'IPS with weights clipped at λ: less variance, but biased where weights exceed λ.',
    docs: 'estimators/clipped-ips.md',
    tuning: { ...cutting('IPS', 'zero'), coversWhenTuned: true },
    weight: (lambda) => least(row.w, lambda),
  },
  (lambda, maxWeight = Infinity) => Math.min(lambda, maxWeight),
)

/** DR with weights cut at λ: V = mean of v + min(w, λ)(r − q). λ → ∞ is DR, λ = 0 is DM. */
export const clippedDr = shrunkenDr({
  name: 'clipped-dr',
  label: 'Clipped DR',
  meaning: 'DR with weights clipped at λ: the smaller λ, the closer to the model.',
  docs: 'estimators/clipped-dr.md',
  tuning: cutting('DR', 'DM'),
  weight: (lambda) => least(row.w, lambda),
})

/** DR that trusts the model alone where the weight is above λ (Wang et al. 2017): λ → ∞ is DR, λ = 0 is DM. */
export const switchDr = shrunkenDr({
  name: 'switch-dr',
  label: 'Switch-DR',
  meaning: 'DR where weights are at most λ, the reward model alone above λ.',
  docs: 'estimators/switch-dr.md',
  tuning: cutting('DR', 'DM'),
  weight: (lambda) => when(row.w, '<=', lambda, row.w, 0),
})

/** λw/(w² + λ); its limits where λ is 0 or ∞. */
const optimistic = (lambda: number): Expression =>
  lambda === 0
    ? number(0)
    : lambda === Infinity
      ? row.w
      : over(times(lambda, row.w), plus(times(row.w, row.w), lambda))

/** DR with optimistic shrinkage, weights λw/(w² + λ) (Su et al. 2020): λ → ∞ is DR, λ = 0 is DM. */
export const drOs = shrunkenDr({
  name: 'dr-os',
  label: 'DR-OS',
  meaning: 'DR with optimistic shrinkage: the larger a weight, the more it is shrunk.',
  docs: 'estimators/dr-os.md',
  tuning: {
    unchanged: { lambda: Infinity, is: 'DR' },
    other: { lambda: 0, is: 'DM' },
    takingHoldOf: (weight) => weight * weight,
  },
  weight: optimistic,
})

/** The weight shrunk harmonically, w/(1 − λ + λw): no larger than 1/λ. A weight of 0 stays 0, for λ = 1 too. */
const harmonic = (lambda: number): Expression =>
  when(row.w, '=', 0, 0, over(row.w, plus(1 - lambda, times(lambda, row.w))))

/** Weights that are shrunk harmonically: λ = 0 leaves them as they are, λ = 1 makes all of them 1. */
const towardsOne = (base: 'IPS' | 'DR', without: string): TunedEstimator['tuning'] => ({
  unchanged: { lambda: 0, is: base },
  other: { lambda: 1, is: without },
  takingHoldOf: (weight) => Math.min(1, 1 / weight),
})

/** IPS with weights shrunk harmonically, w/(1 − λ + λw) (Metelli et al. 2021): λ = 0 is IPS, λ = 1 the mean reward. */
export const subGaussianIps = shrunkenIps(
  {
    name: 'sub-gaussian-ips',
    label: 'Sub-Gaussian IPS',
    meaning: 'IPS with weights shrunk towards 1: the larger λ, the more.',
    docs: 'estimators/sub-gaussian-ips.md',
    tuning: towardsOne('IPS', 'logged mean'),
    weight: harmonic,
  },
  (lambda, maxWeight) => {
    if (maxWeight !== undefined) return maxWeight / (1 - lambda + lambda * maxWeight)
    return lambda > 0 ? Math.max(1, 1 / lambda) : undefined
  },
)

/** DR with weights shrunk harmonically, w/(1 − λ + λw): λ = 0 is DR. */
export const subGaussianDr = shrunkenDr({
  name: 'sub-gaussian-dr',
  label: 'Sub-Gaussian DR',
  meaning: 'DR with weights shrunk towards 1: the larger λ, the more.',
  docs: 'estimators/sub-gaussian-dr.md',
  tuning: towardsOne('DR', 'no weights'),
  weight: harmonic,
})
