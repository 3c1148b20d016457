import { alpha } from './alpha.js'
import type { RegulariserKind } from './regulariser-kind.js'

/** ω = w; α·√(Var(ωℓ)/B) is added to each batch inside the kernel. */
export const variance: RegulariserKind<'variance'> = {
  name: 'variance',
  label: 'variance',
  family: 'losses',
  meaning: 'Adds α standard errors of the weighted loss to the loss (Swaminathan & Joachims 2015).',
  docs: 'regularisers.md#variance',
  strength: alpha,
}
