import type { EstimatorFamily } from '../estimate/estimator.js'
import { ESTIMATORS } from '../estimate/estimators/index.js'
import { LOSSES } from '../train/losses/index.js'
import type { TrainSettings } from '../train/settings.js'
import type { ColourName } from './theme.js'

const COLOURS: Readonly<Record<EstimatorFamily, ColourName>> = {
  model: 'dm',
  weighted: 'ips',
  'self-normalised': 'snips',
  'doubly-robust': 'dr',
}

/** The colour of an estimator's family, by its name or its label; ink for any other. */
export function familyColour(estimator: string): ColourName {
  const named =
    ESTIMATORS.find(estimator.toLowerCase()) ?? ESTIMATORS.all.find(({ label }) => label === estimator)
  return named ? COLOURS[named.family] : 'ink'
}

/** The colour of what was trained: orange where events are weighted, blue where a regulariser holds their weights back, ink for plain losses. */
export function lossColour(settings: Pick<TrainSettings, 'loss' | 'regulariser'> | undefined): ColourName {
  if (!settings || LOSSES.find(settings.loss)?.weights === 'none') return 'ink'
  return settings.regulariser.kind === 'none' ? 'ips-bpr' : 'ips-bpr-pr'
}
