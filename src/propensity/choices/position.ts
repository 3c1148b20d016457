import { positionPropensity } from '../position.js'
import type { ChoiceOf, StandIn } from './stand-in.js'

export const position: StandIn<ChoiceOf<'position'>> = {
  name: 'position',
  label: 'position',
  family: 'estimated',
  meaning: 'Estimated: how likely an item at its position was seen; for training weights.',
  docs: 'propensities.md#position',
  typed: 'position',
  parse: (argument) => (argument === undefined ? { kind: 'position' } : undefined),
  estimated: {
    probabilityOf: 'seen',
    estimate: (log, _, folds) => positionPropensity(log, folds),
    remedy: 'Too few items were clicked there and shown elsewhere: use a longer log',
    rowText: (log, row) => ` at position ${log.position![row]}`,
    compares: 'Probability that an item was seen, predicted by its position and observed from clicks',
  },
}
