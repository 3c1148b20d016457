import { IALS_SWEEPS } from '../model/ials.js'
import { isSolved } from '../model/trained-models.js'
import { type LossName, LOSSES } from './losses/index.js'
import { bpr, ipsBpr } from './losses/pairwise.js'
import { learnsRatings } from './rating-rows.js'
import { shrink } from './regularisers/shrink.js'
import { lowerBound } from './stopping-measures.js'
import { DEFAULT_SETTINGS, type Regulariser, type TrainSettings } from './settings.js'

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
 * All settings of a training, those chosen first. A loss that was not chosen follows from the log: `ips-bpr`
 * where it has propensities, else `bpr`. A regulariser that was not chosen follows from the loss: shrink with
 * α = 0.1 for those weighted by π/b, else none. A model that is solved has no use for a loss. Objectives and rating losses have defaults of
 * their own. The others are those of `DEFAULT_SETTINGS`.
 */
export function settingsFor(hasPropensities: boolean, chosen: Partial<TrainSettings> = {}): TrainSettings {
  const model = chosen.model ?? DEFAULT_SETTINGS.model
  const loss = chosen.loss ?? (hasPropensities && !isSolved(model) ? ipsBpr : bpr).name
  return {
    ...DEFAULT_SETTINGS,
    ...(model === 'ials' && { epochs: IALS_SWEEPS }),
    regulariser: usualRegulariser(loss),
    ...(LOSSES.named(loss).objective && FOR_OBJECTIVES),
    ...(learnsRatings({ loss }) && { ...FOR_RATINGS, stopOn: ratingMeasure(loss) }),
    ...chosen,
    loss,
  }
}

/** The error that the loss minimises. */
const ratingMeasure = (loss: LossName): TrainSettings['stopOn'] =>
  LOSSES.named(loss).weights === 'none' ? 'mse' : 'weighted-mse'

const usualRegulariser = (loss: LossName): Regulariser =>
  LOSSES.named(loss).weights === 'ips' ? TEMPERED : DEFAULT_SETTINGS.regulariser
