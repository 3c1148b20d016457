import { estimationBy } from '../exposure-model.js'
import { popularityModel } from '../popularity.js'
import type { ChoiceOf, StandIn } from './stand-in.js'

export const popularity: StandIn<ChoiceOf<'popularity'>> = {
  name: 'popularity',
  label: 'popularity',
  family: 'estimated',
  meaning: 'Estimated from how often other users were shown the item.',
  docs: 'propensities.md#popularity',
  typed: 'popularity[:POWER]',
  argument: 'Frequencies are raised to POWER (default 1).',
  parse: (argument = '1') => {
    const power = argument === '' ? NaN : Number(argument)
    return Number.isFinite(power) ? { kind: 'popularity', power } : undefined
  },
  estimated: {
    probabilityOf: 'shown',
    estimate: (log, { power }, folds) => estimationBy(log, popularityModel(log, folds, power)),
    remedy: 'Use a power closer to 0',
    compares: 'Probability that an impression shows an item, predicted by popularity and observed',
    bins: 'user–item pairs',
  },
}
