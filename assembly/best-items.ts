// The best items of users by the products of embeddings. A product is summed in float64 from the first column to the
// last and then rounded to float32, as src/model/embedding-products.ts has it, so both rank alike to the last bit: lanes
// hold different products, never parts of one. Users belong to threads in chunks, in turn.
import { meet } from './threads'
import { Word, word } from './words'

/** Users that share one pass over the items; `embedding-ranker.ts` counts on it. */
const CHUNK: i32 = 32

// Each thread has an instance of its own, and so globals of its own: the chunk at work.
let firstRow: i32
let listLength: i32
/** Of each user: how many items are listed, their scores, and the next excluded item. */
let sizes: usize
let listed: usize
let nexts: usize
/** Four scores on their way to a list. */
let four: usize

/** Fills the list of each row with its best items, best first; of equal ones the lowest. NaN is a failure. */
export function rankRows(thread: i32): void {
  const step = <i32>word(Word.threads) * CHUNK
  const rows = <i32>word(Word.rows)
  const scratch = word(Word.scratch) + <usize>thread * word(Word.scratchBytes)
  const block = word(Word.dim) << 5
  listLength = <i32>word(Word.listLength)
  four = scratch
  sizes = four + 16
  nexts = sizes + (CHUNK << 2)
  const panel = nexts + (CHUNK << 2)
  const users = panel + block
  listed = users + (CHUNK >> 2) * block
  for (let first = thread * CHUNK; first < rows; first += step) {
    firstRow = first
    rankChunk(min(CHUNK, rows - first), panel, users, block)
  }
  meet(thread)
}

function rankChunk(count: i32, panel: usize, users: usize, block: usize): void {
  const bytes = word(Word.dim) << 2
  const items = <i32>word(Word.otherRows)
  for (let row = 0; row < count; row++) {
    store<i32>(sizes + (<usize>row << 2), 0)
    store<u32>(nexts + (<usize>row << 2), load<u32>(word(Word.offsets) + (<usize>(firstRow + row) << 2)))
  }
  for (let row = 0; row < count; row += 4)
    pack(word(Word.own) + <usize>(firstRow + row) * bytes, min(4, count - row), users + <usize>(row >> 2) * block)
  for (let item = 0; item < items; item += 4) {
    const known = min(4, items - item)
    pack(word(Word.other) + <usize>item * bytes, known, panel)
    for (let row = 0; row < count; row += 4)
      multiply(panel, users + <usize>(row >> 2) * block, block, row, min(4, count - row), item, known)
  }
}

/** Up to four rows of float32 as float64, side by side: the first column of all four, then the second; 0 where a row is missing. */
function pack(rows: usize, count: i32, to: usize): void {
  const bytes = word(Word.dim) << 2
  for (let row = 0; row < 4; row++) {
    const from = rows + <usize>row * bytes
    const out = to + (<usize>row << 3)
    for (let k: usize = 0; k < bytes; k += 4)
      store<f64>(out + (k << 3), row < count ? <f64>load<f32>(from + k) : 0)
  }
}

/** The sixteen products of four items and four users, offered to the lists of these users. */
function multiply(
  panel: usize,
  users: usize,
  block: usize,
  row: i32,
  count: i32,
  item: i32,
  known: i32,
): void {
  let s00 = f64x2.splat(0)
  let s01 = f64x2.splat(0)
  let s10 = f64x2.splat(0)
  let s11 = f64x2.splat(0)
  let s20 = f64x2.splat(0)
  let s21 = f64x2.splat(0)
  let s30 = f64x2.splat(0)
  let s31 = f64x2.splat(0)
  const end = panel + block
  for (; panel < end; panel += 32, users += 32) {
    const x = v128.load(panel)
    const y = v128.load(panel, 16)
    const a0 = v128.load_splat<f64>(users)
    s00 = f64x2.add(s00, f64x2.mul(a0, x))
    s01 = f64x2.add(s01, f64x2.mul(a0, y))
    const a1 = v128.load_splat<f64>(users, 8)
    s10 = f64x2.add(s10, f64x2.mul(a1, x))
    s11 = f64x2.add(s11, f64x2.mul(a1, y))
    const a2 = v128.load_splat<f64>(users, 16)
    s20 = f64x2.add(s20, f64x2.mul(a2, x))
    s21 = f64x2.add(s21, f64x2.mul(a2, y))
    const a3 = v128.load_splat<f64>(users, 24)
    s30 = f64x2.add(s30, f64x2.mul(a3, x))
    s31 = f64x2.add(s31, f64x2.mul(a3, y))
  }
  offer(row, item, known, rounded(s00, s01))
  if (count > 1) offer(row + 1, item, known, rounded(s10, s11))
  if (count > 2) offer(row + 2, item, known, rounded(s20, s21))
  if (count > 3) offer(row + 3, item, known, rounded(s30, s31))
}

// @ts-ignore: decorator
@inline
function rounded(x: v128, y: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(x), f32x4.demote_f64x2_zero(y), 0, 1, 4, 5)
}

/** Lists those of four items that belong there. Most do not, which one comparison shows. */
// @ts-ignore: decorator
@inline
function offer(row: i32, item: i32, known: i32, scores: v128): void {
  if (load<i32>(sizes + (<usize>row << 2)) == listLength) {
    const last = listed + (<usize>(row * listLength + listLength - 1) << 2)
    // Not "is more than": NaN must be found, too.
    if (v128.all_true<i32>(f32x4.le(scores, f32x4.splat(load<f32>(last))))) return
  }
  v128.store(four, scores)
  for (let k = 0; k < known; k++) list(row, item + k, load<f32>(four + (<usize>k << 2)))
}

function list(row: i32, item: i32, score: f32): void {
  if (score != score) {
    store<i32>(word(Word.failure), item)
    return
  }
  const size = load<i32>(sizes + (<usize>row << 2))
  const scores = listed + (<usize>(row * listLength) << 2)
  const isFull = size == listLength
  if (isFull && score <= load<f32>(scores + (<usize>(size - 1) << 2))) return
  if (isExcluded(row, item)) return
  const items = word(Word.lists) + (<usize>(firstRow + row) * listLength << 2)
  let place = <usize>(isFull ? size - 1 : size) << 2
  // Items come in ascending order, so an equal score stays ahead.
  for (; place > 0 && load<f32>(scores + place - 4) < score; place -= 4) {
    store<f32>(scores + place, load<f32>(scores + place - 4))
    store<u32>(items + place, load<u32>(items + place - 4))
  }
  store<f32>(scores + place, score)
  store<u32>(items + place, <u32>item)
  if (!isFull) store<i32>(sizes + (<usize>row << 2), size + 1)
}

/** Whether the user's excluded items, which ascend, have this one; items are asked for in ascending order. */
function isExcluded(row: i32, item: i32): bool {
  const end = load<u32>(word(Word.offsets) + (<usize>(firstRow + row + 1) << 2))
  const excluded = word(Word.neighbours)
  let next = load<u32>(nexts + (<usize>row << 2))
  while (next < end && load<u32>(excluded + (<usize>next << 2)) < <u32>item) next++
  store<u32>(nexts + (<usize>row << 2), next)
  return next < end && load<u32>(excluded + (<usize>next << 2)) == <u32>item
}
