import { describe, expect, it } from 'vitest'
import { studentCdf, studentQuantile } from './student.js'

const relative = (a: number, b: number): number => Math.abs(a / b - 1)

describe("Student's distribution", () => {
  // Roots of mpmath's betainc at 30 digits.
  it.each([
    [1, 12.706204736174705],
    [2, 4.302652729749462],
    [5, 2.5705818356363155],
    [30, 2.0422724563012373],
    [100, 1.9839715185235522],
    [1000, 1.9623390808264085],
    [Infinity, 1.959963984540054],
  ])('with %d degrees of freedom has 0.975 quantile %d', (freedom, t) => {
    expect(relative(studentQuantile(0.975, freedom), t)).toBeLessThan(1e-12)
  })

  it('with 1 degree is Cauchy, tan(π(p − ½)); with 2 it is (2p − 1)/√(2p(1 − p))', () => {
    for (const p of [0.501, 0.6, 0.9, 0.9995]) {
      expect(relative(studentQuantile(p, 1), Math.tan(Math.PI * (p - 0.5)))).toBeLessThan(1e-12)
      expect(relative(studentQuantile(p, 2), (2 * p - 1) / Math.sqrt(2 * p * (1 - p)))).toBeLessThan(1e-12)
    }
  })

  it('takes any real number of degrees, and narrows with it', () => {
    const quantiles = [1, 1.5, 2.25, 3.7, 10.5, 99.5, 100.5, 12345.6, 1e8].map((freedom) =>
      studentQuantile(0.975, freedom),
    )
    for (let k = 1; k < quantiles.length; k++) expect(quantiles[k]).toBeLessThan(quantiles[k - 1]!)
    for (const freedom of [1, 2.25, 3.7, 99.5, 12345.6])
      expect(relative(1 - studentCdf(studentQuantile(0.975, freedom), freedom), 0.025)).toBeLessThan(1e-12)
  })

  it('is symmetric', () => {
    expect(studentQuantile(0.1, 4.5)).toBe(-studentQuantile(0.9, 4.5))
    expect(studentQuantile(0.5, 4.5)).toBe(0)
    expect(studentCdf(-1.3, 7)).toBeCloseTo(1 - studentCdf(1.3, 7), 14)
    expect(studentQuantile(0.9, 0.5)).toBeNaN()
  })
})
