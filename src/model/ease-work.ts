import { degreeOf, type Graph } from '../graph/graph.js'

/** How many products of a matrix take as long as one sum along the clicks: those are read here and there. */
const SCATTERED = 8

/** What EASE costs, in multiplications of dense matrices, and which way is cheaper. */
export interface EaseWork {
  readonly multiplications: number
  /** Solved in a matrix of users × users rather than items × items. */
  readonly byUsers: boolean
}

/** The work of EASE on a graph: half the cube of the items with clicks, or of the users where those are fewer. */
export function easeWork({ users, items, edges, byUser, byItem }: Graph): EaseWork {
  const count = (rows: number, of: Graph['byUser']): number => {
    let some = 0
    for (let row = 0; row < rows; row++) if (degreeOf(of, row) > 0) some++
    return some
  }
  const [m, n] = [count(items, byItem), count(users, byUser)]
  const direct = (m * m * m) / 2
  const dual = (n * n * n) / 2 + SCATTERED * edges * (n + m)
  return { multiplications: Math.min(direct, dual), byUsers: dual < direct }
}
