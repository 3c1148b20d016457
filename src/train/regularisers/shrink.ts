import { alpha } from './alpha.js'
import type { RegulariserKind } from './regulariser-kind.js'

/**
 * ω = w/(1 + αw), which minimises Σ (ω − w)²/(2w) + (α/2)·ω². α = 0 is IPS, α → ∞ no weights at all, and no weight is
 * above 1/α.
 */
export const shrink: RegulariserKind<'shrink'> = {
  name: 'shrink',
  label: 'shrink',
  family: 'weights',
  meaning: 'ω = w/(1 + αw): no weight above 1/α.',
  docs: 'regularisers.md#shrink',
  strength: alpha,
  change: (weights, strength) => weights.map((w) => w / (1 + strength * w)),
}
