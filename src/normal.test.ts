import { describe, expect, it } from 'vitest'
import { normalCdf, normalQuantile } from './normal.js'

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
