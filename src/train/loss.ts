import type { LossForm } from '../kernels/kernel.js'
import type { LossName, TrainSettings } from './settings.js'

/** What a loss is, in parts that the trainer puts together. */
export interface Loss {
  readonly form: LossForm
  /** Its weights: none, w = π/b after the regulariser, or 1/θ with θ = b/max b, the chance to have been seen. */
  readonly weights: 'none' | 'ips' | 'exposure'
  /** Weights are divided by those of the batch, instead of by the mean of all. */
  readonly selfNormalised: boolean
}

const ofBpr = { form: 'pairwise', selfNormalised: false } as const
const ofBce = { form: 'pointwise', selfNormalised: false } as const
const ofSoftmax = { form: 'softmax', selfNormalised: false } as const

/**
 * The losses, s being scores and ω weights with mean 1:
 * - `bpr` softplus(−(s_i − s_j)), i clicked and j not (Rendle et al. 2009); `ips-bpr` times ω;
 * - `bce` cross-entropy of every logged impression, clicked or not; `ips-bce` times ω;
 * - `softmax` −log of the clicked item's share among all items, estimated from some drawn ones; `ips-softmax` times ω;
 * - `sn-bpr`, `sn-bce`: Σωℓ/Σω over each batch instead of a mean (Swaminathan & Joachims 2015);
 * - `relmf` (1/θ)·softplus(−s) + (1 − 1/θ)·softplus(s) for clicks and softplus(s) for a drawn item (Saito et al. 2020);
 * - `ubpr` (1/θ)·softplus(−(s_i − s_j)) with j drawn from all items and left out where it was clicked: the
 *   non-negative form of the unbiased pairwise loss (Saito 2020).
 */
export const LOSS: Readonly<Record<LossName, Loss>> = {
  bpr: { ...ofBpr, weights: 'none' },
  'ips-bpr': { ...ofBpr, weights: 'ips' },
  'sn-bpr': { ...ofBpr, weights: 'ips', selfNormalised: true },
  bce: { ...ofBce, weights: 'none' },
  'ips-bce': { ...ofBce, weights: 'ips' },
  'sn-bce': { ...ofBce, weights: 'ips', selfNormalised: true },
  softmax: { ...ofSoftmax, weights: 'none' },
  'ips-softmax': { ...ofSoftmax, weights: 'ips' },
  relmf: { ...ofBce, weights: 'exposure' },
  ubpr: { ...ofBpr, weights: 'exposure' },
}

/** Items a sample of the loss. */
export const itemsPerSample = ({ loss, drawn }: Pick<TrainSettings, 'loss' | 'drawn'>): number =>
  ({ pairwise: 2, pointwise: 1, softmax: 1 + drawn })[LOSS[loss].form]
