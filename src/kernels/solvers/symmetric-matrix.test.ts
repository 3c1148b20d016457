import { describe, expect, it } from 'vitest'
import { startNodeThread } from '../../node/start-thread.js'
import { randomStream } from '../../random/stream.js'
import { inversion } from '../../model/inverse.js'
import { symmetricMatrix, type SymmetricMatrix } from './symmetric-matrix.js'

/** XᵀX + I for numbers drawn by chance, row after row. */
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

async function inverted(rows: Float64Array, n: number, threads = 1): Promise<Float64Array> {
  const matrix = await symmetricMatrix(n, { threads, startThread: startNodeThread })
  try {
    fill(matrix, rows)
    const shares = [...matrix.invert()]
    expect(shares.at(-1)).toBeCloseTo(1, 12)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    return Float64Array.from({ length: n * n }, (_, k) => {
      const [i, j] = [Math.floor(k / n), k % n]
      return matrix.numbers[matrix.placeOf(Math.max(i, j), Math.min(i, j))]!
    })
  } finally {
    await matrix.dispose()
  }
}

function fill(matrix: SymmetricMatrix, rows: Float64Array): void {
  const n = matrix.size
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) matrix.numbers[matrix.placeOf(i, j)] = rows[i * n + j]!
}

describe('symmetricMatrix', () => {
  // Around the edges of tiles of 64.
  it.each([1, 2, 5, 63, 64, 65, 130, 200])('inverts %i rows as the plain inversion does', async (n) => {
    const rows = positiveDefinite(n)
    const expected = rows.slice()
    for (const _ of inversion(expected, n));
    const found = await inverted(rows, n)
    let worst = 0
    for (let k = 0; k < n * n; k++) worst = Math.max(worst, Math.abs(found[k]! - expected[k]!))
    expect(worst).toBeLessThan(1e-12)
  })

  it('is right by hand', async () => {
    const found = await inverted(Float64Array.of(4, 2, 2, 3), 2)
    ;[3 / 8, -2 / 8, -2 / 8, 4 / 8].forEach((value, k) => expect(found[k]).toBeCloseTo(value, 15))
  })

  it('has the same bits on two and three threads', async () => {
    const rows = positiveDefinite(200)
    const alone = await inverted(rows, 200)
    for (const threads of [2, 3]) expect(await inverted(rows, 200, threads)).toEqual(alone)
  })

  it.each([
    ['singular', [1, 1, 1, 1]],
    ['indefinite', [1, 2, 2, 1]],
    ['not a number', [1, 0, NaN, 1]],
  ])('refuses a matrix that is %s', async (_name, values) => {
    const matrix = await symmetricMatrix(2)
    fill(matrix, Float64Array.from(values))
    expect(() => [...matrix.invert()]).toThrow('A matrix of 2 rows is not positive definite at row 1.')
    await matrix.dispose()
  })
})
