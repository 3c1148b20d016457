import { EASE_LAMBDA, easeModel } from '../../model/ease.js'
import { easeWork } from '../../model/ease-work.js'
import type { Solver } from './solver.js'

/** EASE, with λ tried from the usual 500 in the direction that ranks better. */
export const easeSolver: Solver = {
  usual: { lambda: EASE_LAMBDA },
  ladders: [{ name: 'lambda', values: [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] }],
  work: (graph) => easeWork(graph).multiplications,
  // Rows of weights are added up plainly, several times slower than a matrix is solved.
  scoring: ({ users, items, edges }) => (4 * items * edges) / users,
  attempt: ({ lambda }, { graph, options }) =>
    easeModel(graph, { ...options, ...(lambda !== undefined && { lambda }) }),
}
