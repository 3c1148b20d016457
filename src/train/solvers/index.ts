import { degreeOf } from '../../graph/graph.js'
import { itemKnnModel } from '../../model/item-knn.js'
import { popularityModel } from '../../model/popularity.js'
import type { TrainedModelName } from '../../model/trained-models.js'
import { easeSolver } from './ease.js'
import { ialsSolver } from './ials.js'
import type { Solver } from './solver.js'

export type { Parameters, Solution, Solver, Solving } from './solver.js'

const itemKnn: Solver = {
  usual: { neighbours: 100, shrinkage: 10 },
  ladders: [],
  work({ users, byUser }) {
    let pairs = 0
    for (let user = 0; user < users; user++) pairs += degreeOf(byUser, user) ** 2
    return pairs
  },
  scoring: ({ items }) => items,
  attempt: ({ neighbours, shrinkage }, { graph, options }) =>
    itemKnnModel(graph, {
      ...options,
      ...(neighbours !== undefined && { neighbours }),
      ...(shrinkage !== undefined && { shrinkage }),
    }),
}

const popularity: Solver = {
  usual: {},
  ladders: [],
  work: ({ edges }) => edges,
  scoring: ({ items }) => items,
  attempt: async (_, { graph }) => popularityModel(graph),
}

/** How each model that is solved is solved. */
export const SOLVERS: Readonly<Partial<Record<TrainedModelName, Solver>>> = {
  popularity,
  'item-knn': itemKnn,
  ease: easeSolver,
  ials: ialsSolver,
}
