// Do certificates hold? Policies learnt by several objectives in worlds whose truth is known, each certified on its
// test impressions: how often the certified bound lies above the true value, how often something that earns less than
// the logging policy is certified as better, and what the policies earn beside ranking losses and the oracle. About
// seven minutes on one core.
//   node bench/quality/certificates.mjs [--seeds 20] [--worlds 'tastes;toy']
import { parseArgs } from 'node:util'
import { softmaxPolicy, splitByRow, tastesWorld, toyWorld, worldOf } from '../../dist/index.js'
import { certify, modelPolicy, settingsFor, train } from '../../dist/train/index.js'

const SIZE = { users: 200, items: 30, exposures: 60 }
const WORLDS = {
  tastes: (seed) => plain(tastesWorld({ seed, ...SIZE })),
  toy: (seed) => plain(toyWorld({ seed, ...SIZE, skew: 2 })),
  'good logging': (seed) => plain(goodLogging(tastesWorld({ seed, ...SIZE }))),
  'rare items': (seed) => plain(tastesWorld({ seed, ...SIZE, rareItems: 0.3, rarePropensity: 2e-4 })),
  amounts: (seed) => amounts(tastesWorld({ seed, ...SIZE }), seed),
}
const SHARED = { model: 'mf', dim: 8, batch: 512, epochs: 12, learningRate: 0.02, patience: 5 }
const METHODS = {
  ips: { loss: 'ips' },
  snips: { loss: 'snips' },
  dr: { loss: 'dr' },
  'log-smoothing': { loss: 'log-smoothing' },
  'snips, from logging': { loss: 'snips', start: 'logging' },
  bpr: { loss: 'bpr', stopOn: 'snips', epochs: 30 },
  'ips-bpr': { loss: 'ips-bpr', stopOn: 'snips', epochs: 30 },
}

export async function bench({ seeds = 20, worlds = Object.keys(WORLDS) } = {}) {
  const began = performance.now()
  const results = {}
  for (const name of worlds) {
    const runs = {}
    for (let seed = 1; seed <= seeds; seed++) {
      const { world, log } = WORLDS[name](seed)
      const split = splitByRow(log, { seed, validation: 0.2, test: 0.2 })
      const known = { logging: world.value(world.logging), oracle: oracleOf(world) }
      for (const [method, chosen] of Object.entries(METHODS)) {
        const settings = settingsFor(true, { ...SHARED, ...chosen, seed })
        const { model, training } = await train(split, settings)
        const certificate = training.certificate ?? (await certify(split, model, settings))
        ;(runs[method] ??= []).push({
          seed,
          ...known,
          truth: world.value(modelPolicy(model, settings.temperature)),
          epoch: training.best.epoch,
          ...summaryOf(certificate),
        })
      }
    }
    const first = runs[Object.keys(METHODS)[0]]
    results[name] = {
      logging: mean(first, 'logging'),
      oracle: mean(first, 'oracle'),
      methods: Object.fromEntries(Object.entries(runs).map(([method, all]) => [method, countsOf(all)])),
    }
    console.log(`${name}: logging ${results[name].logging}, oracle ${results[name].oracle}`)
    console.table(results[name].methods)
  }
  const seconds = (performance.now() - began) / 1000
  console.log(`${seconds.toFixed(0)} s`)
  return { seeds, size: SIZE, settings: { ...SHARED, methods: METHODS }, seconds, results }
}

const plain = (world) => ({ world, log: world.draw() })

/** The same tastes, shown by a policy that knows them: hard to beat. */
const goodLogging = (world) =>
  worldOf({
    ...world,
    exposures: SIZE.exposures,
    logging: softmaxPolicy(
      'logging',
      (user) => Float64Array.from(world.itemIds, (_, item) => world.clickRate(user, item)),
      0.15,
      { items: world.itemIds.length },
    ),
  })

/** Clicks that earn amounts with a heavy tail, 1 on average: values stay those of clicks. */
function amounts(world, seed) {
  const log = world.draw()
  const spread = 1.5
  let state = seed * 2654435761 + 1
  const uniform = () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  const reward = log.reward.map((click) => click * Math.exp(spread * normal() - (spread * spread) / 2))
  return { world, log: { ...log, reward } }
}

/** What showing everybody their best item earns. */
const oracleOf = (world) =>
  world.userIds.reduce(
    (sum, _, user) => sum + Math.max(...world.itemIds.map((__, item) => world.clickRate(user, item))),
    0,
  ) / world.userIds.length

const summaryOf = ({ policy, difference, decision }) => ({
  verdict: policy.verdict.level,
  value: policy.value,
  atLeast: policy.atLeast,
  moreAtLeast: difference.atLeast,
  differenceVerdict: difference.verdict.level,
  decision,
})

const mean = (runs, field) =>
  Number((runs.reduce((sum, run) => sum + run[field], 0) / runs.length).toFixed(3))

/** The mean true value of a method's policies, and how often what was said of them was right or wrong. */
function countsOf(runs) {
  const certified = runs.filter(({ atLeast }) => atLeast !== null)
  const count = (is) => runs.filter(is).length
  return {
    truth: mean(runs, 'truth'),
    worse: count(({ truth, logging }) => truth <= logging),
    certified: certified.length,
    trusted: count(({ verdict }) => verdict === 'trust'),
    atLeast: certified.length > 0 ? mean(certified, 'atLeast') : null,
    boundAboveTruth: count(({ atLeast, truth }) => atLeast !== null && atLeast > truth),
    launched: count(({ decision }) => decision === 'launch'),
    launchedThoughWorse: count(({ decision, truth, logging }) => decision === 'launch' && truth <= logging),
    gainBoundAboveTruth: count(
      ({ moreAtLeast, truth, logging }) => moreAtLeast !== null && moreAtLeast > truth - logging,
    ),
  }
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { values } = parseArgs({ options: { seeds: { type: 'string' }, worlds: { type: 'string' } } })
  await bench({
    ...(values.seeds && { seeds: Number(values.seeds) }),
    ...(values.worlds && { worlds: values.worlds.split(';') }),
  })
}
