// Is the learning real? LightGCN and matrix factorisation on MovieLens 1M by the protocol of RecBole-GNN's
// published table (results/general/ml-1m.md there): ratings of 3 or more are clicks, other rows are dropped before
// users and items are counted; 8:1:1 of each user's clicks at random; full ranking, without the clicks of training
// and, in the test, of validation; batches of 4096, stopped on MRR@10 when 10 evaluations, one per epoch, bring no
// gain, at most 500 epochs.
//   node bench/quality/recbole.mjs [--seeds 0,1,2] [--split 2020] [--threads 2] [--backend auto]   both models, as JSON
//   node bench/quality/recbole.mjs --model lightgcn [--learning-rate X] [--l2 X]     one of them, otherwise tuned
//   node bench/quality/recbole.mjs --write FOLDER [--split 2020]     the split as files, for recbole_torch.py
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { bytesInput, readLog, takeRows } from '../../dist/index.js'
import { kernelOf } from '../../dist/node/index.js'
import { train } from '../../dist/train/index.js'

const PUBLISHED = {
  lightgcn: { recall: 0.1861, mrr: 0.4388, ndcg: 0.2538, hit: 0.733, precision: 0.1863 },
  mf: { recall: 0.1776, mrr: 0.4187, ndcg: 0.2401, hit: 0.7199, precision: 0.1779 },
}
const PROTOCOL = {
  loss: 'bpr',
  dim: 64,
  layers: 3,
  batch: 4096,
  k: 10,
  stopOn: 'mrr',
  evaluateEvery: 1,
  // RecBole stops when more than stopping_step = 10 evaluations brought no gain.
  patience: 11,
  minimumGain: 0,
  epochs: 500,
}
/**
 * The best of the table's searches. Its BPR has no penalty. LightGCN's is reg_weight = 1e-4 times the norm ‖E‖ of a
 * batch's embeddings, not its square unless require_pow is set: its gradient is ours at λ = 1e-4/‖E‖, about 1e-6.
 */
const TUNED = {
  lightgcn: { learningRate: 2e-3, l2: 1e-6 },
  mf: { learningRate: 1e-3, l2: 0 },
}

/** RecBole's default seed, by which it splits. */
const SPLIT = 2020

/** Every seed of the models, beside the published numbers. */
export async function bench({
  models = Object.keys(PUBLISHED),
  seeds = [0, 1, 2],
  split = SPLIT,
  ...how
} = {}) {
  const parts = splitOfEachUser(await clicks(), split)
  const results = {}
  for (const model of models) {
    const runs = []
    for (const seed of seeds) runs.push({ split, ...(await run(model, parts, { seed, ...how })) })
    results[model] = { published: PUBLISHED[model], runs }
  }
  return { protocol: 'RecBole-GNN, MovieLens 1M', settings: PROTOCOL, results }
}

/** Trains one model; its measures on the test part, and how it went. */
async function run(model, split, { seed, threads = 2, backend = 'auto', tuned = {} }) {
  const began = performance.now()
  const settings = { ...PROTOCOL, ...TUNED[model], ...tuned, model, seed }
  let kernel
  const { training } = await train(split, settings, {
    kernel: async (of) => (kernel = await kernelOf({ threads, backend })(of)),
    onEpoch: ({ epoch, loss, ndcg, seconds }) =>
      console.error(`${model} ${seed}: epoch ${epoch}, loss ${loss}, NDCG ${ndcg}, ${seconds.toFixed(1)} s`),
  })
  const { test, validation } = training.ranked[0]
  const found = {
    recall: test.recall.value,
    mrr: test.mrr.value,
    ndcg: test.ndcg.value,
    hit: test.hitRate.value,
    precision: test.precision.value,
  }
  console.error(model, seed, found)
  return {
    seed,
    backend: kernel.backend,
    threads: kernel.threads,
    learningRate: settings.learningRate,
    l2: settings.l2,
    ...found,
    validationMrr: validation.mrr.value,
    users: test.users,
    bestEpoch: training.best.epoch,
    epochs: training.epochs.length,
    seconds: (performance.now() - began) / 1000,
  }
}

