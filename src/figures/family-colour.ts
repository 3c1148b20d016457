import type { EstimatorFamily } from '../estimate/estimator.js'
import { ESTIMATORS } from '../estimate/estimators/index.js'
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
