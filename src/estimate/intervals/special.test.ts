import { describe, expect, it } from 'vitest'
import { normalCdf, normalQuantile } from './normal.js'
import { studentCdf, studentQuantile } from './student.js'

const relative = (a: number, b: number): number => Math.abs(a / b - 1)

describe('the normal distribution', () => {
  it.each([
    [-10, 7.61985302416052e-24],
    [-5, 2.866515718791939e-7],
    [-3, 1.3498980316300946e-3],
    [-1, 0.15865525393145707],
    [0, 0.5],
    [1.959963984540054, 0.975],
    [4, 0.9999683287581669],
  ])('has P(X ≤ %d) = %d', (x, p) => {
    expect(relative(normalCdf(x), p)).toBeLessThan(1e-12)
  })

  it.each([
    [0.975, 1.959963984540054],
    [0.95, 1.6448536269514722],
    [0.995, 2.5758293035489004],
    [1e-10, -6.361340902404056],
  ])('has quantile(%d) = %d', (p, z) => {
    expect(relative(normalQuantile(p), z)).toBeLessThan(1e-12)
  })

  it('has a quantile that undoes the distribution function', () => {
    for (const p of [1e-12, 0.001, 0.02, 0.3, 0.5, 0.7, 0.999])
      expect(relative(normalCdf(normalQuantile(p)), p)).toBeLessThan(1e-12)
    expect(normalQuantile(0)).toBe(-Infinity)
    expect(normalQuantile(1)).toBe(Infinity)
    expect(normalQuantile(1.1)).toBeNaN()
  })
})

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
