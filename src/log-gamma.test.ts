import { expect, it } from 'vitest'
import { logGamma } from './student.js'

it('gives the logarithm of factorials, and of Γ(½) = √π', () => {
  let factorial = 0
  for (let n = 1; n < 50; n++) {
    expect(logGamma(n)).toBeCloseTo(factorial, 12)
    factorial += Math.log(n)
  }
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 12)
})

it('keeps its digits for small and large numbers', () => {
  // math.lgamma of Python.
  expect(logGamma(0.001)).toBeCloseTo(6.907178885383854, 13)
  expect(logGamma(0.25)).toBeCloseTo(1.2880225246980772, 13)
  expect(logGamma(1e6) / 12815504.569147611 - 1).toBeCloseTo(0, 14)
})
