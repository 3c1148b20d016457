// How often each kind of interval contains the true value, over simulated clicks (docs/coverage.md). About twelve minutes.
//   npm run bench -- coverage-intervals         the whole grid, saved
//   node bench/coverage/intervals.mjs --logs 50   a quick look, not saved
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { influenceOf, valueOf } from '../../dist/estimate/estimator.js'
import { ips, snips } from '../../dist/estimate/estimators/importance.js'
import { differenceInterval } from '../../dist/estimate/intervals/difference.js'
import { intervalFor } from '../../dist/estimate/intervals/index.js'
import { Moments } from '../../dist/estimate/source/moments.js'
import { one, reward, weight, weightedReward } from '../../dist/estimate/term.js'
import { clickWorld, drawClicks, drawShifts, equalUsers } from './click-world.mjs'
import { generator } from './random.mjs'
import { FOUR_KINDS, NO_SPREAD } from './spread.mjs'

const CONFIDENCE = 0.95
/** Resamples of the fixed-denominator row bootstrap. */
const RESAMPLES = 100
/** The mean reward: the SNIPS estimate for the logging policy itself. */
const logged = { name: 'logged', ratios: [{ numerator: reward, denominator: one }] }

/** Number of logs per cell on which the slow intervals are measured too. */
const FIXED_DENOMINATOR_LOGS = 1000
const BOOTSTRAP_LOGS = 300
const BOOTSTRAP_CLUSTERS = 1000

const CELLS = [0.02, 0.1, 0.5].flatMap((meanReward) =>
  [0.05, 0.2, 0.8].flatMap((essRatio) =>
    [
      { rows: 1000, rowsPerUser: 1 },
      { rows: 10_000, rowsPerUser: 1 },
      { rows: 3000, rowsPerUser: 30 },
      { rows: 9990, rowsPerUser: 30 },
    ].map((size) => ({ meanReward, essRatio, ...size })),
  ),
)

/** Coverage and width of each interval in each cell of the grid. */
export async function bench({ logs = 2000 } = {}) {
  const started = performance.now()
  const cells = CELLS.map((cell, place) => {
    const measured = measure(cell, logs, place)
    console.log(line(cell, measured))
    return { ...cell, ...measured }
  })
  const seconds = (performance.now() - started) / 1000
  console.log(`${cells.length} cells of ${logs} logs in ${seconds.toFixed(0)} s`)
  return { logs, confidence: CONFIDENCE, seconds, cells, results: {} }
}

