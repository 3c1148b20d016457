import { HindcastError } from '../error.js'

/** Throws for anything but a whole number of at least 1. */
export function requireCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1)
    throw new HindcastError('bad-option', `${value} ${name} are not possible.`, {
      remedy: `Use a whole number of ${name}, at least 1.`,
    })
}
