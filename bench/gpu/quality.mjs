// LightGCN on Gowalla to the published quality, and how long that takes: K = 3, 64 columns, λ = 1e-4, learning rate
// 1e-3, batches of 2048, the train and test parts of the LightGCN paper. The epoch is chosen by recall@20 on a tenth
// of the training clicks, held out at random; then a model is trained anew on all training clicks for as many steps,
// and both are judged on the test part. Users are drawn all alike, as the paper's code does it. Likewise the softmax loss,
// which pulls harder: its learning rate and λ are chosen on the held-out clicks, too.
// Metrics as LightGCN-PyTorch has them: recall@20 = hits / test clicks of the user, NDCG@20 with an ideal of
// min(20, test clicks), means over users with test clicks, training clicks left out of the rankings.
import { drawNormal } from '../../dist/random/distributions.js'
import { randomStream } from '../../dist/random/stream.js'
import { train } from '../../dist/train/index.js'
import { clickLog, dealt, gowalla, NO_CLICKS } from './clicks.mjs'
import { kernelFor, sampling } from './kernel.mjs'
import { machine } from './machine.mjs'
import { short, table } from './table.mjs'

/** LightGCN-PyTorch's table, three layers. */
const PUBLISHED = { recall: 0.1823, ndcg: 0.1555 }
const SETTINGS = {
  model: 'lightgcn',
  dim: 64,
  layers: 3,
  learningRate: 1e-3,
  l2: 1e-4,
  batch: 2048,
  k: 20,
  stopOn: 'recall',
  minimumGain: 0,
}
/** What is tried of each loss. */
const TRIED = {
  bpr: [{ evaluateEvery: 20, patience: 5 }],
  softmax: [2e-3, 5e-3].flatMap((learningRate) =>
    [1e-3, 3e-3].map((l2) => ({ drawn: 64, learningRate, l2, evaluateEvery: 2, patience: 5 })),
  ),
}
const HELD_OUT = 0.1

/**
 * Curves, test metrics and seconds of each loss; `onPart` is told after each training. `wanted` is a recall on the
 * held-out clicks whose time is told, by default the best that BPR had; `limit` ends each training after so many seconds;
 * `start` is the standard deviation of normal numbers to begin with (0.1 in LightGCN-PyTorch) instead of Glorot's.
 */
export async function bench({
  backend = 'webgpu',
  losses = Object.keys(TRIED),
  epochs = 1000,
  seed = 0,
  sampleBy = 'user',
  start,
  wanted,
  limit,
  onPart,
}) {
  const clicks = gowalla()
  const { held, others } = dealt(clicks.train, HELD_OUT, seed)
  const log = (pairs) => clickLog(clicks, pairs)
  const test = log(clicks.test)
  const parts = { train: log(others), validation: log(held), test }
  const whole = { train: log(clicks.train), validation: log(NO_CLICKS), test }
  const results = {}
  const measured = {
    machine: machine(),
    published: PUBLISHED,
    settings: { ...SETTINGS, sampleBy },
    seed,
    start: start ?? 'glorot',
    results,
  }
  const add = (name, result) => {
    results[name] = result
    onPart?.(measured)
    return result
  }

  const run = (split, settings) =>
    trained(split, { ...SETTINGS, sampleBy, seed, epochs, ...settings }, { backend, start, limit })
  for (const loss of losses) {
    const tried = []
    for (const choice of TRIED[loss]) {
      const { drawn, learningRate, l2 } = choice
      const name = drawn ? `${loss}, ${drawn} drawn, rate ${learningRate}, λ ${l2}` : loss
      tried.push(add(name, chosen(await run(parts, { loss, ...choice }), wanted)))
    }
    const best = tried.toSorted((a, b) => b.validation.recall - a.validation.recall)[0]
    wanted ??= best.validation.recall
    // As many steps as the chosen epoch had come to fewer epochs of all clicks.
    const again = Math.max(1, Math.round(best.steps / Math.ceil(whole.train.rows / SETTINGS.batch)))
    const settings = { ...best.settings, epochs: again, evaluateEvery: again }
    add(`${loss}, all clicks`, outcome(await run(whole, settings)))
  }
  console.log(`\n${tableOf(results)}\n`)
  return measured
}

