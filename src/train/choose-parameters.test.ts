import { describe, expect, it } from 'vitest'
import type { Graph } from '../graph/graph.js'
import { mostWork, TRY_BUDGET } from './choose-parameters.js'
import { DEFAULT_SETTINGS } from './settings.js'
import type { Solver } from './solvers.js'

/** A model whose parameters can be tried: 10¹⁰ multiplications to solve, and so many for the scores of a user. */
const solverOf = (scoring: number): Solver => ({
  usual: { lambda: 1 },
  ladders: [{ name: 'lambda', values: [1, 2] }],
  work: () => 1e10,
  scoring: () => scoring,
  attempt: () => Promise.reject(new Error('Nothing is solved here.')),
})

const workOn = (size: Pick<Graph, 'users' | 'items'>, scoring: number): number =>
  mostWork(solverOf(scoring), size as Graph, DEFAULT_SETTINGS)

describe('the work of choosing parameters', () => {
  it('counts the scores of all users that judge a try, nine times at most', () => {
    expect(workOn({ users: 1000, items: 100 }, 1e7)).toBe(9 * 2e10)
    // Of a hundred thousand users, 5,000 judge.
    expect(workOn({ users: 1e5, items: 1e5 }, 1e6)).toBe(9 * 1.5e10)
  })

  it('stays within its budget, and is one try where two do not fit', () => {
    expect(workOn({ users: 1e5, items: 1e5 }, 1e7)).toBe(TRY_BUDGET)
    expect(workOn({ users: 1e5, items: 1e5 }, 1e8)).toBe(1e10 + 5e11)
  })
})
