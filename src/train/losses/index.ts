import { Registry } from '../../registry.js'
import type { Loss } from './loss.js'
import { clippedIps, dr, ips, logSmoothing, normPoem, poem, snips, weightedLikelihood } from './policy.js'

const pairwise = { form: 'pairwise', learnsFrom: 'clicks' } as const

/** softplus(−(s_i − s_j)), s being scores, i clicked and j not (Rendle et al. 2009). */
export const bpr: Loss<'bpr'> = {
  ...pairwise,
  name: 'bpr',
  label: 'BPR',
  family: 'plain',
  weights: 'none',
  meaning:
    'Ranks every click above an item that was not clicked; items shown more often are learnt more (Rendle et al. 2009).',
  docs: 'losses.md#bpr',
}

/** ω · softplus(−(s_i − s_j)), ω being weights π/b with mean 1. */
export const ipsBpr: Loss<'ips-bpr'> = {
  ...pairwise,
  name: 'ips-bpr',
  label: 'IPS-BPR',
  family: 'weighted',
  weights: 'ips',
  unweighted: bpr.name,
  meaning: 'BPR with every click weighted by 1/propensity, as if all items had been shown equally often.',
  docs: 'losses.md#ips-bpr',
}

/** Σωℓ/Σω over each batch instead of a mean (Swaminathan & Joachims 2015). */
const snBpr: Loss<'sn-bpr'> = {
  ...pairwise,
  name: 'sn-bpr',
  label: 'SN-BPR',
  family: 'weighted',
  weights: 'ips',
  selfNormalised: true,
  unweighted: bpr.name,
  meaning: 'IPS-BPR with the weights of each batch divided by their sum: less variance, for a small bias.',
  docs: 'losses.md#sn-bpr',
}

/**
 * (1/θ)·softplus(−(s_i − s_j)) with j drawn from all items and left out where it was clicked: the non-negative form
 * of the unbiased pairwise loss (Saito 2020).
 */
const ubpr: Loss<'ubpr'> = {
  ...pairwise,
  name: 'ubpr',
  label: 'UBPR',
  family: 'weighted',
  weights: 'exposure',
  drawsFromAll: true,
  unweighted: bpr.name,
  meaning:
    'BPR with the propensity taken as the probability of having been seen, in its non-negative form (Saito 2020).',
  docs: 'losses.md#ubpr',
}

const pointwise = { form: 'pointwise', learnsFrom: 'impressions' } as const

/** Cross-entropy of every logged impression, clicked or not. */
const bce: Loss<'bce'> = {
  ...pointwise,
  name: 'bce',
  label: 'BCE',
  family: 'plain',
  weights: 'none',
  meaning: 'Separates clicked impressions from those that were shown and not clicked.',
  docs: 'losses.md#bce',
}

/** Cross-entropy times ω, ω being weights π/b with mean 1. */
const ipsBce: Loss<'ips-bce'> = {
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
const snBce: Loss<'sn-bce'> = {
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
const relmf: Loss<'relmf'> = {
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

const ofChoice = { form: 'softmax', learnsFrom: 'clicks' } as const

/** −log of the clicked item's share among all items, estimated from some drawn ones. */
export const softmax: Loss<'softmax'> = {
  ...ofChoice,
  name: 'softmax',
  label: 'Softmax',
  family: 'plain',
  weights: 'none',
  meaning: 'Picks the clicked item from among randomly drawn ones, corrected for how they were drawn.',
  docs: 'losses.md#softmax',
}

/** The same times ω, ω being weights π/b with mean 1. */
export const ipsSoftmax: Loss<'ips-softmax'> = {
  ...ofChoice,
  name: 'ips-softmax',
  label: 'IPS-softmax',
  family: 'weighted',
  weights: 'ips',
  unweighted: softmax.name,
  meaning: 'Softmax with every click weighted by 1/propensity.',
  docs: 'losses.md#ips-softmax',
}

const rating = { form: 'squared', learnsFrom: 'impressions' } as const

/** (s − r)² of every rating. */
export const mse: Loss<'mse'> = {
  ...rating,
  name: 'mse',
  label: 'MSE',
  family: 'plain',
  weights: 'none',
  meaning: 'Squared error of every rating: predicts the ratings of pairs that users chose to rate.',
  docs: 'ratings.md#mse',
}

/** ω · (s − r)², ω being weights 1/b with mean 1 (Schnabel et al. 2016). */
export const ipsMse: Loss<'ips-mse'> = {
  ...rating,
  name: 'ips-mse',
  label: 'IPS-MSE',
  family: 'weighted',
  weights: 'ips',
  unweighted: mse.name,
  meaning:
    'Squared error with every rating weighted by 1/propensity, as if all pairs had been rated (MF-IPS; Schnabel et al. 2016).',
  docs: 'ratings.md#ips-mse',
}

/** (s − r̃)² of all pairs + ω · ((s − r)² − (s − r̃)²) of the rated ones, r̃ imputed by a second model (Wang et al. 2019). */
export const drJl: Loss<'dr-jl'> = {
  ...rating,
  name: 'dr-jl',
  label: 'DR-JL',
  family: 'weighted',
  weights: 'ips',
  imputes: true,
  withoutResampling:
    'takes imputed errors back from rated pairs, and events cannot be drawn with negative probability',
  unweighted: mse.name,
  meaning:
    'Doubly robust: errors of all pairs imputed by a second model learnt beside the first, corrected on the rated ones (Wang et al. 2019).',
  docs: 'ratings.md#dr-jl',
}

const ALL = [
  bpr,
  ipsBpr,
  snBpr,
  bce,
  ipsBce,
  snBce,
  softmax,
  ipsSoftmax,
  relmf,
  ubpr,
  mse,
  ipsMse,
  drJl,
  ips,
  clippedIps,
  snips,
  poem,
  normPoem,
  dr,
  logSmoothing,
  weightedLikelihood,
] as const

export type LossName = (typeof ALL)[number]['name']

/** The losses that can be trained, by name; objectives are the losses of the policy form. */
export const LOSSES: Registry<Loss<LossName>> = new Registry('loss', ALL)
