import { popularityModel } from '../../model/popularity.js'
import type { TrainedModelName } from '../../model/trained-models.js'
import { easeSolver } from './ease.js'
import { ialsSolver } from './ials.js'
import { itemKnnSolver, slimSolver } from './neighbours.js'
import type { Solver } from './solver.js'

export type { Parameters, Solution, Solver, Solving } from './solver.js'

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
  slim: slimSolver,
  'item-knn': itemKnnSolver,
  ease: easeSolver,
  ials: ialsSolver,
}
