import type { Loss } from './loss.js'

const ofChoice = { form: 'softmax', learnsFrom: 'clicks' } as const

/** −log of the clicked item's share among all items, estimated from some drawn ones. */
export const softmax: Loss<'softmax'> = {
  ...ofChoice,
  name: 'softmax',
  label: 'Softmax',
  family: 'plain',
  weights: 'none',
  meaning: 'Picks the clicked item from among randomly drawn ones, corrected for how they were drawn.',
  docs: 'losses.md#softmax',
}

/** The same times ω, ω being weights π/b with mean 1. */
export const ipsSoftmax: Loss<'ips-softmax'> = {
  ...ofChoice,
  name: 'ips-softmax',
  label: 'IPS-softmax',
  family: 'weighted',
  weights: 'ips',
  unweighted: softmax.name,
  meaning: 'Softmax with every click weighted by 1/propensity.',
  docs: 'losses.md#ips-softmax',
}
