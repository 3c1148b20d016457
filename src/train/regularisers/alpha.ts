import type { Strength } from './regulariser-kind.js'

/** α, the strength of a penalty. */
export const alpha: Strength = {
  label: 'α',
  placeholder: 'A',
  usual: 0.1,
  least: 0,
  most: Number.MAX_VALUE,
  expected: 'a number of at least 0',
}
