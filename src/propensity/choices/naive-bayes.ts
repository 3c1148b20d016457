import { advice, set } from '../../advice.js'
import { naiveBayes as estimate } from '../naive-bayes.js'
import type { ChoiceOf, StandIn } from './stand-in.js'

export const naiveBayes: StandIn<ChoiceOf<'naive-bayes'>> = {
  name: 'naive-bayes',
  label: 'naive Bayes',
  family: 'estimated',
  meaning: 'Estimated from the rewards, compared with those of uniformly random impressions.',
  docs: 'propensities.md#naive-bayes',
  typed: 'naive-bayes:FILE',
  argument: 'FILE holds those impressions in the same layout as the log.',
  needs: 'file',
  parse: (argument) => (argument ? { kind: 'naive-bayes', slice: argument } : undefined),
  estimated: {
    probabilityOf: 'shown',
    estimate: (log, { slice }, folds) => estimate(log, folds, slice),
    remedy: advice`Provide a larger random slice, or merge rewards with ${set('clickFrom', 'N')}`,
    compares: 'Probability that an impression shows an item with a given reward, predicted and observed',
  },
}
