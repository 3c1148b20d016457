import { badOption } from '../error.js'

/** Rows and columns of a block: three blocks of a depth of 240 fit into the second cache. A multiple of 3. */
const BLOCK = 48
const DEPTH = 240

/**
 * Replaces a symmetric positive definite matrix (n rows of n numbers, of which the lower triangle is read)
 * by its inverse, through Cholesky: A = L·Lᵀ, U = L⁻ᵀ, A⁻¹ = U·Uᵀ. About n³/2 multiplications in float64,
 * nothing allocated. All three steps are sums of products of rows, block by block, each in a fixed order, so
 * the bits are the same everywhere. A generator, so that other work can run between two blocks: it yields
 * the share of the work that is done, and the matrix is its inverse once it ends.
 */
export function* inversion(matrix: Float64Array, n: number): Generator<number, void> {
  const steps = [factor, invertFactor, multiplyFactor]
  for (const [k, step] of steps.entries())
    for (let start = 0; start < n; start += BLOCK) {
      step(matrix, n, start, Math.min(n, start + BLOCK))
      yield (k + workUpTo(k, Math.min(1, (start + BLOCK) / n))) / steps.length
    }
}

/** Share of a step's multiplications behind a share x of its blocks: the integral of x(1 − x), or of x² in the second step. */
const workUpTo = (step: number, x: number): number => (step === 1 ? x * x * x : x * x * (3 - 2 * x))

/** The columns from `start` to `end` of L, below the diagonal; on it 1/L_jj, which is all that is asked for. */
function factor(a: Float64Array, n: number, start: number, end: number): void {
  addProducts(a, n, { rows: [start, n], columns: [start, end], depth: [0, start], sign: -1 })
  for (let i = start; i < n; i++)
    for (let j = start; j < Math.min(i + 1, end); j++) {
      const rest = a[i * n + j]! - rowProduct(a, i * n, j * n, start, j)
      if (i > j) a[i * n + j] = rest * a[j * n + j]!
      else if (rest > 0) a[i * n + i] = 1 / Math.sqrt(rest)
      else
        throw badOption(
          `A matrix of ${n} rows is not positive definite at row ${i}.`,
          'Regularise more, or look for numbers that are NaN or far too large.',
        )
    }
}

/** The columns from `start` to `end` of U, above the diagonal: U_ji = (δ_ij − Σ_{j ≤ k < i} U_jk·L_ik)/L_ii. */
function invertFactor(a: Float64Array, n: number, start: number, end: number): void {
  for (let j = 0; j < end; j++) a.fill(0, j * n + Math.max(start, j + 1), j * n + end)
  // Row j of U begins at j, so a block of its rows needs no products before its first row, and those within it by hand.
  for (let top = 0; top < start; top += BLOCK) {
    const below = Math.min(start, top + BLOCK)
    for (let j = top; j < below; j++)
      for (let i = start; i < end; i++) a[j * n + i] = -rowProduct(a, j * n, i * n, j, below)
    addProducts(a, n, { rows: [top, below], columns: [start, end], depth: [below, start], sign: -1 })
  }
  for (let j = 0; j < end; j++)
    for (let i = Math.max(start, j + 1); i < end; i++)
      a[j * n + i] = (a[j * n + i]! - rowProduct(a, j * n, i * n, Math.max(start, j), i)) * a[i * n + i]!
}

/** The rows from `start` to `end` of U·Uᵀ, mirrored once they are whole: Σ_{k ≥ i} U_ik·U_jk for j ≤ i. */
function multiplyFactor(a: Float64Array, n: number, start: number, end: number): void {
  for (let i = start; i < end; i++) a.fill(0, i * n, i * n + i)
  addProducts(a, n, { rows: [start, end], columns: [0, start], depth: [end, n], sign: 1 })
  for (let i = start; i < end; i++) {
    for (let j = 0; j < start; j++) a[i * n + j]! += rowProduct(a, i * n, j * n, i, end)
    for (let j = start; j < i; j++) a[i * n + j] = rowProduct(a, i * n, j * n, i, n)
    // Nobody else asks for U_ii.
    a[i * n + i] = rowProduct(a, i * n, i * n, i, n)
  }
  if (end === n) for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) a[j * n + i] = a[i * n + j]!
}

/** Σ_k a[x + k]·a[y + k] for k from `from` to before `to`. */
function rowProduct(a: Float64Array, x: number, y: number, from: number, to: number): number {
  let sum = 0
  for (let k = from; k < to; k++) sum += a[x + k]! * a[y + k]!
  return sum
}

type Range = readonly [from: number, to: number]

/** a_rc += sign · Σ_k a_rk·a_ck for a block of rows r and columns c, over a depth of k. */
function addProducts(
  a: Float64Array,
  n: number,
  { rows, columns, depth, sign }: { rows: Range; columns: Range; depth: Range; sign: 1 | -1 },
): void {
  for (let from = depth[0]; from < depth[1]; from += DEPTH) {
    const to = Math.min(depth[1], from + DEPTH)
    for (let left = columns[0]; left < columns[1]; left += BLOCK)
      for (let top = rows[0]; top < rows[1]; top += BLOCK)
        addBlock(
          a,
          n,
          [top, Math.min(rows[1], top + BLOCK)],
          [left, Math.min(columns[1], left + BLOCK)],
          [from, to],
          sign,
        )
  }
}

/** Nine sums at a time, as many as registers hold: each number that is fetched is used three times. */
function addBlock(
  a: Float64Array,
  n: number,
  [top, bottom]: Range,
  [left, right]: Range,
  [from, to]: Range,
  sign: number,
): void {
  const wholeRows = bottom - ((bottom - top) % 3)
  const wholeColumns = right - ((right - left) % 3)
  for (let r = top; r < wholeRows; r += 3) {
    const x = r * n
    const y = x + n
    const z = y + n
    for (let c = left; c < wholeColumns; c += 3) {
      const u = c * n
      const v = u + n
      const w = v + n
      let xu = 0
      let xv = 0
      let xw = 0
      let yu = 0
      let yv = 0
      let yw = 0
      let zu = 0
      let zv = 0
      let zw = 0
      for (let k = from; k < to; k++) {
        const ax = a[x + k]!
        const ay = a[y + k]!
        const az = a[z + k]!
        const au = a[u + k]!
        const av = a[v + k]!
        const aw = a[w + k]!
        xu += ax * au
        xv += ax * av
        xw += ax * aw
        yu += ay * au
        yv += ay * av
        yw += ay * aw
        zu += az * au
        zv += az * av
        zw += az * aw
      }
      a[x + c]! += sign * xu
      a[x + c + 1]! += sign * xv
      a[x + c + 2]! += sign * xw
      a[y + c]! += sign * yu
      a[y + c + 1]! += sign * yv
      a[y + c + 2]! += sign * yw
      a[z + c]! += sign * zu
      a[z + c + 1]! += sign * zv
      a[z + c + 2]! += sign * zw
    }
  }
  for (let r = top; r < bottom; r++)
    for (let c = r < wholeRows ? wholeColumns : left; c < right; c++)
      a[r * n + c]! += sign * rowProduct(a, r * n, c * n, from, to)
}
