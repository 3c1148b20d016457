import type { ChoiceOf, StandIn } from './stand-in.js'

export const none: StandIn<ChoiceOf<'none'>> = {
  name: 'none',
  label: 'none',
  family: 'none',
  meaning: 'Leaves propensities unknown; only what needs none is computed.',
  docs: 'propensities.md#none',
  typed: 'none',
  parse: (argument) => (argument === undefined ? { kind: 'none' } : undefined),
}
