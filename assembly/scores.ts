// Scores of all items for some users: dot products of final embeddings, four users at a time, so that an
// item's row is read once for all four. Each product is summed in the same order wherever it falls.
import { Field, plan } from './plan'
import { lanes } from './rows'
import { Step, stepWord } from './step'

/** Scores for the requested users of blocks `thread`, `thread + threads`, … of four. */
export function scoreBlocks(thread: i32): void {
  const threads = <i32>plan(Field.threads)
  const asked = stepWord(Step.asked)
  for (let first = thread * 4; first < asked; first += threads * 4) scoreFour(first, min(asked - first, 4))
}

function scoreFour(first: i32, count: i32): void {
  const bytes = plan(Field.dim) << 2
  const items = plan(Field.items)
  const itemRows = plan(Field.final) + plan(Field.users) * bytes
  const a = userRow(first)
  // Where fewer than four are left, the last one is computed again and not kept.
  const b = userRow(first + min(1, count - 1))
  const c = userRow(first + min(2, count - 1))
  const d = userRow(first + min(3, count - 1))
  const out = plan(Field.askedScores) + ((<usize>first * items) << 2)
  const row = items << 2
  for (let item: usize = 0; item < items; item++) {
    const x = itemRows + item * bytes
    let sa = f32x4.splat(0)
    let sb = f32x4.splat(0)
    let sc = f32x4.splat(0)
    let sd = f32x4.splat(0)
    for (let k: usize = 0; k < bytes; k += 16) {
      const y = v128.load(x + k)
      sa = f32x4.add(sa, f32x4.mul(y, v128.load(a + k)))
      sb = f32x4.add(sb, f32x4.mul(y, v128.load(b + k)))
      sc = f32x4.add(sc, f32x4.mul(y, v128.load(c + k)))
      sd = f32x4.add(sd, f32x4.mul(y, v128.load(d + k)))
    }
    const at = out + (item << 2)
    store<f32>(at, lanes(sa))
    if (count > 1) store<f32>(at + row, lanes(sb))
    if (count > 2) store<f32>(at + 2 * row, lanes(sc))
    if (count > 3) store<f32>(at + 3 * row, lanes(sd))
  }
}

// @ts-ignore: decorator
@inline
function userRow(asked: i32): usize {
  const user = <usize>load<u32>(plan(Field.askedUsers) + (<usize>asked << 2))
  return plan(Field.final) + user * (plan(Field.dim) << 2)
}
