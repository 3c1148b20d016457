import { LOSS } from './loss.js'
import { DEFAULT_SETTINGS, type LossName, type Regulariser, type TrainSettings } from './settings.js'

/**
 * All settings of a training, those chosen first. A loss that was not chosen follows from the log: `ips-bpr`
 * where it has propensities, else `bpr`. A regulariser that was not chosen follows from the loss: shrink with
 * α = 0.1 for those weighted by π/b, else none. The others are those of `DEFAULT_SETTINGS`.
 */
export function settingsFor(hasPropensities: boolean, chosen: Partial<TrainSettings> = {}): TrainSettings {
  const loss = chosen.loss ?? (hasPropensities ? 'ips-bpr' : 'bpr')
  return { ...DEFAULT_SETTINGS, regulariser: usualRegulariser(loss), ...chosen, loss }
}

const usualRegulariser = (loss: LossName): Regulariser =>
  LOSS[loss].weights === 'ips' ? { kind: 'shrink', strength: 0.1 } : DEFAULT_SETTINGS.regulariser
