import type { ChoiceOf, StandIn } from './stand-in.js'

export const constant: StandIn<ChoiceOf<'constant'>> = {
  name: 'constant',
  label: 'constant',
  family: 'assumed',
  meaning: 'Assumes that every impression had the same probability.',
  docs: 'propensities.md#constant',
  typed: 'constant:P',
  argument: 'P is that probability.',
  needs: 'probability',
  parse: (argument = '') => {
    const value = argument === '' ? NaN : Number(argument)
    return value > 0 && value <= 1 ? { kind: 'constant', value } : undefined
  },
  assumed: ({ value }) => value,
}
