// Square tiles of 64 × 64 float64 numbers, row after row: the pieces that large matrices are solved in. All sums have
// a fixed order, so a tile has the same bits whichever thread computes it.

/** Bytes of a row, and of a tile. */
export const ROW: usize = 512
export const TILE: usize = 32768

/** A strip of four rows of the left factor, column after column: 64 × 4 numbers. */
export const STRIP: usize = 2048

export function clearTile(tile: usize): void {
  memory.fill(tile, 0, TILE)
}

export function copyTile(to: usize, from: usize): void {
  memory.copy(to, from, TILE)
}

export function transposeTile(to: usize, from: usize): void {
  for (let r: usize = 0; r < ROW; r += 8)
    for (let c: usize = 0; c < ROW; c += 8) store<f64>(to + c * 64 + r, load<f64>(from + r * 64 + c))
}

/**
 * c += sign · a·b. The number of `a` in row r and column k lies `r · rowStep + k · columnStep` bytes from its start, so
 * that its transpose is another pair of steps. `strip` is room for four rows of it, packed as they are used.
 */
export function addProduct(
  c: usize,
  sign: f64,
  a: usize,
  rowStep: usize,
  columnStep: usize,
  b: usize,
  strip: usize,
): void {
  for (let r: usize = 0; r < 64; r += 4) {
    packStrip(strip, a + r * rowStep, rowStep, columnStep)
    for (let column: usize = 0; column < ROW; column += 32)
      addBlock(c + r * ROW + column, sign, strip, b + column)
  }
}

function packStrip(strip: usize, a: usize, rowStep: usize, columnStep: usize): void {
  for (let k: usize = 0; k < 64; k++) {
    const from = a + k * columnStep
    const to = strip + k * 32
    store<f64>(to, load<f64>(from))
    store<f64>(to, load<f64>(from + rowStep), 8)
    store<f64>(to, load<f64>(from + 2 * rowStep), 16)
    store<f64>(to, load<f64>(from + 3 * rowStep), 24)
  }
}

/** Four rows by four columns: eight sums of two numbers each, as many as registers hold. */
function addBlock(c: usize, sign: f64, strip: usize, b: usize): void {
  let s00 = f64x2.splat(0)
  let s01 = f64x2.splat(0)
  let s10 = f64x2.splat(0)
  let s11 = f64x2.splat(0)
  let s20 = f64x2.splat(0)
  let s21 = f64x2.splat(0)
  let s30 = f64x2.splat(0)
  let s31 = f64x2.splat(0)
  for (const end = strip + STRIP; strip < end; strip += 32, b += ROW) {
    const x = v128.load(b)
    const y = v128.load(b, 16)
    const a0 = v128.load_splat<f64>(strip)
    s00 = f64x2.add(s00, f64x2.mul(a0, x))
    s01 = f64x2.add(s01, f64x2.mul(a0, y))
    const a1 = v128.load_splat<f64>(strip, 8)
    s10 = f64x2.add(s10, f64x2.mul(a1, x))
    s11 = f64x2.add(s11, f64x2.mul(a1, y))
    const a2 = v128.load_splat<f64>(strip, 16)
    s20 = f64x2.add(s20, f64x2.mul(a2, x))
    s21 = f64x2.add(s21, f64x2.mul(a2, y))
    const a3 = v128.load_splat<f64>(strip, 24)
    s30 = f64x2.add(s30, f64x2.mul(a3, x))
    s31 = f64x2.add(s31, f64x2.mul(a3, y))
  }
  const f = f64x2.splat(sign)
  addPair(c, f, s00)
  addPair(c + 16, f, s01)
  addPair(c + ROW, f, s10)
  addPair(c + ROW + 16, f, s11)
  addPair(c + 2 * ROW, f, s20)
  addPair(c + 2 * ROW + 16, f, s21)
  addPair(c + 3 * ROW, f, s30)
  addPair(c + 3 * ROW + 16, f, s31)
}

// @ts-ignore: decorator
@inline
function addPair(at: usize, sign: v128, sum: v128): void {
  v128.store(at, f64x2.add(v128.load(at), f64x2.mul(sign, sum)))
}

/**
 * Replaces a symmetric tile, of which the lower triangle is read, by L⁻¹ of its Cholesky factor L, zeros above the
 * diagonal. Returns the row whose pivot is not positive, or −1. `spare` is room for a tile.
 */
export function invertFactor(tile: usize, spare: usize): i32 {
  for (let i: usize = 0; i < 64; i++)
    for (let j: usize = 0; j <= i; j++) {
      let rest = load<f64>(tile + i * ROW + j * 8)
      for (let k: usize = 0; k < j; k++)
        rest -= load<f64>(spare + i * ROW + k * 8) * load<f64>(spare + j * ROW + k * 8)
      if (i == j) {
        if (!(rest > 0 && rest < Infinity)) return <i32>i
        store<f64>(spare + i * ROW + i * 8, sqrt<f64>(rest))
      } else store<f64>(spare + i * ROW + j * 8, rest / load<f64>(spare + j * ROW + j * 8))
    }
  clearTile(tile)
  for (let i: usize = 0; i < 64; i++) {
    const pivot = 1 / load<f64>(spare + i * ROW + i * 8)
    for (let j: usize = 0; j < i; j++) {
      let sum: f64 = 0
      for (let k = j; k < i; k++)
        sum += load<f64>(spare + i * ROW + k * 8) * load<f64>(tile + k * ROW + j * 8)
      store<f64>(tile + i * ROW + j * 8, -sum * pivot)
    }
    store<f64>(tile + i * ROW + i * 8, pivot)
  }
  return -1
}
