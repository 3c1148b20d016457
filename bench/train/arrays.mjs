// A graph of clicks, the batches of an epoch and the embeddings to begin with, as files of bare numbers that both
// sides read, so that both take the same steps.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { graphOf, isLinked } from '../../dist/graph/graph.js'
import { randomStream } from '../../dist/random/stream.js'

/** The model trained in all these benchmarks. */
export const SETTINGS = { dim: 64, layers: 3, batch: 1024, learningRate: 1e-3, l2: 1e-4 }

const SEED = 1
const FILES = {
  'ml-100k': { path: 'ml-100k/u.data', between: '\t' },
  'ml-1m': { path: 'ml-1m/ratings.dat', between: '::' },
}

/** Ratings of 4 and 5 of MovieLens as clicks; only users and items that have one are kept. */
export function movieLens(name) {
  const folder = process.env.HINDCAST_DATA
  if (!folder) throw new Error('Set HINDCAST_DATA to a folder with ml-100k and ml-1m.')
  const { path, between } = FILES[name]
  const users = new Map()
  const items = new Map()
  const indexOf = (ids, id) => ids.get(id) ?? ids.set(id, ids.size).get(id)
  const pairs = []
  for (const line of readFileSync(`${folder}/${path}`, 'latin1').split('\n')) {
    const [user, item, rating] = line.split(between)
    if (Number(rating) >= 4) pairs.push([indexOf(users, user), indexOf(items, item)])
  }
  const column = (k) => Uint32Array.from(pairs, (pair) => pair[k])
  return graphOf(users.size, items.size, column(0), column(1))
}

/**
 * A long-tailed graph with about this many clicks: 50 per user and 200 per item on average, the k-th most active user
 * with k^-½ of the clicks of the first, and the items of a user drawn in proportion to k^-⅔.
 */
export function longTailed(clicks) {
  const users = clicks / 50
  const items = clicks / 200
  const random = randomStream(SEED, 'long-tailed graph')
  const itemAt = shuffled(
    Uint32Array.from({ length: items }, (_, k) => k),
    random,
  )
  const user = []
  const item = []
  for (let k = 0; k < users; k++) {
    const degree = Math.min(Math.round(clicks / 2 / Math.sqrt(users * (k + 1))), items / 4)
    const seen = new Set()
    while (seen.size < degree) seen.add(itemAt[Math.floor(items * random.uniform() ** 3)])
    for (const one of seen) {
      user.push(k)
      item.push(one)
    }
  }
  return graphOf(users, items, Uint32Array.from(user), Uint32Array.from(item))
}

/** Writes what both sides need; `steps` limits how much of the epoch. Returns the sizes. */
export function writeArrays(folder, { users, items, edges, byUser }, steps = Infinity) {
  const { dim, batch } = SETTINGS
  const edgeUsers = new Uint32Array(edges)
  for (let user = 0; user < users; user++)
    edgeUsers.fill(user, byUser.offsets[user], byUser.offsets[user + 1])
  const order = shuffled(
    Uint32Array.from({ length: edges }, (_, k) => k),
    randomStream(SEED, 'order'),
  )
  const kept = order.subarray(0, Math.min(edges, steps * batch))
  const random = randomStream(SEED, 'negatives')
  const unclicked = (user) => {
    for (;;) {
      const item = Math.floor(items * random.uniform())
      if (!isLinked(byUser, user, item)) return item
    }
  }
  const start = randomStream(SEED, 'embeddings')
  // Uniform with a standard deviation of 0.1.
  const embeddings = Float32Array.from(
    { length: (users + items) * dim },
    () => 0.2 * Math.sqrt(3) * (start.uniform() - 0.5),
  )
  mkdirSync(folder, { recursive: true })
  const batchUsers = kept.map((edge) => edgeUsers[edge])
  const arrays = {
    edgeUsers,
    edgeItems: byUser.neighbours,
    users: batchUsers,
    positives: kept.map((edge) => byUser.neighbours[edge]),
    negatives: batchUsers.map(unclicked),
    embeddings,
  }
  for (const [name, values] of Object.entries(arrays)) writeFileSync(`${folder}/${name}`, values)
  const sizes = { users, items, edges, stepsAnEpoch: Math.ceil(edges / batch) }
  writeFileSync(`${folder}/sizes.json`, JSON.stringify({ ...sizes, ...SETTINGS }))
  return sizes
}

function shuffled(values, random) {
  for (let last = values.length - 1; last > 0; last--) {
    const other = Math.floor((last + 1) * random.uniform())
    const value = values[last]
    values[last] = values[other]
    values[other] = value
  }
  return values
}
