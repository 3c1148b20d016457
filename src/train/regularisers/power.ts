import { exp, log } from '../../portable-math.js'
import type { RegulariserKind } from './regulariser-kind.js'

/** ω = w^power, from 1 (IPS) to 0 (no weights). */
export const power: RegulariserKind<'power'> = {
  name: 'power',
  label: 'power',
  family: 'weights',
  meaning: 'ω = w to a power from 1 (unchanged) to 0 (all equal).',
  docs: 'regularisers.md#power',
  strength: {
    label: 'Power',
    placeholder: 'P',
    usual: 0.5,
    least: 0,
    most: 1,
    expected: 'an exponent from 0 to 1',
  },
  change: (weights, strength) => weights.map((w) => (w === 0 ? 0 : exp(strength * log(w)))),
}
