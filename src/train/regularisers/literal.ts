import { sumOf } from '../mean-one.js'
import { alpha } from './alpha.js'
import type { RegulariserKind } from './regulariser-kind.js'

/** ω = w. A penalty α·mean(w²) on weights that do not depend on the model has no gradient: it cannot change the model. */
export const literal: RegulariserKind<'literal'> = {
  name: 'literal',
  label: 'literal',
  family: 'report',
  meaning: 'Adds α·mean(w²) to the loss. It has no gradient, so the model stays the same.',
  docs: 'regularisers.md#literal',
  strength: alpha,
  penalty: (weights, strength) => (strength * sumOf(weights.map((w) => w * w))) / weights.length,
  note: 'The literal regulariser adds α·mean(w²) to the loss. The weights do not depend on the model, so it has no gradient and does not change the model.',
}
