// Do certificates hold? Policies learnt by several objectives in worlds whose truth is known, each certified on its own
// test impressions and on those of four further logs, which no other policy is certified on: how often a bound lies
// above the truth, how often something that earns less than the logging policy is launched, and what the policies earn
// beside ranking losses and the oracle. About six minutes on one core.
//   node bench/quality/certificates.mjs [--seeds 20] [--worlds 'tastes;toy']
import { parseArgs } from 'node:util'
import { softmaxAt, softmaxPolicy, splitByRow, tastesWorld, toyWorld, worldOf } from '../../dist/index.js'
import { certify, modelPolicy, settingsFor, train } from '../../dist/train/index.js'
import { summaryOf, worldResult } from './certificate-counts.mjs'

const SIZE = { users: 200, items: 30, exposures: 60 }
const WORLDS = {
  tastes: (seed) => tastesWorld({ seed, ...SIZE }),
  toy: (seed) => toyWorld({ seed, ...SIZE, skew: 2 }),
  'good logging': (seed) => goodLogging(tastesWorld({ seed, ...SIZE })),
  'rare items': (seed) => tastesWorld({ seed, ...SIZE, rareItems: 0.3, rarePropensity: 2e-4 }),
  amounts: (seed) => withAmounts(tastesWorld({ seed, ...SIZE })),
}
const SHARED = { model: 'mf', dim: 8, batch: 512, epochs: 12, learningRate: 0.02, patience: 5 }
/** Certificates of each policy, the first on the test part of its own log. */
const LOOKS = 5
const METHODS = {
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
      const world = WORLDS[name](seed)
      const partsOf = (replicate) =>
        splitByRow(world.draw({ replicate }), { seed, validation: 0.2, test: 0.2 })
      const split = partsOf(0)
      const known = { logging: world.value(world.logging), oracle: oracleOf(world) }
      for (const [place, [method, chosen]] of Object.entries(METHODS).entries()) {
        const settings = settingsFor(true, { ...SHARED, ...chosen, seed })
        const { model } = await train(split, settings)
        const truth = world.value(modelPolicy(model, softmaxAt(settings.temperature)))
        for (let look = 0; look < LOOKS; look++) {
          const { test } = look === 0 ? split : partsOf(place * LOOKS + look)
          const certificate = await certify({ ...split, test }, model, settings)
          ;(runs[method] ??= []).push({ ...known, truth, ...summaryOf(certificate) })
        }
      }
    }
    results[name] = worldResult(name, runs)
  }
  const seconds = (performance.now() - began) / 1000
  console.log(`${seconds.toFixed(0)} s`)
  return { seeds, looks: LOOKS, size: SIZE, settings: { ...SHARED, methods: METHODS }, seconds, results }
}

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
function withAmounts(world) {
  const spread = 1.5
  const draw = (options) => {
    const log = world.draw(options)
    const normal = normalsFrom(1000 * world.seed + (options?.replicate ?? 0))
    const reward = log.reward.map((click) => click * Math.exp(spread * normal() - (spread * spread) / 2))
    return { ...log, reward }
  }
  return { ...world, draw }
}

/** Standard normal numbers, the same for the same seed (mulberry32, Box and Muller). */
function normalsFrom(seed) {
  let state = seed >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** What showing everybody their best item earns. */
const oracleOf = (world) =>
  world.userIds.reduce(
    (sum, _, user) => sum + Math.max(...world.itemIds.map((__, item) => world.clickRate(user, item))),
    0,
  ) / world.userIds.length

if (import.meta.url === `file://${process.argv[1]}`) {
  const { values } = parseArgs({ options: { seeds: { type: 'string' }, worlds: { type: 'string' } } })
  await bench({
    ...(values.seeds && { seeds: Number(values.seeds) }),
    ...(values.worlds && { worlds: values.worlds.split(';') }),
  })
}
