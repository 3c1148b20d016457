import { expect } from 'vitest'

type Numbers = ArrayLike<unknown> & ArrayBufferView

const isNumbers = (value: unknown): value is Numbers =>
  ArrayBuffer.isView(value) && !(value instanceof DataView)

/** Arrays of numbers that are equal are told so at once; the runner takes some microseconds for each number, and tests compare millions. */
function equalArrays(a: unknown, b: unknown): true | undefined {
  if (!isNumbers(a) || !isNumbers(b) || a.constructor !== b.constructor || a.length !== b.length)
    return undefined
  for (let k = 0; k < a.length; k++) if (!Object.is(a[k], b[k])) return undefined
  return true
}

// Files of one worker share the runner's testers: one is enough.
const shared = globalThis as { hasEqualArrays?: true }
if (!shared.hasEqualArrays) expect.addEqualityTesters([equalArrays])
shared.hasEqualArrays = true
