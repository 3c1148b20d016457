import { type Graph, neighboursOf } from '../graph/graph.js'

/** Writes into `counts` how many users clicked both `item` and each other item; its own place has its own clicks. */
export function countCoClicks(graph: Graph, item: number, counts: Float64Array): void {
  counts.fill(0)
  for (const user of neighboursOf(graph.byItem, item))
    for (const other of neighboursOf(graph.byUser, user)) counts[other]!++
}
