import { advice, set } from '../advice.js'
import { Registry } from '../registry.js'
import { estimationBy, popularityModel } from './exposure-model.js'
import { logisticModel } from './logistic.js'
import { naiveBayes as naiveBayesPropensity } from './naive-bayes.js'
import { positionPropensity } from './position.js'
import type { ChoiceOf, PropensityChoice, StandIn } from './stand-in.js'

const standIn = <Kind extends PropensityChoice['kind']>(
  name: Kind,
  about: Omit<StandIn<ChoiceOf<Kind>>, 'name' | 'docs'>,
): StandIn<ChoiceOf<Kind>> => ({ name, docs: `propensities.md#${name}`, ...about }) as StandIn<ChoiceOf<Kind>>

const none = standIn('none', {
  label: 'none',
  family: 'none',
  meaning: 'Leaves propensities unknown; only what needs none is computed.',
  typed: 'none',
  parse: (argument) => (argument === undefined ? { kind: 'none' } : undefined),
})

export const uniform = standIn('uniform', {
  label: 'uniform',
  family: 'assumed',
  meaning: 'Assumes that every item of the log was equally likely to be shown.',
  typed: 'uniform',
  parse: (argument) => (argument === undefined ? { kind: 'uniform' } : undefined),
  assumed: (_, items) => 1 / items,
})

const constant = standIn('constant', {
  label: 'constant',
  family: 'assumed',
  meaning: 'Assumes that every impression had the same probability.',
  typed: 'constant:P',
  argument: 'P is that probability.',
  needs: 'probability',
  parse: (argument = '') => {
    const value = argument === '' ? NaN : Number(argument)
    return value > 0 && value <= 1 ? { kind: 'constant', value } : undefined
  },
  assumed: ({ value }) => value,
})

const popularity = standIn('popularity', {
  label: 'popularity',
  family: 'estimated',
  meaning: 'Estimated from how often other users were shown the item.',
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
})

const logistic = standIn('logistic', {
  label: 'logistic',
  family: 'estimated',
  meaning: 'Estimated from the activity of the user and the frequency of the item.',
  typed: 'logistic',
  parse: (argument) => (argument === undefined ? { kind: 'logistic' } : undefined),
  estimated: {
    probabilityOf: 'shown',
    estimate: (log, _, folds) => estimationBy(log, logisticModel(log, folds)),
    remedy: advice`Choose ${set('propensity', popularity.name)}`,
    compares: 'Probability that an impression shows an item, predicted by logistic regression and observed',
    bins: 'user–item pairs',
  },
})

const naiveBayes = standIn('naive-bayes', {
  label: 'naive Bayes',
  family: 'estimated',
  meaning: 'Estimated from the rewards, compared with those of uniformly random impressions.',
  typed: 'naive-bayes:FILE',
  argument: 'FILE holds those impressions in the same layout as the log.',
  needs: 'file',
  parse: (argument) => (argument ? { kind: 'naive-bayes', slice: argument } : undefined),
  estimated: {
    probabilityOf: 'shown',
    estimate: (log, { slice }, folds) => naiveBayesPropensity(log, folds, slice),
    remedy: advice`Provide a larger random slice, or merge rewards with ${set('clickFrom', 'N')}`,
    compares: 'Probability that an impression shows an item with a given reward, predicted and observed',
  },
})

const position = standIn('position', {
  label: 'position',
  family: 'estimated',
  meaning: 'Estimated: how likely an item at its position was seen; for training weights.',
  typed: 'position',
  parse: (argument) => (argument === undefined ? { kind: 'position' } : undefined),
  estimated: {
    probabilityOf: 'seen',
    estimate: (log, _, folds) => positionPropensity(log, folds),
    remedy: 'Too few items were clicked there and shown elsewhere: use a longer log',
    rowText: (log, row) => ` at position ${log.position![row]}`,
    compares: 'Probability that an item was seen, predicted by its position and observed from clicks',
  },
})

/** What can stand in for propensities that were not logged, by name. There is no default. */
export const PROPENSITIES: Registry<StandIn> = new Registry('stand-in for propensities', [
  none,
  uniform,
  constant,
  popularity,
  logistic,
  naiveBayes,
  position,
])
