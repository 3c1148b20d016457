// Does debiasing pay where it must, and does the regulariser rescue it where raw weights hurt? Two simulated
// worlds with known tastes, ten seeds each, LightGCN; about ten minutes.
//   strong   exposure by popularity that says nothing about taste (T = 0.7): plain BPR learns what was shown
//   tiny     mild bias (T = 5), but half of the items are shown with tiny propensities: a few clicks weigh thousands
// Every model is trained for the same number of epochs, kept at its best by NDCG on a small log of uniform exposure,
// and asked for the ten best items of each user among those not shown in training: their true click-through rate, and the
// NDCG of clicks under uniform exposure.
import { splitByRow, tastesWorld, uniformPolicy } from '../../dist/index.js'
import { kernelOf } from '../../dist/node/index.js'
import { heldOutClicks, rankingMetricsOf, topK, train, unseenRows } from '../../dist/train/index.js'

const WORLDS = {
  strong: { temperature: 0.7 },
  tiny: { temperature: 5, rareItems: 0.5, rarePropensity: 3e-5 },
}
const METHODS = {
  bpr: { loss: 'bpr' },
  'ips-bpr': { loss: 'ips-bpr' },
  'ips-bpr + shrink:0.1': { loss: 'ips-bpr', regulariser: { kind: 'shrink', strength: 0.1 } },
}
const K = 10

export async function bench({ seeds = 10, epochs = 100, worlds = Object.keys(WORLDS) } = {}) {
  const results = {}
  for (const name of worlds) {
    const runs = []
    for (let seed = 0; seed < seeds; seed++) runs.push(await runSeed(WORLDS[name], seed, epochs))
    results[name] = { world: WORLDS[name], runs, differences: differencesOf(runs) }
    console.log(name)
    for (const [pair, { value, ndcg }] of Object.entries(results[name].differences))
      console.log(`  ${pair.padEnd(34)} true value ${text(value)}   NDCG ${text(ndcg)}`)
    const warned = runs.filter((run) => run['ips-bpr'].warnings > 0).length
    console.log(`  the weights report warned of raw weights in ${warned} of ${runs.length} seeds`)
  }
  return { seeds, epochs, settings: METHODS, results }
}

async function runSeed(options, seed, epochs) {
  const world = tastesWorld({ ...options, seed })
  const uniform = uniformPolicy(world.itemIds.length)
  const split = splitByRow(world.draw(), { seed, test: 0 })
  const unbiased = world.draw({ policy: uniform, replicate: 1 })
  const fairTest = world.draw({ policy: uniform, replicate: 2 })
  const run = { seed }
  for (const [method, settings] of Object.entries(METHODS)) {
    const { model, training } = await train(
      split,
      {
        ...settings,
        seed,
        epochs,
        patience: epochs,
        learningRate: 5e-3,
        evaluateEvery: 5,
        stopOn: 'unbiased',
      },
      { kernel: kernelOf({ threads: 2 }), unbiased },
    )
    run[method] = {
      ...judge(world, split.train, model, fairTest),
      epoch: training.best.epoch,
      essRatio: training.weights.essRatio,
      warnings: training.weights.warnings.length,
    }
  }
  return run
}

function judge(world, trainLog, model, fairTest) {
  const { shown, log } = unseenRows(trainLog, fairTest)
  const users = Uint32Array.from({ length: model.users }, (_, user) => user)
  const rankings = topK(model, users, K, shown.byUser)
  let rate = 0
  rankings.items.forEach((item, place) => (rate += world.clickRate(Math.floor(place / K), item)))
  const { clicks } = heldOutClicks(log, shown)
  return {
    value: rate / rankings.items.length,
    ndcg: rankingMetricsOf(rankings, clicks, { training: model.graph }).ndcg.value,
  }
}

/** Differences of methods paired by seed: mean and 95 % interval by Student's t. */
function differencesOf(runs) {
  const difference = (first, second) =>
    Object.fromEntries(
      ['value', 'ndcg'].map((what) => [
        what,
        meanInterval(runs.map((run) => run[first][what] - run[second][what])),
      ]),
    )
  const [plain, raw, tempered] = Object.keys(METHODS)
  return {
    [`${tempered} − ${plain}`]: difference(tempered, plain),
    [`${raw} − ${plain}`]: difference(raw, plain),
    [`${tempered} − ${raw}`]: difference(tempered, raw),
  }
}

/** t quantile of .975 for few degrees of freedom, by count − 1. */
const T975 = {
  1: 12.706,
  2: 4.303,
  3: 3.182,
  4: 2.776,
  5: 2.571,
  6: 2.447,
  7: 2.365,
  8: 2.306,
  9: 2.262,
  19: 2.093,
}

function meanInterval(values) {
  const mean = values.reduce((a, b) => a + b) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  const half = T975[values.length - 1] * Math.sqrt(variance / values.length)
  return { mean, interval: [mean - half, mean + half] }
}

const text = ({ mean, interval: [low, high] }) => `${mean.toFixed(4)} [${low.toFixed(4)}, ${high.toFixed(4)}]`
