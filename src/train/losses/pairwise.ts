import type { Loss } from './loss.js'

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
export const snBpr: Loss<'sn-bpr'> = {
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
export const ubpr: Loss<'ubpr'> = {
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
