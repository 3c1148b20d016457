// The long-tailed graphs of bench/train/arrays.mjs, drawn in the same way but into typed columns: a list of numbers ends
// at about a hundred million.
import { graphOf } from '../../dist/graph/graph.js'
import { randomStream } from '../../dist/random/stream.js'

const SEED = 1

/**
 * A long-tailed graph with about this many clicks: 50 per user and 200 per item on average, the k-th most active user
 * with k^-½ of the clicks of the first, and the items of a user drawn in proportion to k^-⅔.
 */
export function longTailed(clicks) {
  const users = clicks / 50
  const items = clicks / 200
  const random = randomStream(SEED, 'long-tailed graph')
  const itemAt = shuffledItems(items, random)
  const degrees = new Uint32Array(users)
  let edges = 0
  for (let k = 0; k < users; k++) {
    degrees[k] = Math.min(Math.round(clicks / 2 / Math.sqrt(users * (k + 1))), items / 4)
    edges += degrees[k]
  }
  const user = new Uint32Array(edges)
  const item = new Uint32Array(edges)
  // The last user who was given an item, plus one: detects repetitions without a set per user.
  const givenTo = new Uint32Array(items)
  let at = 0
  for (let k = 0; k < users; k++) {
    const end = at + degrees[k]
    user.fill(k, at, end)
    while (at < end) {
      const u = random.uniform()
      const drawn = itemAt[Math.floor(items * u * u * u)]
      if (givenTo[drawn] === k + 1) continue
      givenTo[drawn] = k + 1
      item[at++] = drawn
    }
  }
  return graphOf(users, items, user, item)
}

/**
 * A graph of so many clicks that costs no drawing and no sorting: with s = items / 50, user u clicked every item that
 * leaves the same rest by s as u does. 50 clicks per user, 200 per item; only to see what fits.
 */
export function regular(clicks) {
  const stride = Math.floor(clicks / 200 / 50)
  const [items, users] = [50 * stride, 200 * stride]
  const rows = (count, each) => {
    const offsets = new Uint32Array(count + 1)
    const neighbours = new Uint32Array(count * each)
    for (let row = 0; row < count; row++) {
      offsets[row + 1] = (row + 1) * each
      for (let k = 0; k < each; k++) neighbours[row * each + k] = (row % stride) + k * stride
    }
    return { offsets, neighbours }
  }
  return { users, items, edges: users * 50, byUser: rows(users, 50), byItem: rows(items, 200) }
}

function shuffledItems(items, random) {
  const order = new Uint32Array(items)
  for (let k = 0; k < items; k++) order[k] = k
  for (let last = items - 1; last > 0; last--) {
    const other = Math.floor((last + 1) * random.uniform())
    const value = order[last]
    order[last] = order[other]
    order[other] = value
  }
  return order
}
