// The inverse of a symmetric positive definite matrix, in place, of which only the tiles on and below the diagonal are
// kept: A = L·Lᵀ column by column, M = L⁻¹ from the last column to the first, A⁻¹ = Mᵀ·M row by row. Every tile belongs
// to one thread, which sums in a fixed order.
import { meet } from './threads'
import { addProduct, clearTile, copyTile, invertFactor, ROW, STRIP, TILE, transposeTile } from './tiles'
import { Word, word } from './words'

// @ts-ignore: decorator
@inline
function tile(i: i32, j: i32): usize {
  return word(Word.tiles) + <usize>((i * (i + 1)) / 2 + j) * TILE
}

/** A tile that all threads see, one for every row of tiles. */
// @ts-ignore: decorator
@inline
function shared(i: i32): usize {
  return word(Word.sharedTiles) + <usize>i * TILE
}

/** Two tiles and a strip of the thread's own. */
// @ts-ignore: decorator
@inline
function own(thread: i32): usize {
  return word(Word.ownTiles) + <usize>thread * (2 * TILE + STRIP)
}

/** Column k of L below the diagonal; on it L_kk⁻¹, which is all that is asked for. */
export function factorColumn(thread: i32): void {
  const k = <i32>word(Word.step)
  const rows = <i32>word(Word.tileRows)
  const threads = <i32>word(Word.threads)
  const strip = own(thread) + 2 * TILE
  for (let j = thread; j < k; j += threads) transposeTile(shared(j), tile(k, j))
  meet(thread)
  for (let i = k + thread; i < rows; i += threads)
    for (let j = 0; j < k; j++) addProduct(tile(i, k), -1, tile(i, j), ROW, 8, shared(j), strip)
  meet(thread)
  if (thread == 0) {
    const broken = invertFactor(tile(k, k), own(0))
    if (broken >= 0) store<i32>(word(Word.failure), k * 64 + broken)
    transposeTile(shared(0), tile(k, k))
  }
  meet(thread)
  const spare = own(thread)
  for (let i = k + 1 + thread; i < rows; i += threads) {
    copyTile(spare, tile(i, k))
    clearTile(tile(i, k))
    addProduct(tile(i, k), 1, spare, ROW, 8, shared(0), strip)
  }
  meet(thread)
}

/** Column j of M below the diagonal, once the columns after it are done: M_ij = −(Σ_{j < k ≤ i} M_ik·L_kj)·M_jj. */
export function invertColumn(thread: i32): void {
  const j = <i32>word(Word.step)
  const rows = <i32>word(Word.tileRows)
  const threads = <i32>word(Word.threads)
  const spare = own(thread)
  const strip = spare + 2 * TILE
  for (let k = j + 1 + thread; k < rows; k += threads) copyTile(shared(k), tile(k, j))
  meet(thread)
  for (let i = j + 1 + thread; i < rows; i += threads) {
    clearTile(spare)
    for (let k = j + 1; k <= i; k++) addProduct(spare, 1, tile(i, k), ROW, 8, shared(k), strip)
    clearTile(tile(i, j))
    addProduct(tile(i, j), -1, spare, ROW, 8, tile(j, j), strip)
  }
  meet(thread)
}

/** Row i of Mᵀ·M up to the diagonal: Σ_{k ≥ i} M_kiᵀ·M_kj. Rows of M before it are not asked for again. */
export function multiplyRow(thread: i32): void {
  const i = <i32>word(Word.step)
  const rows = <i32>word(Word.tileRows)
  const threads = <i32>word(Word.threads)
  const spare = own(thread)
  const strip = spare + 2 * TILE
  if (thread == 0) copyTile(shared(0), tile(i, i))
  meet(thread)
  for (let j = thread; j <= i; j += threads) {
    clearTile(spare)
    for (let k = i; k < rows; k++) {
      const left = k == i ? shared(0) : tile(k, i)
      const right = k == i && j == i ? shared(0) : tile(k, j)
      addProduct(spare, 1, left, 8, ROW, right, strip)
    }
    copyTile(tile(i, j), spare)
  }
  meet(thread)
}
