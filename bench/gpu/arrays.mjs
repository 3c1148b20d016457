// A graph of clicks, batches and the embeddings to begin with, as files of bare numbers that both sides read, so that
// both take the same steps; fast enough for a hundred million clicks.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isLinked } from '../../dist/graph/graph.js'
import { randomStream } from '../../dist/random/stream.js'

const SEED = 1
const SPREAD = 0.1

/** Where the arrays of a bench are put while it runs. */
export const folderOf = (name) => fileURLToPath(new URL(`../data/gpu/${name}`, import.meta.url))

/** Writes the graph, `steps` batches of clicks drawn at random, each with an unclicked item, and initial embeddings. */
export function writeArrays(folder, graph, { steps, ...settings }) {
  const { users, items, edges, byUser } = graph
  const edgeUsers = new Uint32Array(edges)
  for (let user = 0; user < users; user++)
    edgeUsers.fill(user, byUser.offsets[user], byUser.offsets[user + 1])
  const arrays = {
    edgeUsers,
    edgeItems: byUser.neighbours,
    ...samples(graph, edgeUsers, steps * settings.batch),
    embeddings: start((users + items) * settings.dim),
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, values] of Object.entries(arrays)) writeFileSync(`${folder}/${name}`, values)
  writeFileSync(`${folder}/sizes.json`, JSON.stringify({ users, items, edges, ...settings }))
}

/** Reads one of the files. */
export const readArray = (folder, name, Values) =>
  new Values(new Uint8Array(readFileSync(`${folder}/${name}`)).buffer)

/** The batches of a folder in the form a kernel takes, full ones only. */
export function readBatches(folder, batch) {
  const users = readArray(folder, 'users', Uint32Array)
  const positives = readArray(folder, 'positives', Uint32Array)
  const negatives = readArray(folder, 'negatives', Uint32Array)
  return Array.from({ length: users.length / batch }, (_, at) => {
    const items = new Uint32Array(2 * batch)
    for (let k = 0; k < batch; k++) {
      items[2 * k] = positives[at * batch + k]
      items[2 * k + 1] = negatives[at * batch + k]
    }
    return {
      users: users.slice(at * batch, (at + 1) * batch),
      items,
      weights: new Float32Array(batch).fill(1),
    }
  })
}

function samples({ items, edges, byUser }, edgeUsers, count) {
  const random = randomStream(SEED, 'samples')
  const users = new Uint32Array(count)
  const positives = new Uint32Array(count)
  const negatives = new Uint32Array(count)
  for (let k = 0; k < count; k++) {
    const edge = Math.floor(edges * random.uniform())
    users[k] = edgeUsers[edge]
    positives[k] = byUser.neighbours[edge]
    do negatives[k] = Math.floor(items * random.uniform())
    while (isLinked(byUser, users[k], negatives[k]))
  }
  return { users, positives, negatives }
}

/** Uniform numbers with a standard deviation of 0.1. */
function start(size) {
  const random = randomStream(SEED, 'embeddings')
  const width = 2 * Math.sqrt(3) * SPREAD
  const values = new Float32Array(size)
  for (let k = 0; k < size; k++) values[k] = width * (random.word() / 0x100000000 - 0.5)
  return values
}
