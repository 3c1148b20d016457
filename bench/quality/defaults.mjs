// Does `hindcast train LOG --out DIR`, with nothing else, beat popularity, and how close does it come to the best?
// MovieLens 100K and 1M, a log of the size of the small MovieLens made from 1M, Gowalla, and simulated logs with and
// without propensities; beside it every model that the log is fast for, LightGCN where that takes minutes, and, if minutes
// are given for it, what `hindcast tune` finds on the same log.
//   node bench/quality/defaults.mjs [--only 'ml-100k;ml-1m'] [--threads 1] [--tune MINUTES] [--backend webgpu] [--out FILE]
// Needs HINDCAST_DATA. About ten minutes on two cores, and the minutes of tuning for each log.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { tastesWorld } from '../../dist/index.js'
import { kernelOf, readLogFile, tuneInFolder } from '../../dist/node/index.js'
import { startNodeThread } from '../../dist/node/start-thread.js'
import { trainOnLog } from '../../dist/train/index.js'
import { clickLog, gowalla } from '../gpu/clicks.mjs'

const SPARSE = { seed: 5, users: 2000, items: 1000, exposures: 40, clickRate: 0.1 }

/** The logs, and whether LightGCN is trained beside the default, which then has to come near it too. */
const SETS = {
  'ml-100k': { log: () => movieLens('ml-100k/u.data'), beside: true },
  'small, like latest-small': { log: smallLike, beside: true },
  'ml-1m': { log: () => movieLens('ml-1m/ratings.dat') },
  gowalla: { log: gowallaLog },
  'sparse, simulated, no propensities': { log: () => without(tastesWorld(SPARSE).draw()), beside: true },
  'sparse, simulated, with propensities': { log: () => tastesWorld(SPARSE).draw() },
  'tastes, with propensities': { log: () => tastesWorld({ seed: 3 }).draw() },
}

export async function bench({ only = Object.keys(SETS), threads = 2, backend = 'wasm', tune = 0 } = {}) {
  const results = {}
  for (const name of only) {
    const log = await SETS[name].log()
    const machine = { threads, backend }
    const runs = { default: await measured(log, {}, machine) }
    if (SETS[name].beside) runs.lightgcn = await measured(log, { model: 'lightgcn' }, machine)
    if (tune > 0) runs.tuned = await tuned(log, tune, machine)
    results[name] = runs
    for (const [what, { model, seconds, coreSeconds, ranked, ours }] of Object.entries(runs))
      console.log(
        `${name}, ${what}: ${model} in ${seconds.toFixed(0)} s (${coreSeconds.toFixed(0)} s of cores), ${ours}; ${Object.entries(
          ranked,
        )
          .map(([one, value]) => `${one} ${value.toFixed(4)}`)
          .join(', ')}`,
      )
  }
  return { threads, backend, ...(tune > 0 && { tune }), results }
}

/** A training by default or with settings: which model it keeps, how long it takes, and NDCG@10 on the test clicks. */
async function measured(log, settings, { threads, backend }) {
  const began = { at: performance.now(), used: process.cpuUsage() }
  const solver = { threads, startThread: startNodeThread }
  let [seconds, coreSeconds] = [0, 0]
  const { training } = await trainOnLog(
    log,
    { settings, baselines: log.itemIds.length > 20_000 ? 'fast' : 'all' },
    {
      kernel: kernelOf({ threads, backend }),
      solver,
      onTrained: async () => {
        seconds = (performance.now() - began.at) / 1000
        const { user, system } = process.cpuUsage(began.used)
        coreSeconds = (user + system) / 1e6
      },
    },
  )
  const isWeighted = training.ranked[0].test.ips !== undefined
  const valueOf = ({ test }) => (isWeighted ? test.ips : test).ndcg.value
  return {
    model: training.ranked[0].model,
    seconds,
    coreSeconds,
    clicks: training.log.trainClicks,
    ours: isWeighted ? 'NDCG@10 under uniform exposure' : 'NDCG@10',
    ranked: Object.fromEntries(training.ranked.map((one) => [one.model, valueOf(one)])),
  }
}

