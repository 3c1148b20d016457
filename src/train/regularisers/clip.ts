import type { RegulariserKind } from './regulariser-kind.js'

/** ω = min(w, bound). */
export const clip: RegulariserKind<'clip'> = {
  name: 'clip',
  label: 'clip',
  family: 'weights',
  meaning: 'ω = min(w, bound): weights are clipped at a bound.',
  docs: 'regularisers.md#clip',
  strength: {
    label: 'Largest weight',
    placeholder: 'MAX',
    usual: 10,
    least: Number.MIN_VALUE,
    most: Infinity,
    expected: 'the largest weight, above 0',
  },
  change: (weights, strength) => weights.map((w) => Math.min(w, strength)),
}