function measure({ meanReward, essRatio, rows, rowsPerUser }, logs, place) {
  const spread = rowsPerUser > 1 ? FOUR_KINDS : NO_SPREAD
  const world = clickWorld({ meanReward, essRatio, spread })
  const plan = equalUsers(rows / rowsPerUser, rowsPerUser)
  const tallies = {}
  const count = (name, interval, truth) => {
    const tally = (tallies[name] ??= { asked: 0, held: 0, below: 0, given: 0, width: 0 })
    tally.asked++
    if (!interval) return
    tally.given++
    tally.width += interval[1] - interval[0]
    if (interval[0] <= truth && truth <= interval[1]) tally.held++
    else if (interval[1] < truth) tally.below++
  }
  const methods = {}
  for (let k = 0; k < logs; k++) {
    const random = generator(1_000_003 * (place + 1) + k)
    const shifts = drawShifts(random, spread, plan.users)
    const { item, reward: clicks } = drawClicks(world, random, plan, {
      shiftOf: (row) => shifts[plan.user[row]],
    })
    const log = { weight: Float64Array.from(item, (a) => world.weights[a]), reward: clicks }
    const moments = momentsOf(log, rowsPerUser)
    const perRow = rowsPerUser === 1 ? moments : momentsOf(log, 1)
    const influence = influenceOf(snips, moments)
    const known = { confidence: CONFIDENCE, maxWeight: world.maxWeight }
    const ask = (estimator, method, sums = moments, more = {}) =>
      intervalFor(estimator, sums, { rewardRange: [0, 1], ...known, method, ...more })
    const auto = ask(snips, 'auto')
    methods[auto.method] = (methods[auto.method] ?? 0) + 1
    count('auto', auto.interval, world.value)
    for (const method of ['logit-t', 't', 'normal', 'cressie-read', 'sequence'])
      count(method, ask(snips, method).interval, world.value)
    count('row normal', ask(snips, 'normal', perRow).interval, world.value)
    if (k < FIXED_DENOMINATOR_LOGS)
      count('fixed denominator', fixedDenominatorBootstrap(log, random), world.value)
    if (k < BOOTSTRAP_LOGS && moments.clusters <= BOOTSTRAP_CLUSTERS) {
      count(
        'bootstrap 50',
        ask(snips, 'bootstrap', moments, { bootstrap: 50, seed: k }).interval,
        world.value,
      )
      for (const method of ['bootstrap', 'bca'])
        count(method, ask(snips, method, moments, { bootstrap: 1000, seed: k }).interval, world.value)
    }
    count('ips auto', ask(ips, 'auto').interval, world.value)
    for (const method of ['bernstein', 'hoeffding'])
      count(`ips ${method}`, ask(ips, method).interval, world.value)
    const gain = valueOf(snips, moments) - valueOf(logged, moments)
    const paired = differenceInterval(influence, influenceOf(logged, moments), CONFIDENCE, gain)
    count('difference', paired.interval, world.value - world.loggingValue)
  }
  const intervals = {}
  for (const [name, { asked, held, below, given, width }] of Object.entries(tallies))
    intervals[name] = {
      logs: asked,
      given,
      coverage: given > 0 ? round(held / given) : null,
      // Misses in which the whole interval lies below the truth.
      below: given > 0 ? round(below / given) : null,
      width: given > 0 ? Number((width / given).toPrecision(4)) : null,
    }
  return { value: world.value, maxWeight: world.maxWeight, methods, intervals }
}

/** Sums per user, as from a log in memory. */
function momentsOf(log, rowsPerUser) {
  const clusters = log.weight.length / rowsPerUser
  const sums = [one, weight, reward, weightedReward].map(({ name }) => [name, new Float64Array(clusters)])
  const [rows, weights, rewards, weighted] = sums.map(([, values]) => values)
  for (let row = 0; row < log.weight.length; row++) {
    const g = rowsPerUser === 1 ? row : Math.floor(row / rowsPerUser)
    rows[g]++
    weights[g] += log.weight[row]
    rewards[g] += log.reward[row]
    weighted[g] += log.weight[row] * log.reward[row]
  }
  return new Moments(
    Uint32Array.from({ length: clusters }, (_, g) => g),
    new Map(sums),
  )
}

/** What other tools do: rows of w·r/mean(w) drawn with replacement, the mean weight kept as it was, percentiles. */
function fixedDenominatorBootstrap({ weight: weights, reward: rewards }, random) {
  const rows = weights.length
  const total = weights.reduce((sum, w) => sum + w, 0)
  const terms = weights.map((w, row) => (w * rewards[row]) / total)
  const values = new Float64Array(RESAMPLES)
  for (let b = 0; b < RESAMPLES; b++) {
    let sum = 0
    for (let k = 0; k < rows; k++) sum += terms[random.below(rows)]
    values[b] = sum
  }
  values.sort()
  const at = (p) => {
    const position = p * (RESAMPLES - 1)
    const before = Math.floor(position)
    return (
      values[before] + (position - before) * (values[Math.min(RESAMPLES - 1, before + 1)] - values[before])
    )
  }
  return [at((1 - CONFIDENCE) / 2), at((1 + CONFIDENCE) / 2)]
}

const round = (share) => Number(share.toFixed(4))

function line({ meanReward, essRatio, rows, rowsPerUser }, { intervals }) {
  const shown = ['auto', 'row normal', 'fixed denominator', 'difference']
  return [
    `reward ${meanReward}, ESS/n ${essRatio}, ${rows} rows, ${rowsPerUser} per user`.padEnd(48),
    ...shown.map((name) => `${name} ${intervals[name]?.coverage?.toFixed(3) ?? '–'}`),
  ].join('; ')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { logs: { type: 'string', default: '100' } } })
  await bench({ logs: Number(values.logs) })
}
