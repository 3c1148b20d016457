import type { LossForm } from '../../kernels/kernel.js'
import type { Named } from '../../registry.js'

/** The parts of a loss, which the trainer puts together. Lists show it under its family: with weights, or without. */
export interface Loss<Name extends string = string> extends Named<Name> {
  readonly family: 'plain' | 'weighted'
  readonly form: LossForm
  /** Its weights: none, w = π/b after the regulariser, or 1/θ with θ = b/max b, the probability of having been seen. */
  readonly weights: 'none' | 'ips' | 'exposure'
  /** What it learns from: clicks, or every impression, clicked or not. */
  readonly learnsFrom: 'clicks' | 'impressions'
  /** The name of the same loss without weights, which needs no propensities. */
  readonly unweighted?: string
  /** Weights are divided by those of the batch, instead of by the mean of all. */
  readonly selfNormalised?: true
  /** Negatives are drawn from all items, whatever the settings, and do not count where they were clicked. */
  readonly drawsFromAll?: true
  /** A click counts 1/θ as clicked and 1 − 1/θ as not clicked, so that weights are 1/θ itself, not of mean 1. */
  readonly takesBack?: true
  /** Why events cannot be drawn by weight, where they cannot: it follows "The loss …". */
  readonly withoutResampling?: string
}
