import type { ChoiceOf, StandIn } from './stand-in.js'

export const uniform: StandIn<ChoiceOf<'uniform'>> = {
  name: 'uniform',
  label: 'uniform',
  family: 'assumed',
  meaning: 'Assumes that every item of the log was equally likely to be shown.',
  docs: 'propensities.md#uniform',
  typed: 'uniform',
  parse: (argument) => (argument === undefined ? { kind: 'uniform' } : undefined),
  assumed: (_, items) => 1 / items,
}
