import { advice, set } from '../../advice.js'
import { naiveBayes as estimate } from '../naive-bayes.js'
import type { ChoiceOf, StandIn } from './stand-in.js'

export const naiveBayes: StandIn<ChoiceOf<'naive-bayes'>> = {
  name: 'naive-bayes',
  label: 'naive Bayes',
  family: 'estimated',
  meaning: 'Estimated from the rewards, beside those of uniformly random impressions.',
  docs: 'propensities.md#naive-bayes',
  typed: 'naive-bayes:FILE',
  argument: 'FILE holds those impressions, laid out as the log is.',
  needs: 'file',
  parse: (argument) => (argument ? { kind: 'naive-bayes', slice: argument } : undefined),
  estimated: {
    probabilityOf: 'shown',
    estimate: (log, { slice }, folds) => estimate(log, folds, slice),
    remedy: advice`Give a larger random slice, or merge rewards with ${set('clickFrom', 'N')}`,
    compares: 'Probability of one impression to show an item of a given reward, predicted and observed',
  },
}
