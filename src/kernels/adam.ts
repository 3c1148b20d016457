/** Adam's decay rates and the number that keeps its divisor above 0 (Kingma & Ba 2015). */
export const ADAM = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 } as const

/** α/(1 − β₁ᵗ) and 1/√(1 − β₂ᵗ) of step t = 1, 2, …: what corrects moments that began at 0. */
export function adamCorrections(learningRate: number, step: number): { rate: number; root: number } {
  return {
    rate: learningRate / (1 - power(ADAM.beta1, step)),
    root: 1 / Math.sqrt(1 - power(ADAM.beta2, step)),
  }
}

/** xⁿ by squaring: Math.pow may differ in the last bit from one engine to the next. */
function power(x: number, n: number): number {
  let result = 1
  for (let square = x, left = n; left > 0; left = Math.floor(left / 2), square *= square)
    if (left % 2 === 1) result *= square
  return result
}
