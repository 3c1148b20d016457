import type { Term } from '../term.js'
import type { Moments } from './moments.js'
import { type Facts, isLacking, type Known } from './source.js'

/** Says that a source disagrees with the one in memory. */
export function fail(what: string): never {
  throw new Error(`Not as in memory: ${what}.`)
}

/** What a source must know. */
export function known<Fact>(what: string, fact: Known<Fact>): Fact {
  if (isLacking(fact)) fail(`${what}: ${fact.lacking}`)
  return fact
}

/** The same number to 1e-12, or the same thing; nothing where a source lacks it. */
export function close(what: string, found: unknown, expected: unknown): void {
  if (isLacking(found)) return
  if (Object.is(found, expected)) return
  if (typeof found === 'number' && typeof expected === 'number')
    if (Math.abs(found - expected) <= 1e-12 * Math.max(1, Math.abs(expected))) return
  fail(`${what} is ${String(found)}, not ${String(expected)}`)
}

/** Numbers to 1e-12, all else the same. */
export function alike(what: string, found: unknown, expected: unknown): void {
  if (typeof found !== 'object' || found === null || typeof expected !== 'object' || expected === null) {
    close(what, found, expected)
    return
  }
  const names = new Set([...Object.keys(found), ...Object.keys(expected)])
  for (const name of names)
    alike(
      `${what}, ${name},`,
      (found as Record<string, unknown>)[name],
      (expected as Record<string, unknown>)[name],
    )
}

/** The same sums by the same clusters, or buckets of them; nothing where a source lacks them. */
export function sameMoments(found: Known<Moments>, expected: Known<Moments>, terms: readonly Term[]): void {
  // What a source lacks it says, and the verdict with it.
  if (isLacking(found)) return
  if (isLacking(expected)) fail(`sums that memory lacks: ${expected.lacking}`)
  const reference = found.by === 'bucket' ? expected.inBuckets : expected
  if (String(found.keys.toSorted()) !== String(reference.keys.toSorted())) fail('the clusters differ')
  const placeOf = new Map(Array.from(reference.keys, (key, g) => [key, g]))
  for (const term of terms) {
    const sums = reference.sums(term)
    found
      .sums(term)
      .forEach((sum, g) => close(`a sum of ${term.name}`, sum, sums[placeOf.get(found.keys[g]!)!]!))
  }
}

/** The facts that are compared another way: broken rows by a case of their own, largest weights as far as both keep them. */
const COMPARED_ELSEWHERE = ['broken', 'largestWeights']

export function sameFacts(found: Facts, expected: Facts): void {
  for (const [name, value] of Object.entries(found)) {
    if (isLacking(value) || COMPARED_ELSEWHERE.includes(name)) continue
    alike(`the fact ${name}`, value, expected[name as keyof Facts])
  }
  const { largestWeights } = found
  const tail = expected.largestWeights
  if (isLacking(largestWeights) || isLacking(tail)) return
  const shared = Math.min(largestWeights.length, tail.length)
  alike('the tail of the weights', largestWeights.slice(-shared), tail.slice(-shared))
}
