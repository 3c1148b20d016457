import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { symmetricEigen } from './symmetric-eigen.js'

const close = (a: number, b: number): void => expect(Math.abs(a - b)).toBeLessThan(1e-10)

describe('eigenvalues of a symmetric matrix', () => {
  it('of [[2, 1], [1, 2]] are 1 and 3', () => {
    const { values } = symmetricEigen([Float64Array.of(2, 1), Float64Array.of(1, 2)])
    close(Math.min(...values), 1)
    close(Math.max(...values), 3)
  })

  it('put the matrix together again, with vectors of length 1 at right angles', () => {
    const entries = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 15, maxLength: 15 })
    fc.assert(
      fc.property(entries, (drawn) => {
        const rows = Array.from({ length: 5 }, (_, j) =>
          Float64Array.from({ length: 5 }, (_, k) => {
            const [a, b] = [Math.min(j, k), Math.max(j, k)]
            return drawn[(b * (b + 1)) / 2 + a]!
          }),
        )
        const { values, vectors } = symmetricEigen(rows)
        for (let j = 0; j < 5; j++)
          for (let k = 0; k < 5; k++) {
            let [again, angle] = [0, 0]
            for (let e = 0; e < 5; e++) {
              again += values[e]! * vectors[e]![j]! * vectors[e]![k]!
              angle += vectors[j]![e]! * vectors[k]![e]!
            }
            close(again, rows[j]![k]!)
            close(angle, j === k ? 1 : 0)
          }
      }),
    )
  })
})
