import type { Answers } from '../../queries/query.js'
import type { Term } from '../term.js'
import type { Moments } from './moments.js'
import { type AnswersTo, type Facts, type Known, type Query, type Tail, isLacking } from './source.js'

/** Says that a source disagrees with the one in memory. */
export function fail(what: string): never {
  throw new Error(`Not as in memory: ${what}.`)
}

/** The answers to some queries as those of memory, but for what a source may lack; whether it lacks nothing. */
export function sameAnswers<Queries extends readonly Query[]>(
  queries: Queries,
  found: AnswersTo<Queries>,
  expected: AnswersTo<Queries>,
  mayLack: (query: Query) => boolean,
): boolean {
  let isWhole = true
  for (const [k, query] of queries.entries()) {
    const [own, other] = [found[k]!, expected[k]!] as [Known<unknown>, Known<unknown>]
    if (isLacking(own)) {
      if (!isLacking(other) && !mayLack(query)) fail(`${query.ask}: ${own.lacking}`)
      isWhole = false
    } else if (isLacking(other)) fail(`${query.ask}, which memory lacks: ${other.lacking}`)
    else sameAnswer(query, own, other)
  }
  return isWhole
}

function sameAnswer(query: Query, found: unknown, expected: unknown): void {
  switch (query.ask) {
    case 'facts':
      return sameFacts(found as Facts, expected as Facts)
    case 'sums':
      return sameMoments(found as Moments, expected as Moments, query.terms, query.inCells)
    case 'largest':
      return sameTail(`the tail of ${query.term.name}`, found as Tail, expected as Tail)
    case 'batch':
      return sameBatch(found as Answers, expected as Answers)
    default:
      return alike(`the ${query.ask}`, found, expected)
  }
}

/** The same number to 1e-12, or the same thing; nothing where a source lacks it. */
function close(what: string, found: unknown, expected: unknown): void {
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

/** The same sums by the same clusters, or buckets of them, and by what they are crossed with. */
export function sameMoments(
  found: Moments,
  expected: Moments,
  terms: readonly Term[],
  inCells = terms,
): void {
  const reference = found.by === 'bucket' ? expected.inBuckets : expected
  if (String(found.keys.toSorted()) !== String(reference.keys.toSorted())) fail('the clusters differ')
  const placeOf = new Map(Array.from(reference.keys, (key, g) => [key, g]))
  for (const term of terms) {
    const sums = reference.sums(term)
    found
      .sums(term)
      .forEach((sum, g) => close(`a sum of ${term.name}`, sum, sums[placeOf.get(found.keys[g]!)!]!))
  }
  if (found.crossed.length !== expected.crossed.length) fail('sums are crossed with others')
  found.crossed.forEach(({ sign, moments }, k) => {
    if (sign !== expected.crossed[k]!.sign) fail('sums are crossed in another order')
    sameMoments(moments, expected.crossed[k]!.moments, sign < 0 ? inCells : terms)
  })
}

/** The largest numbers, as far as both keep them. */
function sameTail(what: string, found: Tail, expected: Tail): void {
  close(`the count of ${what}`, found.count, expected.count)
  const shared = Math.min(found.largest.length, expected.largest.length)
  alike(what, found.largest.slice(-shared), expected.largest.slice(-shared))
}

function sameFacts({ broken, ...found }: Facts, expected: Facts): void {
  close('the number of broken rows', broken.rows, expected.broken.rows)
  alike('the faults', broken.faults, expected.broken.faults)
  // Nothing else is asked about a log with broken rows.
  if (broken.rows > 0) return
  for (const [name, value] of Object.entries(found)) {
    if (isLacking(value) || name === 'largestWeights') continue
    alike(`the fact ${name}`, value, expected[name as keyof Facts])
  }
  const [own, other] = [found.largestWeights, expected.largestWeights]
  if (isLacking(own) || isLacking(other)) return
  sameTail('the weights', { largest: own, count: found.rows }, { largest: other, count: expected.rows })
}

/** Answers to a batch with the same cells, numbers to 1e-9 of the largest beside them, and to 1e-15 where all are next to 0. */
export function sameBatch(found: Answers, expected: Answers): void {
  const same = (what: string, numbers: ArrayLike<number>, others: ArrayLike<number>): void => {
    const scale = Array.from(others).reduce((most, x) => (Math.abs(x) > most ? Math.abs(x) : most), 1e-6)
    if (numbers.length !== others.length) fail(`${what} has ${numbers.length} numbers, not ${others.length}`)
    for (let k = 0; k < others.length; k++)
      if (!Object.is(numbers[k], others[k]) && !(Math.abs(numbers[k]! - others[k]!) <= 1e-9 * scale))
        fail(`${what} at ${k} is ${numbers[k]}, not ${others[k]}`)
  }
  for (const [name, sums] of Object.entries(expected.sums))
    for (const [sum, column] of Object.entries(sums))
      same(`${name}, ${sum},`, found.sums[name]![sum]!, column)
  for (const [name, numbers] of Object.entries(expected.largest))
    same(`the largest of ${name}`, found.largest[name]!, numbers)
  for (const [name, { largest, users, ...numbers }] of Object.entries(expected.factors)) {
    const own = found.factors[name]!
    same(`the users of ${name}`, own.users, users)
    for (const [what, value] of Object.entries(numbers))
      same(`${what} of ${name}`, [own[what as keyof typeof numbers]], [value])
    same(`the ratios of ${name}`, own.largest.map(({ ratio }) => ratio), largest.map(({ ratio }) => ratio)) // prettier-ignore
    same(`the shifts of ${name}`, own.largest.map(({ shift }) => shift), largest.map(({ shift }) => shift)) // prettier-ignore
    const cells = [own.largest, largest].map((some) =>
      some.map(({ item, group }) => `${item} in ${group}`).join(),
    )
    if (cells[0] !== cells[1]) fail(`the cells of ${name} are ${cells[0]}, not ${cells[1]}`)
  }
}
