import { type LossName, LOSSES } from './losses/index.js'
import { bpr, ipsBpr } from './losses/pairwise.js'
import { shrink } from './regularisers/shrink.js'
import { DEFAULT_SETTINGS, type Regulariser, type TrainSettings } from './settings.js'

/** The regulariser of the weights unless another is chosen. */
export const TEMPERED: Regulariser = { kind: shrink.name, strength: shrink.strength!.usual }

/**
 * All settings of a training, those chosen first. A loss that was not chosen follows from the log: `ips-bpr`
 * where it has propensities, else `bpr`. A regulariser that was not chosen follows from the loss: shrink with
 * α = 0.1 for those weighted by π/b, else none. The others are those of `DEFAULT_SETTINGS`.
 */
export function settingsFor(hasPropensities: boolean, chosen: Partial<TrainSettings> = {}): TrainSettings {
  const loss = chosen.loss ?? (hasPropensities ? ipsBpr : bpr).name
  return { ...DEFAULT_SETTINGS, regulariser: usualRegulariser(loss), ...chosen, loss }
}

const usualRegulariser = (loss: LossName): Regulariser =>
  LOSSES.named(loss).weights === 'ips' ? TEMPERED : DEFAULT_SETTINGS.regulariser
