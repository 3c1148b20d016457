import { badOption } from '../error.js'
import { degreeOf, type Graph, neighboursOf } from '../graph/graph.js'
import { bestItems } from '../kernels/best-items.js'

/** What makes an item a neighbour of another. */
export interface Neighbourhood {
  /** Neighbours that each item has at most. */
  readonly neighbours: number
  /** Added to the divisor, so that similarities seen on few users count less. */
  readonly shrinkage: number
}

/** The neighbours of an item, the most similar first. */
export interface NearestItems {
  readonly items: Uint32Array
  readonly similarities: Float64Array
  /** How many users clicked both. */
  readonly coClicks: Float64Array
}

/**
 * The items most similar to one item, by s_ij = c_ij/(√(d_i·d_j) + shrinkage), c_ij the users who clicked both and d those
 * who clicked one; only those with a user in common.
 */
export function nearestItems(
  graph: Graph,
  { neighbours, shrinkage }: Neighbourhood,
): (item: number) => NearestItems {
  if (!(Number.isInteger(neighbours) && neighbours >= 1))
    throw badOption(`The number of neighbours cannot be ${neighbours}.`, 'Give a whole number of at least 1.')
  if (!(shrinkage >= 0 && shrinkage < Infinity))
    throw badOption(`The shrinkage cannot be ${shrinkage}.`, 'Give a number of at least 0.')
  const { byItem, byUser } = graph
  const counts = new Float64Array(graph.items)
  const found = new Uint32Array(graph.items)
  return (item) => {
    let candidates = 0
    for (const user of neighboursOf(byItem, item))
      for (const other of neighboursOf(byUser, user))
        if (other !== item && counts[other]!++ === 0) found[candidates++] = other
    // Ascending, so that of equally similar items the first is kept.
    const others = found.subarray(0, candidates).sort()
    const degree = degreeOf(byItem, item)
    const similarity = new Float64Array(candidates)
    others.forEach((other, k) => {
      similarity[k] = counts[other]! / (Math.sqrt(degree * degreeOf(byItem, other)) + shrinkage)
    })
    const best = bestItems(similarity, neighbours)
    const nearest = {
      items: Uint32Array.from(best, (k) => others[k]!),
      similarities: Float64Array.from(best, (k) => similarity[k]!),
      coClicks: Float64Array.from(best, (k) => counts[others[k]!]!),
    }
    for (const other of others) counts[other] = 0
    return nearest
  }
}
