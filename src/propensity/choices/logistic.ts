import { advice, set } from '../../advice.js'
import { estimationBy } from '../exposure-model.js'
import { logisticModel } from '../logistic.js'
import { popularity } from './popularity.js'
import type { ChoiceOf, StandIn } from './stand-in.js'

export const logistic: StandIn<ChoiceOf<'logistic'>> = {
  name: 'logistic',
  label: 'logistic',
  family: 'estimated',
  meaning: 'Estimated from the activity of the user and the frequency of the item.',
  docs: 'propensities.md#logistic',
  typed: 'logistic',
  parse: (argument) => (argument === undefined ? { kind: 'logistic' } : undefined),
  estimated: {
    probabilityOf: 'shown',
    estimate: (log, _, folds) => estimationBy(log, logisticModel(log, folds)),
    remedy: advice`Choose ${set('propensity', popularity.name)}`,
    compares: 'Probability that an impression shows an item, predicted by logistic regression and observed',
    bins: 'user–item pairs',
  },
}