/** The best that tuning finds within minutes, chosen on the validation clicks and measured on the same test clicks. */
async function tuned(log, minutes, machine) {
  const began = { at: performance.now(), used: process.cpuUsage() }
  const by = log.propensitySource === 'none' ? 'ndcg' : 'unbiased'
  const folder = await mkdtemp(join(tmpdir(), 'hindcast-defaults-'))
  const { tuning } = await tuneInFolder(folder, log, { by, minutes }, { ...machine, baselines: 'none' })
  await rm(folder, { recursive: true })
  const { user, system } = process.cpuUsage(began.used)
  const { settings, ranked } = { ...tuning.trials[tuning.best], ...tuning.test.best }
  const { model, loss, learningRate, dim, layers, drawn, l2 } = settings
  const value = (by === 'unbiased' ? ranked.test.ips : ranked.test).ndcg.value
  return {
    model,
    settings: { loss, learningRate, dim, layers, drawn, l2 },
    trials: tuning.trials.length,
    seconds: (performance.now() - began.at) / 1000,
    coreSeconds: (user + system) / 1e6,
    ours: by === 'unbiased' ? 'NDCG@10 under uniform exposure' : 'NDCG@10',
    ranked: { [model]: value },
  }
}

const data = () => {
  if (!process.env.HINDCAST_DATA)
    throw new Error('Set HINDCAST_DATA to a folder with ml-100k, ml-1m and gowalla.')
  return process.env.HINDCAST_DATA
}

const movieLens = async (file) => (await readLogFile(join(data(), file), { format: 'movielens' })).log

/** Gowalla, both parts of its usual split together: rows are held out by chance, as in every training. */
function gowallaLog() {
  const { users, items, train, test } = gowalla()
  const both = (side) => Uint32Array.from([...train[side], ...test[side]])
  return clickLog({ users, items }, { user: both('user'), item: both('item') })
}

function without(log) {
  const bare = { ...log, propensitySource: 'none' }
  delete bare.propensity
  return bare
}

/**
 * 610 users of MovieLens 1M with a long tail of items, as in the small MovieLens: each item beyond the 800 with the
 * most ratings is split into four, among its users by chance.
 */
function smallLike() {
  const rows = readFileSync(join(data(), 'ml-1m/ratings.dat'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('::').map(Number))
  const counts = new Map()
  for (const [, item] of rows) counts.set(item, (counts.get(item) ?? 0) + 1)
  const popular = new Set(
    [...counts]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 800)
      .map(([item]) => item),
  )
  const clicks = rows.filter(([user, , rating]) => user % 10 === 3 && rating >= 4)
  const idOf = ([user, item]) => (popular.has(item) ? `${item}` : `${item}-${hash(user, item) % 4}`)
  const [users, items] = [[...new Set(clicks.map(([user]) => user))], [...new Set(clicks.map(idOf))]]
  const places = (ids) => new Map(ids.map((id, place) => [id, place]))
  const [userPlaces, itemPlaces] = [places(users), places(items)]
  return clickLog(
    { users: users.length, items: items.length },
    {
      user: Uint32Array.from(clicks, ([user]) => userPlaces.get(user)),
      item: Uint32Array.from(clicks, (row) => itemPlaces.get(idOf(row))),
    },
  )
}

/** A number that looks random but follows from its arguments. */
function hash(a, b) {
  let x = Math.imul(a, 2654435761) ^ Math.imul(b, 40503)
  x = Math.imul(x ^ (x >>> 15), 2246822519)
  return (x ^ (x >>> 13)) >>> 0
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const text = { type: 'string' }
  const { values } = parseArgs({
    options: { only: text, threads: text, backend: text, tune: text, out: text },
  })
  const measured = await bench({
    ...(values.only && { only: values.only.split(';') }),
    ...(values.threads && { threads: Number(values.threads) }),
    ...(values.backend && { backend: values.backend }),
    ...(values.tune && { tune: Number(values.tune) }),
  })
  if (values.out) writeFileSync(values.out, JSON.stringify(measured, null, 2) + '\n')
  process.exit()
}
