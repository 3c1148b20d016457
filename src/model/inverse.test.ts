import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { inversion } from './inverse.js'

/** XᵀX + I for numbers drawn by chance. */
function positiveDefinite(n: number): Float64Array {
  const random = randomStream(n, 'matrix')
  const x = Float64Array.from({ length: n * n }, () => random.uniform() - 0.5)
  const matrix = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let sum = i === j ? 1 : 0
      for (let k = 0; k < n; k++) sum += x[k * n + i]! * x[k * n + j]!
      matrix[i * n + j] = sum
    }
  return matrix
}

describe('inversion', () => {
  // Around the edges of blocks of 48 and of a depth of 240.
  it.each([1, 2, 3, 4, 47, 48, 49, 96, 97, 145, 300])('gives A·A⁻¹ = I for %i rows', (n) => {
    const matrix = positiveDefinite(n)
    const inverse = matrix.slice()
    const shares = [...inversion(inverse, n)]
    let worst = 0
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        let sum = i === j ? -1 : 0
        for (let k = 0; k < n; k++) sum += matrix[i * n + k]! * inverse[k * n + j]!
        worst = Math.max(worst, Math.abs(sum))
        expect(inverse[i * n + j]).toBe(inverse[j * n + i])
      }
    expect(worst).toBeLessThan(1e-11)
    expect(shares.at(-1)).toBeCloseTo(1, 12)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })

  it('is right by hand', () => {
    const matrix = Float64Array.of(4, 2, 2, 3)
    for (const _ of inversion(matrix, 2));
    ;[3 / 8, -2 / 8, -2 / 8, 4 / 8].forEach((value, k) => expect(matrix[k]).toBeCloseTo(value, 15))
  })

  it('reads the lower triangle alone', () => {
    const whole = positiveDefinite(60)
    const lower = whole.map((value, k) => (k % 60 > Math.floor(k / 60) ? NaN : value))
    for (const matrix of [whole, lower]) for (const _ of inversion(matrix, 60));
    expect(lower).toEqual(whole)
  })

  it.each([
    ['singular', [1, 1, 1, 1]],
    ['indefinite', [1, 2, 2, 1]],
    ['not a number', [1, 0, NaN, 1]],
  ])('refuses a matrix that is %s', (_name, values) => {
    expect(() => [...inversion(Float64Array.from(values), 2)]).toThrow(
      'A matrix of 2 rows is not positive definite at row 1.',
    )
  })
})
