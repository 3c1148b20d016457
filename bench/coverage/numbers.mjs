// The little mathematics that the worlds share.
export const logistic = (x) => 1 / (1 + Math.exp(-x))

export const sum = (values) => values.reduce((total, value) => total + value, 0)

/** Shares of a whole, in proportion. */
export const normalised = (values) => {
  const total = sum(values)
  return Float64Array.from(values, (value) => value / total)
}

export const softmax = (scores) => normalised(Array.from(scores, (score) => Math.exp(score)))

export const runningSums = (values) => {
  let running = 0
  return Float64Array.from(values, (value) => (running += value))
}

/** A root of an increasing function, by bisection. */
export function solve(f, low, high, steps = 60) {
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2
    if (f(middle) < 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** `count` numbers evenly spread over [−2, 2]: the appeal of items. */
export const evenAppeal = (count) => Array.from({ length: count }, (_, k) => -2 + (4 * k) / (count - 1))

/** E_b[w²] = Σ π²/b, the inverse of ESS/n on average. */
export const secondMoment = (target, logging) => sum(Array.from(target, (p, k) => (p * p) / logging[k]))
