// Half a sweep of alternating least squares: the rows of one side, each the exact solution given the other side.
// For a row with neighbours N: (Σ_{k ∈ N} y_k·y_kᵀ + α·Σ_all y·yᵀ + λ(|N| + α·rows)·I) x = Σ_{k ∈ N} y_k. Rows belong to
// threads in turn; the sums of one row have a fixed order.
import { meet } from './threads'
import { Word, word } from './words'

/** Rows of a piece of the other side that stays in the cache while all its products are summed. */
const PIECE: i32 = 256

/** G = Σ y·yᵀ over all rows of the other side, in blocks of 4 × 4 on and below the diagonal. */
export function sumProducts(thread: i32): void {
  const threads = <i32>word(Word.threads)
  const width = word(Word.dim) * 8
  const rows = <i32>word(Word.otherRows)
  const other = word(Word.other)
  const gram = word(Word.gram)
  for (let first = 0; first < rows; first += PIECE) {
    const count = min(PIECE, rows - first)
    let block = 0
    for (let r: usize = 0; r < width; r += 32)
      for (let c: usize = 0; c <= r; c += 32)
        if (block++ % threads == thread) {
          const at = gram + (r >> 3) * width + c
          if (first == 0) clearBlock(at, width)
          addRows(at, width, other + <usize>first * width, count, r, c)
        }
  }
  meet(thread)
}

function clearBlock(at: usize, width: usize): void {
  for (let k: usize = 0; k < 4; k++) memory.fill(at + k * width, 0, 32)
}

function addRows(at: usize, width: usize, from: usize, count: i32, r: usize, c: usize): void {
  let s00 = v128.load(at)
  let s01 = v128.load(at, 16)
  let s10 = v128.load(at + width)
  let s11 = v128.load(at + width, 16)
  let s20 = v128.load(at + 2 * width)
  let s21 = v128.load(at + 2 * width, 16)
  let s30 = v128.load(at + 3 * width)
  let s31 = v128.load(at + 3 * width, 16)
  for (let k = 0; k < count; k++, from += width) {
    const x = v128.load(from + c)
    const y = v128.load(from + c, 16)
    const a0 = v128.load_splat<f64>(from + r)
    s00 = f64x2.add(s00, f64x2.mul(a0, x))
    s01 = f64x2.add(s01, f64x2.mul(a0, y))
    const a1 = v128.load_splat<f64>(from + r, 8)
    s10 = f64x2.add(s10, f64x2.mul(a1, x))
    s11 = f64x2.add(s11, f64x2.mul(a1, y))
    const a2 = v128.load_splat<f64>(from + r, 16)
    s20 = f64x2.add(s20, f64x2.mul(a2, x))
    s21 = f64x2.add(s21, f64x2.mul(a2, y))
    const a3 = v128.load_splat<f64>(from + r, 24)
    s30 = f64x2.add(s30, f64x2.mul(a3, x))
    s31 = f64x2.add(s31, f64x2.mul(a3, y))
  }
  v128.store(at, s00)
  v128.store(at, s01, 16)
  v128.store(at + width, s10)
  v128.store(at + width, s11, 16)
  v128.store(at + 2 * width, s20)
  v128.store(at + 2 * width, s21, 16)
  v128.store(at + 3 * width, s30)
  v128.store(at + 3 * width, s31, 16)
}

/** Solves for the rows from `firstRow` to before `endRow`; one without neighbours becomes 0. */
export function solveRows(thread: i32): void {
  const threads = <i32>word(Word.threads)
  const end = <i32>word(Word.endRow)
  const width = word(Word.dim) * 8
  const matrix = word(Word.scratch) + <usize>thread * (word(Word.dim) + 1) * width
  const alpha = load<f64>(word(Word.weights))
  const lambda = load<f64>(word(Word.weights), 8)
  const everywhere = alpha * <f64>word(Word.otherRows)
  for (let row = <i32>word(Word.firstRow) + thread; row < end; row += threads) {
    const offsets = word(Word.offsets) + (<usize>row << 2)
    const from = word(Word.neighbours) + (<usize>load<u32>(offsets) << 2)
    const to = word(Word.neighbours) + (<usize>load<u32>(offsets, 4) << 2)
    const out = word(Word.own) + <usize>row * width
    memory.fill(out, 0, width)
    if (from == to) continue
    const penalty = lambda * (<f64>((to - from) >> 2) + everywhere)
    for (let r: usize = 0; r < width; r += 32)
      for (let c: usize = 0; c <= r; c += 32) addNeighbours(matrix, width, from, to, r, c, alpha)
    for (let k: usize = 0; k < width; k += 8) {
      const at = matrix + (k >> 3) * width + k
      store<f64>(at, load<f64>(at) + penalty)
    }
    addUp(out, width, from, to)
    solve(matrix, width, out)
  }
  meet(thread)
}

