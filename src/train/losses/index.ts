import { recordsOf, Registry } from '../../registry.js'
import type { Loss } from './loss.js'
import { clippedIps, dr, ips, logSmoothing, normPoem, poem, snips, weightedLikelihood } from './policy.js'

const pairwise = recordsOf<Loss, 'family' | 'form' | 'learnsFrom'>('losses.md', {
  family: 'weighted',
  form: 'pairwise',
  learnsFrom: 'clicks',
})

/** softplus(−(s_i − s_j)), s being scores, i clicked and j not (Rendle et al. 2009). */
export const bpr = pairwise('bpr', {
  label: 'BPR',
  family: 'plain',
  weights: 'none',
  meaning:
    'Ranks every click above an item that was not clicked; items shown more often are learnt more (Rendle et al. 2009).',
})

/** ω · softplus(−(s_i − s_j)), ω being weights π/b with mean 1. */
export const ipsBpr = pairwise('ips-bpr', {
  label: 'IPS-BPR',
  weights: 'ips',
  unweighted: bpr.name,
  meaning: 'BPR with every click weighted by 1/propensity, as if all items had been shown equally often.',
})

/** Σωℓ/Σω over each batch instead of a mean (Swaminathan & Joachims 2015). */
const snBpr = pairwise('sn-bpr', {
  label: 'SN-BPR',
  weights: 'ips',
  selfNormalised: true,
  unweighted: bpr.name,
  meaning: 'IPS-BPR with the weights of each batch divided by their sum: less variance, for a small bias.',
})

/**
 * (1/θ)·softplus(−(s_i − s_j)) with j drawn from all items and left out where it was clicked: the non-negative form
 * of the unbiased pairwise loss (Saito 2020).
 */
const ubpr = pairwise('ubpr', {
  label: 'UBPR',
  weights: 'exposure',
  drawsFromAll: true,
  unweighted: bpr.name,
  meaning:
    'BPR with the propensity taken as the probability of having been seen, in its non-negative form (Saito 2020).',
})

const pointwise = recordsOf<Loss, 'family' | 'form' | 'learnsFrom'>('losses.md', {
  family: 'weighted',
  form: 'pointwise',
  learnsFrom: 'impressions',
})

/** Cross-entropy of every logged impression, clicked or not. */
const bce = pointwise('bce', {
  label: 'BCE',
  family: 'plain',
  weights: 'none',
  meaning: 'Separates clicked impressions from those that were shown and not clicked.',
})

/** Cross-entropy times ω, ω being weights π/b with mean 1. */
const ipsBce = pointwise('ips-bce', {
  label: 'IPS-BCE',
  weights: 'ips',
  unweighted: bce.name,
  meaning: 'BCE with every impression weighted by 1/propensity.',
})

/** Σωℓ/Σω over each batch instead of a mean (Swaminathan & Joachims 2015). */
const snBce = pointwise('sn-bce', {
  label: 'SN-BCE',
  weights: 'ips',
  selfNormalised: true,
  unweighted: bce.name,
  meaning: 'IPS-BCE with the weights of each batch divided by their sum: less variance, for a small bias.',
})

/** (1/θ)·softplus(−s) + (1 − 1/θ)·softplus(s) for clicks and softplus(s) for a drawn item (Saito et al. 2020). */
const relmf = pointwise('relmf', {
  label: 'RelMF',
  weights: 'exposure',
  learnsFrom: 'clicks',
  takesBack: true,
  withoutResampling:
    'gives clicks a negative weight 1 − 1/θ as "not clicked", and events cannot be drawn with negative probability',
  unweighted: bce.name,
  meaning:
    'Takes the propensity as the probability of having been seen: a missing click on a hidden item means little (Saito et al. 2020).',
})

const ofChoice = recordsOf<Loss, 'family' | 'form' | 'learnsFrom'>('losses.md', {
  family: 'weighted',
  form: 'softmax',
  learnsFrom: 'clicks',
})

/** −log of the clicked item's share among all items, estimated from some drawn ones. */
export const softmax = ofChoice('softmax', {
  label: 'Softmax',
  family: 'plain',
  weights: 'none',
  meaning: 'Picks the clicked item from among randomly drawn ones, corrected for how they were drawn.',
})

/** The same times ω, ω being weights π/b with mean 1. */
export const ipsSoftmax = ofChoice('ips-softmax', {
  label: 'IPS-softmax',
  weights: 'ips',
  unweighted: softmax.name,
  meaning: 'Softmax with every click weighted by 1/propensity.',
})

const rating = recordsOf<Loss, 'family' | 'form' | 'learnsFrom'>('ratings.md', {
  family: 'weighted',
  form: 'squared',
  learnsFrom: 'impressions',
})

/** (s − r)² of every rating. */
export const mse = rating('mse', {
  label: 'MSE',
  family: 'plain',
  weights: 'none',
  meaning: 'Squared error of every rating: predicts the ratings of pairs that users chose to rate.',
})

/** ω · (s − r)², ω being weights 1/b with mean 1 (Schnabel et al. 2016). */
export const ipsMse = rating('ips-mse', {
  label: 'IPS-MSE',
  weights: 'ips',
  unweighted: mse.name,
  meaning:
    'Squared error with every rating weighted by 1/propensity, as if all pairs had been rated (MF-IPS; Schnabel et al. 2016).',
})

/** (s − r̃)² of all pairs + ω · ((s − r)² − (s − r̃)²) of the rated ones, r̃ imputed by a second model (Wang et al. 2019). */
export const drJl = rating('dr-jl', {
  label: 'DR-JL',
  weights: 'ips',
  imputes: true,
  withoutResampling:
    'takes imputed errors back from rated pairs, and events cannot be drawn with negative probability',
  unweighted: mse.name,
  meaning:
    'Doubly robust: errors of all pairs imputed by a second model learnt beside the first, corrected on the rated ones (Wang et al. 2019).',
})

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
