// Steps and epochs of LightGCN on a graphics card, beside PyTorch on the same card: 64 columns, 3 layers, BPR with one
// negative, Adam; Gowalla in batches of 2048, MovieLens 1M (ratings of 4 and 5) in batches of 1024. Both sides take
// the same steps from the same start, and their embeddings must agree after three. An epoch includes its sampling:
// ours as `train` does it, PyTorch's on the card (torch_lightgcn.py says how each variant is written).
import { rmSync } from 'node:fs'
import { graphOf } from '../../dist/graph/graph.js'
import { movieLens } from '../train/arrays.mjs'
import { folderOf, writeArrays } from './arrays.mjs'
import { gowalla } from './clicks.mjs'
import { machine } from './machine.mjs'
import { measureOurs, measureTorch, TOLERANCE } from './sides.mjs'
import { short, table } from './table.mjs'

const SETTINGS = { dim: 64, layers: 3, learningRate: 1e-3, l2: 1e-4 }
const SETS = {
  gowalla: { batch: 2048, graph: gowallaGraph },
  'ml-1m': { batch: 1024, graph: () => movieLens('ml-1m') },
  'ml-100k': { batch: 1024, graph: () => movieLens('ml-100k') },
}
/** Captured ones last: what fails while it is captured may take the device with it. */
const VARIANTS = ['coo', 'csr', 'bag', 'pyg', 'pygcsr', 'csr+graph', 'bag+graph', 'csr+compile']
/** Batches that the repetitions go through: enough that they do not stay in a cache. */
const BATCHES = 200
const EPOCHS = 5

/** Milliseconds per step and seconds per epoch of every side, for each data set; `onPart` is called as they arrive. */
export async function bench({
  backend = 'webgpu',
  sets = ['gowalla', 'ml-1m'],
  variants = VARIANTS,
  seconds = 1,
  onPart,
}) {
  const results = {}
  const measured = { machine: machine(), settings: SETTINGS, results }
  for (const name of sets) {
    const { batch, graph: read } = SETS[name]
    const graph = read()
    const folder = folderOf(name)
    writeArrays(folder, graph, { ...SETTINGS, batch, steps: BATCHES })
    const asked = { seconds, epochs: EPOCHS }
    const { users, items, edges } = graph
    const result = { users, items, edges, batch, stepsAnEpoch: Math.ceil(edges / batch) }
    results[name] = result
    result.hindcast = { [backend]: measureOurs(folder, backend, asked) }
    // On the CPU a step takes tens of milliseconds: epochs add nothing to steps.
    if (backend !== 'wasm') result.hindcast.wasm = measureOurs(folder, 'wasm', { seconds, epochs: 0 })
    onPart?.(measured)
    result.pytorch = measureTorch(folder, { variants, ...asked })
    rmSync(folder, { recursive: true })
    console.log(`\n${tableOf(name, results[name], backend)}\n`)
    onPart?.(measured)
  }
  return measured
}

function gowallaGraph() {
  const { users, items, train } = gowalla()
  return graphOf(users, items, train.user, train.item)
}

/** Sides whose embeddings do not agree with ours, as sentences. */
export const disagreements = ({ results }) =>
  Object.entries(results).flatMap(([name, { pytorch }]) =>
    Object.entries(pytorch)
      .filter(([, { difference }]) => difference !== undefined && !(difference <= TOLERANCE))
      .map(([variant, { difference }]) => `${name}: ${variant} differs from ours by ${difference}.`),
  )

function tableOf(name, { users, items, edges, batch, hindcast, pytorch }, backend) {
  const ours = hindcast[backend]
  const times = (side, what) =>
    side[what] === null || side[what] === undefined
      ? '–'
      : `${short(side[what])}${side === ours || !ours[what] ? '' : ` (${short(side[what] / ours[what])} ×)`}`
  const row = (who, side) =>
    side.failed
      ? [who, side.failed, '', '', '']
      : [
          who,
          times(side, 'millisecondsAStep'),
          times(side, 'epochSeconds'),
          side.deviceMegabytes ? `${side.deviceMegabytes} MB` : '–',
          side.difference === undefined ? '' : side.difference.toExponential(0),
        ]
  return table([
    [
      `${name}: ${users} users, ${items} items, ${edges} clicks, batches of ${batch}`,
      'ms per step',
      's per epoch',
      'memory',
      'difference',
    ],
    ...Object.entries(hindcast).map(([of, side]) =>
      row(`Hindcast, ${of}${side.device ? ` (${side.device})` : ''}`, side),
    ),
    ...Object.entries(pytorch).map(([of, side]) => row(`PyTorch ${of}`, side)),
  ])
}
