// What do policies earn that were learnt by each objective, at equal exploration? The world of tastes, whose truth is
// known; models by matrix factorisation, and the weighted ranking loss of LightGCN beside them. About ten minutes per
// seed on two cores.
//   node bench/quality/objectives.mjs [--seeds 3,4] [--epochs 14] [--only 'snips;dr']
// A policy's exploration is the effective sample size it has on a log of uniform exposure, as a share of the rows:
// 1/(items · mean over users of Σ_a π(a)²). Values are true ones: at the temperature that was trained, and at those
// that give an exploration of 0.05, 0.02, 0.01 and 0.005.
import { parseArgs } from 'node:util'
import { splitByRow, tastesWorld } from '../../dist/index.js'
import { kernelOf } from '../../dist/node/index.js'
import { settingsFor, train } from '../../dist/train/index.js'

const METHODS = {
  'ips-bpr, LightGCN': { loss: 'ips-bpr', stopOn: 'snips', learningRate: 5e-3, epochs: 400 },
  'weighted-likelihood': { loss: 'weighted-likelihood' },
  ips: { loss: 'ips' },
  'clipped-ips:100': { loss: 'clipped-ips' },
  'poem:1': { loss: 'poem' },
  'log-smoothing:0.1': { loss: 'log-smoothing' },
  'log-smoothing:0.1, from logging': { loss: 'log-smoothing', start: 'logging' },
  snips: { loss: 'snips' },
  'norm-poem:1': { loss: 'norm-poem' },
  dr: { loss: 'dr' },
}
const EXPLORATIONS = [0.05, 0.02, 0.01, 0.005]

export async function bench({ seeds = [3], epochs = 14, only = Object.keys(METHODS) } = {}) {
  const results = {}
  for (const seed of seeds) {
    const world = tastesWorld({ seed })
    const split = splitByRow(world.draw(), { seed: 0, test: 0 })
    console.log(
      `seed ${seed}: method, epoch kept, true value (exploration), then at ${EXPLORATIONS.join(', ')}`,
    )
    for (const method of only) {
      const began = performance.now()
      const settings = settingsFor(true, { dim: 32, epochs, ...METHODS[method] })
      const { model, training } = await train(split, settings, { kernel: kernelOf({ threads: 2 }) })
      const scores = world.userIds.map((_, user) => Float64Array.from(model.scores(user)))
      const trained = lookAt(world, scores, 1)
      const matched = EXPLORATIONS.map(
        (aim) => lookAt(world, scores, temperatureFor(world, scores, aim)).value,
      )
      const seconds = (performance.now() - began) / 1000
      ;(results[method] ??= []).push({ seed, epoch: training.best.epoch, ...trained, matched, seconds })
      console.log(
        `${method.padEnd(32)} ${String(training.best.epoch).padStart(3)}  ${trained.value.toFixed(3)} (${trained.exploration.toFixed(4)})  ${matched.map((value) => value.toFixed(3)).join('  ')}   ${seconds.toFixed(0)} s`,
      )
    }
  }
  return { epochs, explorations: EXPLORATIONS, settings: METHODS, results }
}

/** The true value and the exploration of softmax(scores / temperature). */
function lookAt(world, scores, temperature) {
  let [value, squares] = [0, 0]
  scores.forEach((row, user) => {
    const most = row.reduce((a, b) => Math.max(a, b), -Infinity)
    const powers = row.map((score) => Math.exp((score - most) / temperature))
    const total = powers.reduce((a, b) => a + b, 0)
    powers.forEach((power, item) => {
      const share = power / total
      value += share * world.clickRate(user, item)
      squares += share * share
    })
  })
  const items = world.itemIds.length
  return { value: value / scores.length, exploration: scores.length / (items * squares) }
}

/** The temperature at which a policy explores so much, by bisection: more temperature, more exploration. */
function temperatureFor(world, scores, aim) {
  let [low, high] = [1e-3, 1e3]
  for (let k = 0; k < 40; k++) {
    const middle = Math.sqrt(low * high)
    if (lookAt(world, scores, middle).exploration < aim) low = middle
    else high = middle
  }
  return high
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { values } = parseArgs({
    options: { seeds: { type: 'string' }, epochs: { type: 'string' }, only: { type: 'string' } },
  })
  await bench({
    ...(values.seeds && { seeds: values.seeds.split(',').map(Number) }),
    ...(values.epochs && { epochs: Number(values.epochs) }),
    ...(values.only && { only: values.only.split(';') }),
  })
}
