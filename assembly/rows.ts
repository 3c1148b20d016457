// Rows of a panel: sums over neighbours, and the arithmetic that follows them. Entries are added in two chains,
// the even and the odd ones, in a fixed order: the result does not depend on the width of the panel.

/**
 * out = factor · Σ of the rows at byte offsets listed from `from` up to `end`. A call of its own for every row:
 * inside a longer function the engine runs out of vector registers, and spills a sum in the innermost loop.
 */
export function gather(width: i32, table: usize, from: usize, end: usize, factor: f32, out: usize): void {
  if (width == 16) gather16(table, from, end, factor, out)
  else if (width == 8) gather8(table, from, end, factor, out)
  else gather4(table, from, end, factor, out)
}

function gather16(table: usize, from: usize, end: usize, factor: f32, out: usize): void {
  let a0 = f32x4.splat(0)
  let a1 = f32x4.splat(0)
  let a2 = f32x4.splat(0)
  let a3 = f32x4.splat(0)
  let b0 = f32x4.splat(0)
  let b1 = f32x4.splat(0)
  let b2 = f32x4.splat(0)
  let b3 = f32x4.splat(0)
  let next = from
  for (; next + 8 <= end; next += 8) {
    const x = table + <usize>load<u32>(next)
    const y = table + <usize>load<u32>(next, 4)
    a0 = f32x4.add(a0, v128.load(x))
    a1 = f32x4.add(a1, v128.load(x, 16))
    a2 = f32x4.add(a2, v128.load(x, 32))
    a3 = f32x4.add(a3, v128.load(x, 48))
    b0 = f32x4.add(b0, v128.load(y))
    b1 = f32x4.add(b1, v128.load(y, 16))
    b2 = f32x4.add(b2, v128.load(y, 32))
    b3 = f32x4.add(b3, v128.load(y, 48))
  }
  if (next < end) {
    const x = table + <usize>load<u32>(next)
    a0 = f32x4.add(a0, v128.load(x))
    a1 = f32x4.add(a1, v128.load(x, 16))
    a2 = f32x4.add(a2, v128.load(x, 32))
    a3 = f32x4.add(a3, v128.load(x, 48))
  }
  const f = f32x4.splat(factor)
  v128.store(out, f32x4.mul(f, f32x4.add(a0, b0)))
  v128.store(out, f32x4.mul(f, f32x4.add(a1, b1)), 16)
  v128.store(out, f32x4.mul(f, f32x4.add(a2, b2)), 32)
  v128.store(out, f32x4.mul(f, f32x4.add(a3, b3)), 48)
}

function gather8(table: usize, from: usize, end: usize, factor: f32, out: usize): void {
  let a0 = f32x4.splat(0)
  let a1 = f32x4.splat(0)
  let b0 = f32x4.splat(0)
  let b1 = f32x4.splat(0)
  let next = from
  for (; next + 8 <= end; next += 8) {
    const x = table + <usize>load<u32>(next)
    const y = table + <usize>load<u32>(next, 4)
    a0 = f32x4.add(a0, v128.load(x))
    a1 = f32x4.add(a1, v128.load(x, 16))
    b0 = f32x4.add(b0, v128.load(y))
    b1 = f32x4.add(b1, v128.load(y, 16))
  }
  if (next < end) {
    const x = table + <usize>load<u32>(next)
    a0 = f32x4.add(a0, v128.load(x))
    a1 = f32x4.add(a1, v128.load(x, 16))
  }
  const f = f32x4.splat(factor)
  v128.store(out, f32x4.mul(f, f32x4.add(a0, b0)))
  v128.store(out, f32x4.mul(f, f32x4.add(a1, b1)), 16)
}

function gather4(table: usize, from: usize, end: usize, factor: f32, out: usize): void {
  let a = f32x4.splat(0)
  let b = f32x4.splat(0)
  let next = from
  for (; next + 8 <= end; next += 8) {
    a = f32x4.add(a, v128.load(table + <usize>load<u32>(next)))
    b = f32x4.add(b, v128.load(table + <usize>load<u32>(next, 4)))
  }
  if (next < end) a = f32x4.add(a, v128.load(table + <usize>load<u32>(next)))
  v128.store(out, f32x4.mul(f32x4.splat(factor), f32x4.add(a, b)))
}

/** Adds factor · row to each of the rows at byte offsets listed from `from` up to `end`. */
export function scatter(bytes: usize, table: usize, from: usize, end: usize, factor: f32, row: usize): void {
  const f = f32x4.splat(factor)
  if (bytes == 64) {
    const x0 = f32x4.mul(f, v128.load(row))
    const x1 = f32x4.mul(f, v128.load(row, 16))
    const x2 = f32x4.mul(f, v128.load(row, 32))
    const x3 = f32x4.mul(f, v128.load(row, 48))
    for (let next = from; next < end; next += 4) {
      const y = table + <usize>load<u32>(next)
      v128.store(y, f32x4.add(v128.load(y), x0))
      v128.store(y, f32x4.add(v128.load(y, 16), x1), 16)
      v128.store(y, f32x4.add(v128.load(y, 32), x2), 32)
      v128.store(y, f32x4.add(v128.load(y, 48), x3), 48)
    }
    return
  }
  for (let next = from; next < end; next += 4) {
    const y = table + <usize>load<u32>(next)
    for (let k: usize = 0; k < bytes; k += 16)
      v128.store(y + k, f32x4.add(v128.load(y + k), f32x4.mul(f, v128.load(row + k))))
  }
}

/** y += factor · x over `bytes` bytes. */
// @ts-ignore: decorator
@inline
export function addScaled(bytes: usize, y: usize, factor: f32, x: usize): void {
  const f = f32x4.splat(factor)
  for (let k: usize = 0; k < bytes; k += 16)
    v128.store(y + k, f32x4.add(v128.load(y + k), f32x4.mul(f, v128.load(x + k))))
}

/** y *= factor over `bytes` bytes. */
// @ts-ignore: decorator
@inline
export function multiply(bytes: usize, y: usize, factor: f32): void {
  const f = f32x4.splat(factor)
  for (let k: usize = 0; k < bytes; k += 16) v128.store(y + k, f32x4.mul(v128.load(y + k), f))
}

/** The four lanes added up, always in the same order. */
// @ts-ignore: decorator
@inline
export function lanes(x: v128): f32 {
  return (
    f32x4.extract_lane(x, 0) +
    f32x4.extract_lane(x, 1) +
    (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3))
  )
}
