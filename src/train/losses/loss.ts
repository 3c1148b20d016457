import type { LossForm } from '../../kernels/kernel.js'
import type { PolicyTerms } from '../../kernels/policy-loss.js'
import type { Named } from '../../registry.js'
import type { Strength } from '../regularisers.js'

/** The parts of a loss, which the trainer puts together. Lists show it under its family: with weights, without, or an objective for a policy. */
export interface Loss<Name extends string = string> extends Named<Name> {
  readonly family: 'plain' | 'weighted' | 'policy'
  readonly form: LossForm
  /** Its weights: none, w = π/b after the regulariser, 1/θ with θ = b/max b, the probability of having been seen, or those of the policy that is learnt. */
  readonly weights: 'none' | 'ips' | 'exposure' | 'policy'
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
  /** Ratings of pairs that were not rated are imputed by a second model, learnt beside the first. */
  readonly imputes?: true
  /** What makes it an objective, in the policy form. */
  readonly objective?: Objective
}

/** A loss of the policy form: less of it is more of what the policy softmax(scores / T) would earn. */
export interface Objective {
  readonly curve: PolicyTerms['curve']
  /** The number that may follow its name, and what it is: M or λ of the curve, λ of the penalty on the variance, or λ taken from the rewards. */
  readonly parameter?: ObjectiveParameter
  /** Rewards are taken relative to the value of the policy, found anew before each epoch: the gradient of the self-normalised estimate. */
  readonly selfNormalises?: true
  /** Doubly robust, with the cross-fitted reward model. */
  readonly expects?: true
}

/** The number of an objective. Without a usual one, leaving it out means something else, which the objective says. */
export interface ObjectiveParameter extends Omit<Strength, 'usual'> {
  readonly of: 'curve' | 'variance' | 'rewards'
  readonly usual?: number
  /** One to show in an example. */
  readonly example: number
}
