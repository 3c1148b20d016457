import { describe, expect, it } from 'vitest'
import { type Graph, isLinked, neighboursOf } from '../graph/graph.js'
import { leastSquares, leastSquaresRow, sumOfProducts } from '../kernels/solvers/least-squares.js'
import { startNodeThread } from '../node/start-thread.js'
import { graphOfClicks, randomGraph } from './example-graph.js'
import { type Factors, type IalsModel, ialsModel, ialsObjective, ialsSweeps } from './ials.js'

const WEIGHTS = { unobserved: 0.2, lambda: 0.05 }

/** The objective, pair by pair. */
function plainObjective(
  graph: Graph,
  { users, items, dim }: Factors,
  { unobserved, lambda }: typeof WEIGHTS,
): number {
  let sum = 0
  for (let u = 0; u < graph.users; u++)
    for (let i = 0; i < graph.items; i++) {
      let score = 0
      for (let k = 0; k < dim; k++) score += users[u * dim + k]! * items[i * dim + k]!
      let square = 0
      for (let k = 0; k < dim; k++) square += users[u * dim + k]! ** 2 + items[i * dim + k]! ** 2
      const clicked = Number(isLinked(graph.byUser, u, i))
      // The penalty λ(n + α·others)‖w‖², spread over pairs: each pair brings α, each click 1.
      sum += clicked * (1 - score) ** 2 + unobserved * score ** 2 + lambda * (clicked + unobserved) * square
    }
  return sum
}

describe('ialsSweeps', () => {
  const graph = randomGraph(25, 18, 4)

  it('never raises the objective, which is the plain sum over all pairs', async () => {
    const objectives: number[] = []
    for await (const { objective } of ialsSweeps(graph, { dim: 5, sweeps: 12, ...WEIGHTS }))
      objectives.push(objective())
    objectives.forEach((value, k) => k > 0 && expect(value).toBeLessThanOrEqual(objectives[k - 1]! + 1e-9))
    expect(objectives.at(-1)!).toBeLessThan(0.98 * objectives[0]!)
    const factors = {
      users: Float64Array.from({ length: 25 * 3 }, (_, k) => Math.sin(k)),
      items: Float64Array.from({ length: 18 * 3 }, (_, k) => Math.cos(k)),
      dim: 3,
    }
    expect(ialsObjective(graph, factors, WEIGHTS)).toBeCloseTo(plainObjective(graph, factors, WEIGHTS), 8)
  })

  it('ends where no number can be changed for the better', async () => {
    const tiny = graphOfClicks(3, [[0, 1], [1, 2], [0]])
    let last: IalsModel | undefined
    for await (const { model } of ialsSweeps(tiny, { dim: 1, sweeps: 300, ...WEIGHTS })) last = model()
    const factors = {
      users: Float64Array.from(last!.final.subarray(0, 3)),
      items: Float64Array.from(last!.final.subarray(3)),
      dim: 1,
    }
    const least = plainObjective(tiny, factors, WEIGHTS)
    for (const side of ['users', 'items'] as const)
      for (let k = 0; k < 3; k++)
        for (const change of [-1e-3, 1e-3]) {
          const moved = { ...factors, [side]: factors[side].with(k, factors[side][k]! + change) }
          expect(plainObjective(tiny, moved, WEIGHTS)).toBeGreaterThan(least)
        }
  })

  it('solves each row as the plain normal equations do', async () => {
    const dim = 7
    const items = Float64Array.from({ length: 18 * dim }, (_, k) => Math.sin(3 * k + 1))
    const squares = await leastSquares(graph, dim)
    squares.write('items', items)
    for (const _ of squares.solve('users', WEIGHTS));
    const found = squares.read('users')
    await squares.dispose()
    const gram = sumOfProducts({ rows: items, dim })
    for (let user = 0; user < 25; user++)
      leastSquaresRow({ rows: items, dim }, gram, neighboursOf(graph.byUser, user), WEIGHTS).forEach(
        (value, k) => expect(found[user * dim + k]).toBeCloseTo(value, 12),
      )
  })

  it('is right for one user and one item by hand', () => {
    // (y² + αy² + λ(1 + α))x = y with y = 2, α = 0.5, λ = 1: (6 + 1.5)x = 2.
    const rows = Float64Array.of(2)
    const [x] = leastSquaresRow({ rows, dim: 1 }, sumOfProducts({ rows, dim: 1 }), Uint32Array.of(0), {
      unobserved: 0.5,
      lambda: 1,
    })
    expect(x).toBeCloseTo(2 / 7.5, 14)
  })
})

describe('ialsModel', () => {
  const graph = randomGraph(60, 40, 1)

  it('has the same bits on any number of threads', async () => {
    const made = (threads: number): Promise<IalsModel> =>
      ialsModel(graph, { dim: 8, sweeps: 3, solver: { threads, startThread: startNodeThread } })
    const alone = await made(1)
    for (const threads of [2, 3]) expect((await made(threads)).final).toEqual(alone.final)
  })

  it('scores a new user like a known one with the same clicks, up to rounding', async () => {
    const model = await ialsModel(graph, { dim: 8, sweeps: 3 })
    for (const user of [0, 11, 42])
      model
        .foldIn(neighboursOf(graph.byUser, user))
        .forEach((score, item) => expect(score).toBeCloseTo(model.scores(user)[item]!, 5))
  })

  it('learns blocks of taste', async () => {
    // Two groups, each with its own five items; one click of each user is missing.
    const clicks = Array.from({ length: 20 }, (_, user) =>
      [0, 1, 2, 3, 4].filter((item) => item !== user % 5).map((item) => item + (user < 10 ? 0 : 5)),
    )
    const model = await ialsModel(graphOfClicks(10, clicks), { dim: 4, sweeps: 8 })
    for (let user = 0; user < 20; user++) {
      const scores = model.scores(user)
      const missing = (user % 5) + (user < 10 ? 0 : 5)
      const other = user < 10 ? 5 : 0
      for (let item = other; item < other + 5; item++) expect(scores[missing]).toBeGreaterThan(scores[item]!)
    }
  })

  it.each([
    [{ dim: 0 }, 'The width of iALS cannot be 0.'],
    [{ sweeps: 0 }, 'The number of sweeps of iALS cannot be 0.'],
    [{ unobserved: -1 }, 'The weight of pairs without a click of iALS cannot be -1.'],
    [{ lambda: 0 }, 'The penalty of iALS cannot be 0.'],
  ])('refuses %j', async (options, message) => {
    await expect(ialsModel(graph, options)).rejects.toThrow(message)
  })
})
