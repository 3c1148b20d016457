// Is the learning real? LightGCN and matrix factorisation on MovieLens 1M by the protocol of RecBole-GNN's
// published table: ratings of 3 or more are clicks, 8:1:1 of each user's clicks at random, full ranking, batch
// 4096, learning rate 2e-3, K = 3, stopped on MRR@10. About half an hour a seed of LightGCN on two threads.
//   node bench/quality/recbole.mjs MODEL SEED THREADS [L2 [SECONDS]]    one run, at most so long, as JSON on standard output
// The table says reg_weight = 1e-4. RecBole's penalty is the squared norm of a batch's embeddings in newer versions,
// which is our λ = 1e-4, and the norm itself in older ones, whose gradient is ours at λ = 1e-4/‖E‖, about 1e-6.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PUBLISHED = {
  lightgcn: { recall: 0.1861, mrr: 0.4388, ndcg: 0.2538 },
  mf: { recall: 0.1776, mrr: 0.4187, ndcg: 0.2401 },
}
const SETTINGS = {
  loss: 'bpr',
  batch: 4096,
  learningRate: 2e-3,
  l2: 1e-4,
  k: 10,
  stopOn: 'mrr',
  evaluateEvery: 2,
  patience: 10,
  minimumGain: 0,
  epochs: 600,
}

/** Means over seeds of both models, beside the published numbers. */
export async function bench({ seeds = 3 }) {
  const results = {}
  for (const model of Object.keys(PUBLISHED)) {
    const runs = Array.from({ length: seeds }, (_, seed) => {
      const { stdout, status, stderr } = spawnSync(
        process.execPath,
        [fileURLToPath(import.meta.url), model, String(seed), '2'],
        { encoding: 'utf8' },
      )
      if (status !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    })
    results[model] = { published: PUBLISHED[model], runs }
    for (const { seed, recall, mrr, ndcg, seconds } of runs)
      console.log(
        `${model} seed ${seed}: recall ${recall}, MRR ${mrr}, NDCG ${ndcg}, ${Math.round(seconds)} s`,
      )
  }
  return { settings: SETTINGS, results }
}

async function run(model, seed, threads, l2, seconds) {
  const { readLogFile, kernelOf } = await import('../../dist/node/index.js')
  const { train } = await import('../../dist/train/index.js')
  const data = process.env.HINDCAST_DATA
  if (!data) throw new Error('Set HINDCAST_DATA to a folder with ml-1m/ratings.dat.')
  const { log } = await readLogFile(join(data, 'ml-1m', 'ratings.dat'), { format: 'movielens', clickFrom: 3 })
  const began = performance.now()
  const { training } = await train(
    await splitOfEachUser(log, seed),
    { ...SETTINGS, model, seed, l2 },
    {
      kernel: kernelOf({ threads }),
      ...(seconds && { signal: AbortSignal.timeout(seconds * 1000) }),
      onEpoch: ({ epoch, ndcg, loss }) => ndcg !== null && console.error(model, seed, epoch, loss, ndcg),
    },
  )
  const { test } = training.ranked[0]
  return {
    seed,
    threads,
    l2,
    recall: test.recall.value,
    mrr: test.mrr.value,
    ndcg: test.ndcg.value,
    users: test.users,
    bestEpoch: training.best.epoch,
    epochs: training.epochs.length,
    stopped: training.stopped,
    seconds: (performance.now() - began) / 1000,
  }
}

/** 8:1:1 of the clicks of each user, in an order drawn for the user. */
async function splitOfEachUser(log, seed) {
  const { randomStream, takeRows } = await import('../../dist/index.js')
  const rowsOf = new Map()
  for (let row = 0; row < log.rows; row++)
    if (log.reward[row] > 0) rowsOf.set(log.user[row], [...(rowsOf.get(log.user[row]) ?? []), row])
  const parts = [[], [], []]
  for (const [user, rows] of rowsOf) {
    const random = randomStream(seed, 'split of each user', user)
    const order = rows.map((row) => [random.uniform(), row]).toSorted(([a], [b]) => a - b)
    const held = Math.floor(rows.length / 10)
    order.forEach(([, row], k) => parts[k < held ? 2 : k < 2 * held ? 1 : 0].push(row))
  }
  const [train, validation, test] = parts.map((rows) => takeRows(log, Uint32Array.from(rows).sort()))
  return { train, validation, test }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [model, seed, threads, l2 = SETTINGS.l2, seconds] = process.argv.slice(2)
  console.log(
    JSON.stringify(await run(model, Number(seed), Number(threads), Number(l2), seconds && Number(seconds))),
  )
}
