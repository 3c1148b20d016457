import fc from 'fast-check'
import { type Adjacency, type Graph, graphOf } from '../graph/graph.js'
import { NO_ITEM, type Rankings } from '../kernels/kernel.js'

/** Users, what is ranked for them, best first, and what they clicked, before and after. */
export interface Example {
  readonly items: number
  readonly k: number
  readonly users: readonly {
    readonly ranked: readonly number[]
    readonly clicked: readonly number[]
    readonly trained?: readonly number[]
  }[]
}

/** The example as input to `rankingMetricsOf`. */
export function tablesOf({ items, k, users }: Example): {
  rankings: Rankings
  relevant: Adjacency
  training: Graph
} {
  const rankings = {
    users: Uint32Array.from(users, (_, user) => user),
    k,
    items: Uint32Array.from(
      users.flatMap(({ ranked }) => Array.from({ length: k }, (_, place) => ranked[place] ?? NO_ITEM)),
    ),
  }
  const linked = (of: 'clicked' | 'trained'): Graph => {
    const pairs = users.flatMap((one, user) => (one[of] ?? []).map((item) => [user, item] as const))
    return graphOf(
      users.length,
      items,
      Uint32Array.from(pairs, ([user]) => user),
      Uint32Array.from(pairs, ([, item]) => item),
    )
  }
  return { rankings, relevant: linked('clicked').byUser, training: linked('trained') }
}

const subsetOf = (items: number): fc.Arbitrary<number[]> =>
  fc.subarray(Array.from({ length: items }, (_, item) => item))

/** Any example in which at least one user clicked and has a ranking; k may exceed the catalogue. */
export const anyExample: fc.Arbitrary<Example> = fc
  .record({ items: fc.integer({ min: 1, max: 12 }), k: fc.integer({ min: 1, max: 15 }) })
  .chain(({ items, k }) => {
    const user = fc.record({
      ranked: fc.shuffledSubarray(Array.from({ length: items }, (_, item) => item)),
      clicked: subsetOf(items),
      trained: subsetOf(items),
    })
    return fc.record({
      items: fc.constant(items),
      k: fc.constant(k),
      users: fc.array(user, { minLength: 1, maxLength: 8 }),
    })
  })
  .filter(({ users }) => users.some(({ ranked, clicked }) => clicked.length > 0 && ranked.length > 0))
