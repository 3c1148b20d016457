import { IALS_SWEEPS } from '../model/ials.js'
import { isLinear, isSolved, type TrainedModelName } from '../model/trained-models.js'
import { bpr, ipsSoftmax, LOSSES, type LossName, softmax } from './losses/index.js'
import { learnsRatings } from './rating-rows.js'
import { type Regulariser, shrink } from './regularisers.js'
import { lowerBound, unbiased } from './stopping-measures.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'
import { asksForGradients } from './unused-settings.js'

/** The regulariser of the weights unless another is chosen. */
export const TEMPERED: Regulariser = { kind: shrink.name, strength: shrink.strength!.usual }

/**
 * What objectives are trained with unless otherwise chosen: a model with a bias for each item, all items while they
 * are few, and a choice of the epoch by what the policy surely earns. They need few epochs, each of them long.
 */
const FOR_OBJECTIVES = {
  model: 'mf',
  drawn: 511,
  learningRate: 5e-3,
  stopOn: lowerBound.name,
  patience: 10,
} as const satisfies Partial<TrainSettings>

/** What linear policies are trained with besides: logs with features are often small, and an epoch of them has few steps. */
const FOR_LINEAR = {
  batch: 256,
  learningRate: 1e-2,
  l2: 1e-3,
  patienceSteps: 300,
} as const satisfies Partial<TrainSettings>

/** What rating losses are trained with: matrix factorisation with biases, and a choice of the epoch by the error. */
const FOR_RATINGS = {
  model: 'mf',
  dim: 32,
  learningRate: 0.01,
  l2: 0.1,
  patience: 30,
  regulariser: DEFAULT_SETTINGS.regulariser,
} as const satisfies Partial<TrainSettings>

/**
 * What softmax losses are trained with unless otherwise chosen, as experiments had it (bench/README.md). A rate that
 * leaves the popularity plateau, on which the first hundreds of steps change little; a penalty that keeps it from
 * overfitting; patience in steps, since an epoch of a small log has few.
 */
const FOR_SOFTMAX = {
  drawn: 128,
  layers: 2,
  learningRate: 1e-2,
  l2: 1e-2,
  patience: 5,
  patienceSteps: 300,
} as const satisfies Partial<TrainSettings>

/**
 * All settings of a training, those chosen first. Nothing chosen that needs gradients, on a log without propensities:
 * iALS, which was within a few per cent of the best on every log tried, and takes no luck with a learning rate. A loss that
 * was not chosen follows from the log: `ips-softmax` where it has propensities, stopped by what ranks well under uniform
 * exposure, else `softmax`. A regulariser that was not chosen follows from the loss: shrink with α = 0.1 for those
 * weighted by π/b, else none. Objectives, softmax and rating losses have defaults of their own. The others are those of
 * `DEFAULT_SETTINGS`.
 */
export function settingsFor(hasPropensities: boolean, chosen: Partial<TrainSettings> = {}): TrainSettings {
  const model = chosen.model ?? usualModel(hasPropensities, chosen)
  const loss = chosen.loss ?? usualLoss(hasPropensities, model)
  const { form, objective, weights } = LOSSES.named(loss)
  return {
    ...DEFAULT_SETTINGS,
    model,
    ...(model === 'ials' && { epochs: IALS_SWEEPS }),
    regulariser: usualRegulariser(loss),
    ...(objective && FOR_OBJECTIVES),
    ...(isLinear(model) && FOR_LINEAR),
    ...(form === 'softmax' && { ...FOR_SOFTMAX, ...(weights !== 'none' && { stopOn: unbiased.name }) }),
    ...(learnsRatings({ loss }) && { ...FOR_RATINGS, stopOn: ratingMeasure(loss) }),
    ...chosen,
    loss,
  }
}

const usualModel = (hasPropensities: boolean, chosen: Partial<TrainSettings>): TrainedModelName =>
  hasPropensities || asksForGradients(chosen) ? DEFAULT_SETTINGS.model : 'ials'

/** A model that is solved has no use for a loss; its place is taken by the one without weights. */
const usualLoss = (hasPropensities: boolean, model: TrainedModelName): LossName =>
  isSolved(model) ? bpr.name : hasPropensities ? ipsSoftmax.name : softmax.name

/** The error that the loss minimises. */
const ratingMeasure = (loss: LossName): TrainSettings['stopOn'] =>
  LOSSES.named(loss).weights === 'none' ? 'mse' : 'weighted-mse'

const usualRegulariser = (loss: LossName): Regulariser =>
  LOSSES.named(loss).weights === 'ips' ? TEMPERED : DEFAULT_SETTINGS.regulariser
