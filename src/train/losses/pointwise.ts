import type { Loss } from './loss.js'

const pointwise = { form: 'pointwise', learnsFrom: 'impressions' } as const

/** Cross-entropy of every logged impression, clicked or not. */
export const bce: Loss<'bce'> = {
  ...pointwise,
  name: 'bce',
  label: 'BCE',
  family: 'plain',
  weights: 'none',
  meaning: 'Separates clicked impressions from those that were shown and not clicked.',
  docs: 'losses.md#bce',
}

/** Cross-entropy times ω, ω being weights π/b with mean 1. */
export const ipsBce: Loss<'ips-bce'> = {
  ...pointwise,
  name: 'ips-bce',
  label: 'IPS-BCE',
  family: 'weighted',
  weights: 'ips',
  unweighted: bce.name,
  meaning: 'BCE with every impression weighted by 1/propensity.',
  docs: 'losses.md#ips-bce',
}

/** Σωℓ/Σω over each batch instead of a mean (Swaminathan & Joachims 2015). */
export const snBce: Loss<'sn-bce'> = {
  ...pointwise,
  name: 'sn-bce',
  label: 'SN-BCE',
  family: 'weighted',
  weights: 'ips',
  selfNormalised: true,
  unweighted: bce.name,
  meaning: 'IPS-BCE with the weights of each batch divided by their sum: less variance, for a small bias.',
  docs: 'losses.md#sn-bce',
}

/** (1/θ)·softplus(−s) + (1 − 1/θ)·softplus(s) for clicks and softplus(s) for a drawn item (Saito et al. 2020). */
export const relmf: Loss<'relmf'> = {
  ...pointwise,
  name: 'relmf',
  label: 'RelMF',
  family: 'weighted',
  weights: 'exposure',
  learnsFrom: 'clicks',
  takesBack: true,
  withoutResampling:
    'gives clicks a negative weight 1 − 1/θ as "not clicked", and events cannot be drawn with negative probability',
  unweighted: bce.name,
  meaning:
    'Takes the propensity as the probability of having been seen: a missing click on a hidden item means little (Saito et al. 2020).',
  docs: 'losses.md#relmf',
}
