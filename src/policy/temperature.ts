import { badOption } from '../error.js'
import { exp } from '../portable-math.js'

/** Throws for anything but a number above 0; Infinity is allowed. */
export function requireTemperature(name: string, temperature: number): void {
  if (!(temperature > 0))
    throw badOption(
      `Policy ${name}: a temperature of ${temperature} is not above 0.`,
      'Use a number above 0: near 0 shows only the best item, Infinity is uniform.',
    )
}

/** exp(score / temperature) for each item, relative to the best, which has 1; 0 for scores of −Infinity. */
export function weightsOf(scores: Float64Array, temperature: number): Float64Array {
  const best = scores.reduce((a, b) => Math.max(a, b), -Infinity)
  // Subtracting the best score keeps exp within range and does not change the ratios.
  return scores.map((score) => (score === -Infinity ? 0 : exp((score - best) / temperature)))
}
