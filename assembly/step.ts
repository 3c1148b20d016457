// What changes from step to step, written by the host before each.
import { Field, plan } from './plan'

const enum Step {
  samples = 0,
  batchNodes = 4,
  /** α/(1 − β₁ᵗ) of Adam. */
  rate = 8,
  /** 1/√(1 − β₂ᵗ) of Adam. */
  rootCorrection = 16,
  /** λ/B. */
  penalty = 24,
  variancePenalty = 32,
  /** How many users are scored. */
  asked = 40,
  /** M or λ of the curve of the policy form. */
  bend = 48,
  /** 1/T of the policy form. */
  coldness = 56,
}

// @ts-ignore: decorator
@inline
export function stepWord(field: i32): i32 {
  return load<i32>(plan(Field.step) + <usize>field)
}

// @ts-ignore: decorator
@inline
export function stepNumber(field: i32): f64 {
  return load<f64>(plan(Field.step) + <usize>field)
}

export { Step }
