import type { Loss } from './loss.js'

const pointwise = { form: 'pointwise', learnsFrom: 'impressions' } as const

/** Cross-entropy of every logged impression, clicked or not. */
export const bce: Loss<'bce'> = {
  ...pointwise,
  name: 'bce',
  label: 'BCE',
  family: 'plain',
  weights: 'none',
  meaning: 'Tells clicked impressions from shown ones that were not clicked.',
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
  meaning: 'IPS-BCE with the weights of each batch divided by their sum: varies less, at a small bias.',
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
    'takes back 1/θ − 1 of "not clicked" from a click, and nothing can be drawn less than never',
  unweighted: bce.name,
  meaning:
    'Takes the propensity for the chance to have been seen: a missing click on a hidden item says little (Saito et al. 2020).',
  docs: 'losses.md#relmf',
}
