import { LOSSES } from '../train/losses/index.js'
import type { TrainSettings } from '../train/settings.js'
import type { ColourName } from './theme.js'

/** The colour of what was trained: orange where events are weighted, blue where a regulariser holds their weights back, ink for plain losses. */
export function lossColour(settings: Pick<TrainSettings, 'loss' | 'regulariser'> | undefined): ColourName {
  if (!settings || LOSSES.find(settings.loss)?.weights === 'none') return 'ink'
  return settings.regulariser.kind === 'none' ? 'ips-bpr' : 'ips-bpr-pr'
}
