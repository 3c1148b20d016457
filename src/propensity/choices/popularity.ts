import { estimationBy } from '../exposure-model.js'
import { popularityModel } from '../popularity.js'
import type { ChoiceOf, StandIn } from './stand-in.js'

export const popularity: StandIn<ChoiceOf<'popularity'>> = {
  name: 'popularity',
  label: 'popularity',
  family: 'estimated',
  meaning: 'Estimated: an item was as likely as it was frequent among other users.',
  docs: 'propensities.md#popularity',
  typed: 'popularity[:POWER]',
  argument: 'Frequencies are raised to POWER, 1 if not given.',
  parse: (argument = '1') => {
    const power = argument === '' ? NaN : Number(argument)
    return Number.isFinite(power) ? { kind: 'popularity', power } : undefined
  },
  estimated: {
    probabilityOf: 'shown',
    estimate: (log, { power }, folds) => estimationBy(log, popularityModel(log, folds, power)),
    remedy: 'Give a power closer to 0',
    compares: 'Probability of one impression to show an item, predicted by popularity and observed',
    bins: 'pairs of user and item',
  },
}
