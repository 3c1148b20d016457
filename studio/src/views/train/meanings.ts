import type { LossName, RegulariserName, StoppingMeasure, TrainSettings } from '$core/train/settings.js'

/** What each model is, in a line. */
export const MODEL_MEANINGS: Readonly<Record<TrainSettings['model'], string>> = {
  lightgcn: 'LightGCN: users and items are averaged over those they share clicks with (He et al. 2020).',
  mf: 'Matrix factorisation: a vector for each user and each item, and nothing passed between them.',
}

/** What each loss does, in a line. w = π/b says how many times as often a uniform policy would show the item. */
export const LOSS_MEANINGS: Readonly<Record<LossName, string>> = {
  bpr: 'Ranks every click above an item that was not clicked; what was shown more often is learnt more (Rendle et al. 2009).',
  'ips-bpr': 'BPR with every click weighted by 1/propensity: rarely shown items count as if shown alike.',
  'sn-bpr': 'IPS-BPR with the weights of each batch divided by their sum: varies less, at a small bias.',
  bce: 'Tells clicked impressions from shown ones that were not clicked.',
  'ips-bce': 'BCE with every impression weighted by 1/propensity.',
  'sn-bce': 'IPS-BCE with the weights of each batch divided by their sum: varies less, at a small bias.',
  softmax: 'Picks the clicked item out among 16 drawn ones, corrected for how they were drawn.',
  'ips-softmax': 'Softmax with every click weighted by 1/propensity.',
  relmf:
    'Takes the propensity for the chance to have been seen: a missing click on a hidden item says little (Saito et al. 2020).',
  ubpr: 'BPR with the propensity taken for the chance to have been seen, kept from going below zero (Saito 2020).',
}

/** What each regulariser does with the weights, in a line, and what its strength is called. */
export const REGULARISER_MEANINGS: Readonly<
  Record<RegulariserName, { readonly meaning: string; readonly strength?: string }>
> = {
  none: { meaning: 'Weights stay as they are: unbiased, and ruled by the rarest clicks.' },
  shrink: { meaning: 'ω = w/(1 + αw): no weight above 1/α.', strength: 'α' },
  clip: { meaning: 'ω = min(w, bound): weights are cut off.', strength: 'Largest weight' },
  power: { meaning: 'ω = w to a power from 1 (as they are) to 0 (all alike).', strength: 'Power' },
  ess: { meaning: 'Trades closeness to w for a larger effective sample.', strength: 'α' },
  variance: {
    meaning: 'Adds α standard errors of the weighted loss to it (Swaminathan & Joachims 2015).',
    strength: 'α',
  },
  literal: {
    meaning: 'Adds α·mean(w²) to the loss. It has no gradient, so the model stays the same.',
    strength: 'α',
  },
}

/** What decides which epoch is kept, in a line. */
export const STOPPING_MEANINGS: Readonly<Record<StoppingMeasure, string>> = {
  ndcg: 'NDCG@k on the validation clicks: how early a user’s held-out clicks stand.',
  recall: 'Recall@k on the validation clicks: the share of them among the first k.',
  mrr: 'MRR@k on the validation clicks: one over the place of the first of them.',
  snips: 'SNIPS of the model’s policy on the validation rows: does not favour what was shown most.',
  unbiased: 'NDCG@k with clicks weighted by 1/propensity, as under uniform exposure.',
}
