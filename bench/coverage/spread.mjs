// How the logit of a click differs between users or between days: shifts with their chances.

/** All alike. */
export const NO_SPREAD = [{ shift: 0, chance: 1 }]

/** Four equally likely kinds of users, with a standard deviation of 1 on the logit scale. */
export const FOUR_KINDS = [-1.34, -0.45, 0.45, 1.34].map((shift) => ({ shift, chance: 0.25 }))

/** A normal distribution by 61 evenly spaced points: exact to many digits for smooth functions. */
export function normalSpread(sd) {
  if (sd === 0) return NO_SPREAD
  const points = Array.from({ length: 61 }, (_, k) => -6 + k / 5)
  const densities = points.map((z) => Math.exp((-z * z) / 2))
  const total = densities.reduce((sum, density) => sum + density, 0)
  return points.map((z, k) => ({ shift: sd * z, chance: densities[k] / total }))
}

/** The sum of two independent shifts. */
export const bothSpreads = (one, other) =>
  one.flatMap((a) => other.map((b) => ({ shift: a.shift + b.shift, chance: a.chance * b.chance })))

export const expectation = (spread, f) =>
  spread.reduce((total, { shift, chance }) => total + chance * f(shift), 0)
