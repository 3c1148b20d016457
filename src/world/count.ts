import { HindcastError } from '../error.js'

/** Refuses anything but a whole number of at least 1. */
export function requireCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1)
    throw new HindcastError('bad-option', `${value} ${name} cannot be had.`, {
      remedy: `Give a whole number of ${name} of at least 1.`,
    })
}