/** The ratings of 3 and more, each a click. */
async function clicks() {
  const data = process.env.HINDCAST_DATA
  if (!data) throw new Error('Set HINDCAST_DATA to a folder with ml-1m/ratings.dat.')
  const lines = readFileSync(join(data, 'ml-1m', 'ratings.dat'), 'latin1').split('\n')
  const kept = lines.filter((line) => Number(line.split('::')[2]) >= 3)
  const bytes = new TextEncoder().encode(kept.join('\n'))
  const { log } = await readLog(bytesInput('ratings.dat', bytes), { format: 'movielens', clickFrom: 3 })
  return log
}

/**
 * The split that RecBole draws from a seed: all clicks in a random order, and of each user's, in that order, the
 * first eight tenths to train on, then one to validate and one to test. Held-out parts are rounded down, but to no
 * less than a click while one is left to train on.
 */
function splitOfEachUser(log, seed) {
  const rowsOf = log.userIds.map(() => [])
  for (const row of randomOrder(log.rows, seed)) rowsOf[log.user[row]].push(row)
  const parts = { train: [], validation: [], test: [] }
  for (const rows of rowsOf) {
    const share = Math.max(1, Math.floor(rows.length / 10))
    const tested = Math.min(share, rows.length - 1)
    const validated = Math.min(share, rows.length - 1 - tested)
    parts.train.push(...rows.slice(0, rows.length - tested - validated))
    parts.validation.push(...rows.slice(rows.length - tested - validated, rows.length - tested))
    parts.test.push(...rows.slice(rows.length - tested))
  }
  return Object.fromEntries(
    Object.entries(parts).map(([part, rows]) => [part, takeRows(log, Uint32Array.from(rows).sort())]),
  )
}

/** 0 … count − 1 in the order of torch.randperm(count) after torch.manual_seed(seed). */
function randomOrder(count, seed) {
  const random = mersenneTwister(seed)
  const order = Uint32Array.from({ length: count }, (_, k) => k)
  for (let k = 0; k < count - 1; k++) {
    const other = k + (random() % (count - k))
    const kept = order[k]
    order[k] = order[other]
    order[other] = kept
  }
  return order
}

/** The 32-bit numbers of MT19937 (Matsumoto & Nishimura 1998), which PyTorch draws from. */
function mersenneTwister(seed) {
  const [size, middle] = [624, 397]
  const state = new Uint32Array(size)
  state[0] = seed
  for (let k = 1; k < size; k++) state[k] = Math.imul(1812433253, state[k - 1] ^ (state[k - 1] >>> 30)) + k
  let at = size
  const twist = () => {
    for (let k = 0; k < size; k++) {
      const joined = (state[k] & 0x80000000) | (state[(k + 1) % size] & 0x7fffffff)
      state[k] = state[(k + middle) % size] ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0)
    }
    at = 0
  }
  return () => {
    if (at === size) twist()
    let word = state[at++]
    word ^= word >>> 11
    word ^= (word << 7) & 0x9d2c5680
    word ^= (word << 15) & 0xefc60000
    return (word ^ (word >>> 18)) >>> 0
  }
}

/** Writes the three parts of a split: pairs of user and item, as 16-bit integers. */
async function writeSplit(folder, seed) {
  const log = await clicks()
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'sizes.json'),
    JSON.stringify({ users: log.userIds.length, items: log.itemIds.length, clicks: log.rows }),
  )
  for (const [part, { rows, user, item }] of Object.entries(splitOfEachUser(log, seed)))
    writeFileSync(
      join(folder, `${part}-${seed}`),
      Uint16Array.from({ length: 2 * rows }, (_, k) => (k % 2 === 0 ? user : item)[k >> 1]),
    )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      model: { type: 'string' },
      seeds: { type: 'string' },
      split: { type: 'string', default: String(SPLIT) },
      threads: { type: 'string' },
      backend: { type: 'string' },
      'learning-rate': { type: 'string' },
      l2: { type: 'string' },
      write: { type: 'string' },
    },
  })
  const { model, seeds, split, threads, backend, l2, write, 'learning-rate': learningRate } = values
  if (write) await writeSplit(write, Number(split))
  else {
    const measured = await bench({
      split: Number(split),
      ...(model && { models: [model] }),
      ...(seeds && { seeds: seeds.split(',').map(Number) }),
      ...(threads && { threads: Number(threads) }),
      ...(backend && { backend }),
      tuned: {
        ...(learningRate && { learningRate: Number(learningRate) }),
        ...(l2 && { l2: Number(l2) }),
      },
    })
    console.log(JSON.stringify(measured, null, 2))
  }
}
