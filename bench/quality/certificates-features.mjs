// Do certificates of policies over features hold? Worlds whose truth is known: policies learnt by several objectives,
// each certified on its own test users and on those of two further logs, which no other policy is certified on. How
// often a bound lies above the truth, and how often something is launched that earns no more than the logging policy.
// About six minutes on one core.
//   node bench/quality/certificates-features.mjs [--seeds 20] [--worlds 'good logging;no effect']
import { parseArgs } from 'node:util'
import { randomStream, splitByUser, withFeatures } from '../../dist/index.js'
import { certify, scoresOfFeatures, settingsFor, train } from '../../dist/train/index.js'
import { summaryOf, worldResult } from './certificate-counts.mjs'

const SIZE = { users: 1000, rowsPerUser: 4, items: 8 }
/** Of the user, and of the single visit. */
const FEATURES = ['age', 'taste', 'hour', 'weather']
const SHARED = { model: 'linear', epochs: 60, evaluateEvery: 5, patience: 4, learningRate: 0.03 }
const METHODS = { ips: {}, snips: {}, dr: {}, 'log-smoothing': {} }
/** Certificates of each policy, the first on the test part of its own log. */
const LOOKS = 3
/** Visits of new users over which true values are means. */
const VISITS = 10_000

/** The scores of the logging policy's softmax, and how far clicks follow features, in each world. */
const WORLDS = {
  'poor logging': { scores: (_, other) => other },
  'good logging': { scores: (rates) => rates.map((rate) => rate / 0.12) },
  'rare items': { scores: (_, other) => other.map((score, item) => (item < 3 ? score - 6 : score)) },
  'no effect': { scores: (_, other) => other, effect: 0 },
  amounts: { scores: (_, other) => other, spread: 1.5 },
}

export async function bench({ seeds = 20, worlds = Object.keys(WORLDS) } = {}) {
  const began = performance.now()
  const results = {}
  for (const name of worlds) {
    const runs = {}
    for (let seed = 1; seed <= seeds; seed++) {
      const world = worldOf(seed, WORLDS[name])
      const partsOf = (replicate) => splitByUser(world.draw(replicate), { seed, validation: 0.2, test: 0.2 })
      const split = partsOf(0)
      const known = { logging: world.value(world.shares), oracle: world.value(world.best) }
      for (const [place, [loss, chosen]] of Object.entries(METHODS).entries()) {
        const settings = settingsFor(true, { ...SHARED, loss, ...chosen, seed })
        const { model } = await train(split, settings)
        const truth = world.value(({ features }) => softmax(scoresOfFeatures(model, features)))
        for (let look = 0; look < LOOKS; look++) {
          // The policy knows features, not contexts, so any log of the world will do.
          const parts = look === 0 ? split : partsOf(1 + place * LOOKS + look)
          const certificate = await certify(parts, overContexts(model, parts.test), settings)
          ;(runs[loss] ??= []).push({ ...known, truth, ...summaryOf(certificate) })
        }
      }
    }
    results[name] = worldResult(name, runs)
  }
  const seconds = (performance.now() - began) / 1000
  console.log(`${seconds.toFixed(0)} s`)
  return { seeds, looks: LOOKS, size: SIZE, settings: { ...SHARED, methods: METHODS }, seconds, results }
}

/** The policy as one of the contexts of another log. */
function overContexts(model, { contexts }) {
  const width = contexts.names.length
  const scores = (context) =>
    scoresOfFeatures(model, contexts.features.subarray(context * width, (context + 1) * width))
  return { ...model, users: contexts.user.length, scores }
}

/**
 * Items clicked at the rate σ(bias + weights·features + mood), where the mood of a user is in no feature: rows of one
 * user depend on each other. The logging policy follows its scores, by the true rates or by others that say nothing.
 */
function worldOf(seed, { scores, effect = 1, spread = 0 }) {
  const numbers = randomStream(seed, 'world', 0)
  const linear = (size) =>
    Array.from({ length: SIZE.items }, () => ({
      bias: normal(numbers),
      weights: FEATURES.map(() => size * normal(numbers)),
    }))
  const [truth, other] = [linear(0.8), linear(0.5)]
  const along = ({ bias, weights }, features) =>
    weights.reduce((sum, weight, k) => sum + weight * features[k], bias)
  const rates = ({ features, mood }) =>
    truth.map((item) => 1 / (1 + Math.exp(2 - mood - effect * along(item, features))))
  const shares = (visit) =>
    softmax(
      scores(
        rates({ ...visit, mood: 0 }),
        other.map((item) => along(item, visit.features)),
      ),
    )
  const visits = (stream, users, each) =>
    Array.from({ length: users }, () => {
      const [mood, age, taste] = [0.7 * normal(stream), normal(stream), normal(stream)]
      return Array.from({ length: each }, () => ({
        mood,
        features: [age, taste, normal(stream), normal(stream)],
      }))
    })
  const fresh = visits(randomStream(seed, 'truth', 0), VISITS, 1).flat()
  const own = fresh.map(rates)
  const value = (policy) =>
    fresh.reduce(
      (sum, visit, k) => sum + policy(visit).reduce((total, share, item) => total + share * own[k][item], 0),
      0,
    ) / VISITS
  const best = (visit) => {
    const known = rates(visit)
    const item = known.indexOf(Math.max(...known))
    return known.map((_, k) => (k === item ? 1 : 0))
  }
  const draw = (replicate) => {
    const stream = randomStream(seed, 'log', replicate)
    const all = visits(stream, SIZE.users, SIZE.rowsPerUser)
    const rows = all.flatMap((visited, user) =>
      visited.map((visit) => {
        const by = shares(visit)
        const item = drawn(by, stream.uniform())
        const isClicked = stream.uniform() < rates(visit)[item]
        const amount = spread > 0 ? Math.exp(spread * normal(stream) - spread ** 2 / 2) : 1
        return { user, item, propensity: by[item], reward: isClicked ? amount : 0, visit }
      }),
    )
    return withFeatures(
      {
        rows: rows.length,
        user: Uint32Array.from(rows, (row) => row.user),
        item: Uint32Array.from(rows, (row) => row.item),
        userIds: all.map((_, user) => String(user)),
        itemIds: truth.map((_, item) => String(item)),
        catalogueKnown: true,
        reward: Float64Array.from(rows, (row) => row.reward),
        propensity: Float64Array.from(rows, (row) => row.propensity),
        propensitySource: 'logged',
        numbers: Object.fromEntries(
          FEATURES.map((name, k) => [name, Float64Array.from(rows, (row) => row.visit.features[k])]),
        ),
      },
      FEATURES,
    )
  }
  return { draw, value, shares, best }
}

/** A standard normal number (Box and Muller). */
const normal = (stream) =>
  Math.sqrt(-2 * Math.log(1 - stream.uniform())) * Math.cos(2 * Math.PI * stream.uniform())

function drawn(shares, uniform) {
  let sum = 0
  const item = shares.findIndex((share) => (sum += share) > uniform)
  return item < 0 ? shares.length - 1 : item
}

function softmax(scores) {
  const most = Math.max(...scores)
  const powers = Array.from(scores, (score) => Math.exp(score - most))
  const total = powers.reduce((a, b) => a + b)
  return powers.map((power) => power / total)
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { values } = parseArgs({ options: { seeds: { type: 'string' }, worlds: { type: 'string' } } })
  await bench({
    ...(values.seeds && { seeds: Number(values.seeds) }),
    ...(values.worlds && { worlds: values.worlds.split(';') }),
  })
}
