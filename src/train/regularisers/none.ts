import type { RegulariserKind } from './regulariser-kind.js'

/** ω = w. */
export const none: RegulariserKind<'none'> = {
  name: 'none',
  label: 'none',
  family: 'none',
  meaning: 'Weights stay as they are: unbiased, but dominated by the rarest clicks.',
  docs: 'regularisers.md#none',
}
