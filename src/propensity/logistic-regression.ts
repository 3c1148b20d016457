import { advice, set } from '../advice.js'
import { badOption } from '../error.js'
import { exp, softplus } from '../portable-math.js'

/** Grouped data for a logistic regression: cell c has `trials[c]` trials, all with the same features. */
export interface GroupedTrials {
  readonly features: number
  /** The features of cell 0, then those of cell 1, … */
  readonly design: Float64Array
  readonly trials: Float64Array
  readonly successes: Float64Array
}

const MOST_STEPS = 100
const TOLERANCE = 1e-10

/**
 * Coefficients β of P(success) = 1/(1 + e^(−xβ)) by maximum likelihood, using Newton's method with steps
 * halved until the likelihood increases (McCullagh & Nelder 1989, §4.4). A feature that is a linear
 * combination of earlier ones gets coefficient 0, as a constant one does next to an intercept.
 */
export function logisticRegression(data: GroupedTrials): Float64Array {
  const { features } = data
  let coefficients: Float64Array = new Float64Array(features)
  let likelihood = logLikelihood(data, coefficients)
  for (let step = 0; step < MOST_STEPS; step++) {
    const direction = newtonStep(data, coefficients)
    let length = 1
    let next = coefficients
    let reached = likelihood
    do {
      next = coefficients.map((value, k) => value + length * direction[k]!)
      reached = logLikelihood(data, next)
      length /= 2
    } while (!(reached >= likelihood) && length > 1e-6)
    if (!(reached - likelihood > TOLERANCE * (1 + Math.abs(likelihood))))
      return reached >= likelihood ? next : coefficients
    coefficients = next
    likelihood = reached
  }
  throw badOption(
    `The logistic regression did not converge in ${MOST_STEPS} steps.`,
    advice`Choose ${set('propensity', 'popularity')}.`,
  )
}

/** x·β of a cell. */
function logOdds({ features, design }: GroupedTrials, cell: number, coefficients: Float64Array): number {
  let sum = 0
  for (let k = 0; k < features; k++) sum += design[cell * features + k]! * coefficients[k]!
  return sum
}

/** Σ successes · x·β − trials · ln(1 + e^(x·β)). */
function logLikelihood(data: GroupedTrials, coefficients: Float64Array): number {
  let sum = 0
  for (let cell = 0; cell < data.trials.length; cell++) {
    const odds = logOdds(data, cell, coefficients)
    sum += data.successes[cell]! * odds - data.trials[cell]! * softplus(odds)
  }
  return sum
}

/** (Xᵀ W X)⁻¹ Xᵀ (successes − trials · p) with W = trials · p (1 − p). */
function newtonStep(data: GroupedTrials, coefficients: Float64Array): Float64Array {
  const { features, design, trials, successes } = data
  const information = new Float64Array(features * features)
  const gradient = new Float64Array(features)
  for (let cell = 0; cell < trials.length; cell++) {
    const p = 1 / (1 + exp(-logOdds(data, cell, coefficients)))
    const residual = successes[cell]! - trials[cell]! * p
    const weight = trials[cell]! * p * (1 - p)
    for (let j = 0; j < features; j++) {
      const x = design[cell * features + j]!
      gradient[j]! += residual * x
      for (let k = 0; k <= j; k++) information[j * features + k]! += weight * x * design[cell * features + k]!
    }
  }
  return solve(information, gradient)
}

/** A pivot this small relative to its diagonal is rounding: the feature depends on those before it. */
const ALIASED = 1e-10

/** Solves A x = y by Cholesky's method, A given by its lower triangle; x is 0 where A is singular. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length
  const lower = new Float64Array(n * n)
  const kept = new Uint8Array(n)
  for (let j = 0; j < n; j++) {
    let pivot = matrix[j * n + j]!
    for (let k = 0; k < j; k++) pivot -= lower[j * n + k]! ** 2
    if (!(pivot > ALIASED * matrix[j * n + j]!)) continue
    kept[j] = 1
    lower[j * n + j] = Math.sqrt(pivot)
    for (let i = j + 1; i < n; i++) {
      let sum = matrix[i * n + j]!
      for (let k = 0; k < j; k++) sum -= lower[i * n + k]! * lower[j * n + k]!
      lower[i * n + j] = sum / lower[j * n + j]!
    }
  }
  const solution = new Float64Array(n)
  for (let j = 0; j < n; j++) {
    if (!kept[j]) continue
    let sum = right[j]!
    for (let k = 0; k < j; k++) sum -= lower[j * n + k]! * solution[k]!
    solution[j] = sum / lower[j * n + j]!
  }
  for (let j = n - 1; j >= 0; j--) {
    if (!kept[j]) continue
    let sum = solution[j]!
    for (let i = j + 1; i < n; i++) sum -= lower[i * n + j]! * solution[i]!
    solution[j] = sum / lower[j * n + j]!
  }
  return solution
}
