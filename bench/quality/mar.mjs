// Ratings that users chose to give, tested on the ratings of all pairs, which a simulated world knows: MF, MF-IPS and
// DR-JL by the MAR protocol, beside MF and MF-IPS in plain NumPy on the same rows. About four minutes.
// Needs a Python with NumPy: set HINDCAST_BENCH_PYTHON to it, or python3 is used.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { choosePropensity, ratingsWorld, splitByRow } from '../../dist/index.js'
import { settingsFor, train } from '../../dist/train/index.js'

const WORLDS = 5
/** Random ratings that propensities are estimated from: the default share of the protocol. */
const SLICE = 0.05
const LOSSES = { mf: 'mse', 'mf-ips': 'ips-mse', 'dr-jl': 'dr-jl' }
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const python = process.env.HINDCAST_BENCH_PYTHON ?? 'python3'

/** The true mean squared errors of every method in every world. */
export async function bench() {
  const errors = {}
  const seconds = {}
  const put = (table, name, value) => (table[name] ??= []).push(value)
  let version
  for (let seed = 0; seed < WORLDS; seed++) {
    const world = ratingsWorld({ seed })
    const { validation: slice } = splitByRow(world.draw('random'), { validation: SLICE, test: 0, seed })
    const log = choosePropensity(world.draw('chosen'), { kind: 'naive-bayes', slice })
    const split = splitByRow(log, { validation: 0.1, test: 0, seed })
    for (const [name, loss] of Object.entries(LOSSES)) {
      const began = performance.now()
      const { model, training } = await train(split, settingsFor(true, { loss, seed }))
      put(seconds, name, (performance.now() - began) / 1000)
      const scores = world.userIds.map((_, user) => model.scores(user))
      put(
        errors,
        name,
        world.squaredError((user, item) => scores[user][item] + training.meanRating),
      )
      if (name === 'mf-ips')
        put(
          errors,
          'the weighted mean for all',
          world.squaredError(() => training.meanRating),
        )
    }
    for (const how of ['plain', 'ips']) {
      const found = inNumpy(world, split, how, seed)
      const name = how === 'ips' ? 'mf-ips in NumPy' : 'mf in NumPy'
      put(errors, name, found.error)
      put(seconds, name, found.seconds)
      version = found.version
    }
    console.log(
      `world ${seed}:`,
      Object.entries(errors)
        .map(([name, all]) => `${name} ${all.at(-1).toFixed(3)}`)
        .join(', '),
    )
  }
  const { users, items } = { users: 1000, items: 300 }
  const results = Object.fromEntries(
    Object.entries(errors).map(([name, all]) => [
      name,
      { ...spread(all), errors: all, ...(seconds[name] && { meanSeconds: spread(seconds[name]).mean }) },
    ]),
  )
  return { worlds: WORLDS, users, items, slice: SLICE, yardstick: `NumPy ${version}`, results }
}

function inNumpy(world, { train: rows, validation }, how, seed) {
  const folder = here('../data/mar')
  mkdirSync(folder, { recursive: true })
  const columns = ({ rows: count, user, item, reward, propensity }) =>
    Float64Array.from(
      { length: 4 * count },
      (_, k) => [user, item, reward, propensity][k % 4][Math.floor(k / 4)],
    )
  writeFileSync(join(folder, 'train.f64'), columns(rows))
  writeFileSync(join(folder, 'validation.f64'), columns(validation))
  writeFileSync(join(folder, 'ratings.f64'), world.ratings)
  writeFileSync(
    join(folder, 'shape.json'),
    JSON.stringify({ users: world.userIds.length, items: world.itemIds.length }),
  )
  const { dim, learningRate, l2, patience, batch } = settingsFor(true, { loss: 'ips-mse' })
  const settings = [seed, dim, learningRate, l2, patience, batch].map(String)
  const told = execFileSync(python, [here('mar_numpy.py'), folder, how, ...settings], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return JSON.parse(told)
}

function spread(values) {
  const mean = values.reduce((a, b) => a + b) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) }
}