/** One block of α·G + Σ_{k ∈ N} y_k·y_kᵀ. */
function addNeighbours(
  matrix: usize,
  width: usize,
  from: usize,
  end: usize,
  r: usize,
  c: usize,
  alpha: f64,
): void {
  const other = word(Word.other)
  let s00 = f64x2.splat(0)
  let s01 = f64x2.splat(0)
  let s10 = f64x2.splat(0)
  let s11 = f64x2.splat(0)
  let s20 = f64x2.splat(0)
  let s21 = f64x2.splat(0)
  let s30 = f64x2.splat(0)
  let s31 = f64x2.splat(0)
  for (let next = from; next < end; next += 4) {
    const row = other + <usize>load<u32>(next) * width
    const x = v128.load(row + c)
    const y = v128.load(row + c, 16)
    const a0 = v128.load_splat<f64>(row + r)
    s00 = f64x2.add(s00, f64x2.mul(a0, x))
    s01 = f64x2.add(s01, f64x2.mul(a0, y))
    const a1 = v128.load_splat<f64>(row + r, 8)
    s10 = f64x2.add(s10, f64x2.mul(a1, x))
    s11 = f64x2.add(s11, f64x2.mul(a1, y))
    const a2 = v128.load_splat<f64>(row + r, 16)
    s20 = f64x2.add(s20, f64x2.mul(a2, x))
    s21 = f64x2.add(s21, f64x2.mul(a2, y))
    const a3 = v128.load_splat<f64>(row + r, 24)
    s30 = f64x2.add(s30, f64x2.mul(a3, x))
    s31 = f64x2.add(s31, f64x2.mul(a3, y))
  }
  const to = matrix + (r >> 3) * width + c
  const gram = word(Word.gram) + (r >> 3) * width + c
  const a = f64x2.splat(alpha)
  weighed(to, a, gram, s00)
  weighed(to + 16, a, gram + 16, s01)
  weighed(to + width, a, gram + width, s10)
  weighed(to + width + 16, a, gram + width + 16, s11)
  weighed(to + 2 * width, a, gram + 2 * width, s20)
  weighed(to + 2 * width + 16, a, gram + 2 * width + 16, s21)
  weighed(to + 3 * width, a, gram + 3 * width, s30)
  weighed(to + 3 * width + 16, a, gram + 3 * width + 16, s31)
}

// @ts-ignore: decorator
@inline
function weighed(to: usize, alpha: v128, gram: usize, sum: v128): void {
  v128.store(to, f64x2.add(f64x2.mul(alpha, v128.load(gram)), sum))
}

/** out = Σ_{k ∈ N} y_k. */
function addUp(out: usize, width: usize, from: usize, end: usize): void {
  const other = word(Word.other)
  for (let next = from; next < end; next += 4) {
    const row = other + <usize>load<u32>(next) * width
    for (let k: usize = 0; k < width; k += 16)
      v128.store(out + k, f64x2.add(v128.load(out + k), v128.load(row + k)))
  }
}

/** Solves for the right-hand side in place, by Cholesky; the lower triangle of the matrix becomes its factor. */
function solve(matrix: usize, width: usize, right: usize): void {
  for (let j: usize = 0; j < width; j += 8) factorColumn(matrix, width, j)
  for (let i: usize = 0; i < width; i += 8) {
    const row = matrix + (i >> 3) * width
    store<f64>(right + i, (load<f64>(right + i) - rowProduct(row, right, i)) / load<f64>(row + i))
  }
  for (let i = width; i > 0; ) {
    i -= 8
    const row = matrix + (i >> 3) * width
    const x = load<f64>(right + i) / load<f64>(row + i)
    store<f64>(right + i, x)
    for (let k: usize = 0; k < i; k += 8)
      store<f64>(right + k, load<f64>(right + k) - load<f64>(row + k) * x)
  }
}

/** A column of the factor, once those before it are there. Rows wait for no other: four at a time hide how long a sum takes. */
function factorColumn(matrix: usize, width: usize, j: usize): void {
  const row = matrix + (j >> 3) * width
  const pivot = sqrt<f64>(load<f64>(row + j) - rowProduct(row, row, j))
  store<f64>(row + j, pivot)
  let a = row + width
  const end = matrix + (width >> 3) * width
  for (; a + 4 * width <= end; a += 4 * width) {
    const b = a + width
    const c = b + width
    const d = c + width
    let sa = f64x2.splat(0)
    let sb = f64x2.splat(0)
    let sc = f64x2.splat(0)
    let sd = f64x2.splat(0)
    let k: usize = 0
    for (; k + 16 <= j; k += 16) {
      const y = v128.load(row + k)
      sa = f64x2.add(sa, f64x2.mul(v128.load(a + k), y))
      sb = f64x2.add(sb, f64x2.mul(v128.load(b + k), y))
      sc = f64x2.add(sc, f64x2.mul(v128.load(c + k), y))
      sd = f64x2.add(sd, f64x2.mul(v128.load(d + k), y))
    }
    factorEntry(a, row, j, k, sa, pivot)
    factorEntry(b, row, j, k, sb, pivot)
    factorEntry(c, row, j, k, sc, pivot)
    factorEntry(d, row, j, k, sd, pivot)
  }
  for (; a < end; a += width) store<f64>(a + j, (load<f64>(a + j) - rowProduct(a, row, j)) / pivot)
}

/** The entry of a row in column j, from its product with the row of the pivot up to `k`. */
// @ts-ignore: decorator
@inline
function factorEntry(x: usize, row: usize, j: usize, k: usize, sum: v128, pivot: f64): void {
  const all = total(sum, x, row, k, j)
  store<f64>(x + j, (load<f64>(x + j) - all) / pivot)
}

/** Σ over the first `bytes` bytes of two rows, the even and the odd numbers apart. */
// @ts-ignore: decorator
@inline
function rowProduct(x: usize, y: usize, bytes: usize): f64 {
  let sum = f64x2.splat(0)
  let k: usize = 0
  for (; k + 16 <= bytes; k += 16) sum = f64x2.add(sum, f64x2.mul(v128.load(x + k), v128.load(y + k)))
  return total(sum, x, y, k, bytes)
}

/** Both sums together, and the last product where their number is odd. */
// @ts-ignore: decorator
@inline
function total(sum: v128, x: usize, y: usize, k: usize, bytes: usize): f64 {
  let all = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
  if (k < bytes) all += load<f64>(x + k) * load<f64>(y + k)
  return all
}