/** Trains; every judgement is told as it comes. */
async function trained(split, settings, { backend, start, limit }) {
  const began = performance.now()
  const makeKernel = kernelFor(backend)
  let device
  const { training } = await train(split, settings, {
    kernel: async (asked) => {
      const kernel = await makeKernel(asked)
      device = kernel.device
      if (start !== undefined) startNormal(kernel, start, settings.seed)
      return kernel
    },
    ...sampling(),
    ...(limit && { signal: AbortSignal.timeout(1000 * limit) }),
    onEpoch: ({ epoch, loss, recall, seconds }) =>
      recall !== null &&
      console.error(
        `${settings.loss} epoch ${epoch}: loss ${short(loss)}, recall ${recall.toFixed(4)}, ${short(seconds)} s`,
      ),
  })
  return { training, device, wallSeconds: (performance.now() - began) / 1000 }
}

/** Puts normal numbers of this standard deviation in the place of the first embeddings that the kernel is given. */
function startNormal(kernel, deviation, seed) {
  const load = kernel.load.bind(kernel)
  kernel.load = (state) => {
    const random = randomStream(seed, 'normal start')
    load({ ...state, embeddings: state.embeddings.map(() => deviation * drawNormal(random)) })
    kernel.load = load
  }
}

/** What came out of a training. Seconds of training hold no evaluation, those of the wall everything. */
function outcome({ training, device, wallSeconds }) {
  const { best, epochs, settings, stopped, ranked } = training
  return {
    device,
    settings,
    bestEpoch: best.epoch,
    epochs: epochs.length,
    steps: epochs[best.epoch - 1].steps,
    stopped,
    trainSeconds: epochs.reduce((sum, epoch) => sum + epoch.trainSeconds, 0),
    wallSeconds,
    test: brief(ranked[0].test),
  }
}

/** The same for a training that was judged as it went, with its curve. */
function chosen(run, wanted) {
  let seconds = 0
  let trainSeconds = 0
  const curve = run.training.epochs.flatMap((record) => {
    seconds += record.seconds
    trainSeconds += record.trainSeconds
    const { epoch, loss, recall, ndcg } = record
    return recall === null ? [] : { epoch, seconds, trainSeconds, loss, recall, ndcg }
  })
  return {
    ...outcome(run),
    validation: brief(run.training.ranked[0].validation),
    ...(wanted !== undefined && { wanted, reached: curve.find(({ recall }) => recall >= wanted) ?? null }),
    curve,
  }
}

const brief = (metrics) => ({
  users: metrics.users,
  recall: metrics.recall.value,
  recallInterval: metrics.recall.interval,
  ndcg: metrics.ndcg.value,
  ndcgInterval: metrics.ndcg.interval,
})

function tableOf(results) {
  const all = Object.values(results).reduce((sum, { wallSeconds }) => sum + wallSeconds, 0)
  const rows = Object.entries(results).map(([name, one]) => [
    name,
    one.bestEpoch,
    one.validation?.recall.toFixed(4) ?? '',
    one.test.recall.toFixed(4),
    one.test.ndcg.toFixed(4),
    short(one.trainSeconds),
    short(one.wallSeconds),
    one.wanted === undefined ? '' : one.reached ? short(one.reached.seconds) : 'not reached',
  ])
  const head = ['Gowalla', 'epoch', 'recall@20, held out', 'recall@20, test', 'NDCG@20, test']
  const lines = [
    [...head, 's of training', 's in all', 's to the recall wanted'],
    ['LightGCN-PyTorch', '', '', PUBLISHED.recall, PUBLISHED.ndcg, '', '', ''],
    ...rows,
  ]
  return `${table(lines)}\n\nAll of it took ${short(all)} s.`
}
