import { degreeOf, type Graph } from '../../graph/graph.js'
import { itemKnnModel } from '../../model/item-knn.js'
import { SLIM_USUAL, slimModel } from '../../model/slim.js'
import type { Solver } from './solver.js'

/** Pairs of clicks of one user: steps that finding the neighbours of all items takes. */
function clickPairs({ users, byUser }: Graph): number {
  let pairs = 0
  for (let user = 0; user < users; user++) pairs += degreeOf(byUser, user) ** 2
  return pairs
}

export const itemKnnSolver: Solver = {
  usual: { neighbours: 100, shrinkage: 10 },
  ladders: [],
  work: clickPairs,
  scoring: ({ items }) => items,
  attempt: ({ neighbours, shrinkage }, { graph, options }) =>
    itemKnnModel(graph, {
      ...options,
      ...(neighbours !== undefined && { neighbours }),
      ...(shrinkage !== undefined && { shrinkage }),
    }),
}

/** EASE among neighbours, with λ tried from the usual one in the direction that ranks better. */
export const slimSolver: Solver = {
  usual: SLIM_USUAL,
  ladders: [{ name: 'lambda', values: [1, 2, 5, 10, 20, 50, 100, 200, 500] }],
  // Plain loops, ten times slower than a large matrix; two items are both neighbours of at most as many as each has.
  work(graph, { neighbours = SLIM_USUAL.neighbours }) {
    const size = Math.min(neighbours, graph.items)
    return 10 * ((graph.items * size * size * size) / 6 + size * clickPairs(graph))
  },
  scoring: ({ items }) => items,
  attempt: ({ neighbours, lambda }, { graph, options }) =>
    slimModel(graph, {
      ...options,
      ...(neighbours !== undefined && { neighbours }),
      ...(lambda !== undefined && { lambda }),
    }),
}
