import { alpha } from './alpha.js'
import type { RegulariserKind } from './regulariser-kind.js'

/** ω = w; α·√(Var(ωℓ)/B) is added to each batch inside the kernel. */
export const variance: RegulariserKind<'variance'> = {
  name: 'variance',
  label: 'variance',
  family: 'losses',
  meaning:
    'Adds α standard errors of the weighted loss to the loss, which makes large losses count more; to hold large weights back, take the objective poem.',
  docs: 'regularisers.md#variance',
  strength: alpha,
  note: 'The variance penalty makes large losses count more. These losses are positive, so heavy and badly ranked clicks gain influence: it does not hold large weights back. The objective poem does.',
}
