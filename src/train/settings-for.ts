import { type LossName, LOSSES } from './losses/index.js'
import { bpr, ipsBpr } from './losses/pairwise.js'
import { shrink } from './regularisers/shrink.js'
import { lowerBound } from './stopping-measures.js'
import { DEFAULT_SETTINGS, type Regulariser, type TrainSettings } from './settings.js'

/** The regulariser of the weights unless another is chosen. */
export const TEMPERED: Regulariser = { kind: shrink.name, strength: shrink.strength!.usual }

/** What objectives are trained with unless otherwise chosen: all items while they are few, and a choice of the epoch by what the policy surely earns. */
const FOR_OBJECTIVES = { drawn: 511, stopOn: lowerBound.name } as const satisfies Partial<TrainSettings>

/**
 * All settings of a training, those chosen first. A loss that was not chosen follows from the log: `ips-bpr`
 * where it has propensities, else `bpr`. A regulariser that was not chosen follows from the loss: shrink with
 * α = 0.1 for those weighted by π/b, else none. Objectives stop on the lower bound of the policy's value. The others
 * are those of `DEFAULT_SETTINGS`.
 */
export function settingsFor(hasPropensities: boolean, chosen: Partial<TrainSettings> = {}): TrainSettings {
  const loss = chosen.loss ?? (hasPropensities ? ipsBpr : bpr).name
  return {
    ...DEFAULT_SETTINGS,
    regulariser: usualRegulariser(loss),
    ...(LOSSES.named(loss).objective && FOR_OBJECTIVES),
    ...chosen,
    loss,
  }
}

const usualRegulariser = (loss: LossName): Regulariser =>
  LOSSES.named(loss).weights === 'ips' ? TEMPERED : DEFAULT_SETTINGS.regulariser
