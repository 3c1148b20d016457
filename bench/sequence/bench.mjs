// False alarms of confidence sequences over 1,000 looks, and their widths by regime (docs/intervals.md). About five minutes of one core.
//   npm run bench -- sequence                  the whole grid, saved
//   node bench/sequence/bench.mjs --logs 50    a quick look, not saved
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { snips } from '../../dist/estimate/estimators/importance.js'
import { sequenceRegime } from '../../dist/estimate/intervals/confidence-sequence.js'
import { intervalFor } from '../../dist/estimate/intervals/index.js'
import { Moments } from '../../dist/estimate/source/moments.js'
import { one, weight, weightedReward } from '../../dist/estimate/term.js'
import { drawLog, generator, makeWorld } from './world.mjs'
import { Bettors, evidenceOf, excludedBy, looksBetween, naively, RunningPowers } from './looks.mjs'

const LOOKS = 1000
const TIGHTEST_ATS = [1000, 10_000, 100_000]
/** Widths are medians over so many logs. */
const WIDTH_LOGS = 3
const WIDTH_ROWS = [1000, 10_000, 100_000]
/** Standard deviation of ln of an amount. */
const AMOUNT_SPREAD = 1

const CELLS = [
  ...[0.005, 0.02, 0.1, 0.5].flatMap((meanReward) =>
    [0.05, 0.2, 0.8].flatMap((essRatio) => [{ kind: 'rows', meanReward, essRatio, rowsPerUser: 1 }]),
  ),
  ...[0.005, 0.1].map((meanReward) => ({ kind: 'new users', meanReward, essRatio: 0.2, rowsPerUser: 30 })),
  ...[0.005, 0.1].map((meanReward) => ({
    kind: 'returning users',
    meanReward,
    essRatio: 0.2,
    rowsPerUser: 30,
  })),
  { kind: 'amounts', meanReward: 0.05, essRatio: 0.2, rowsPerUser: 1 },
]

export async function bench({ logs = 300 } = {}) {
  const started = performance.now()
  const cells = CELLS.map((cell, place) => {
    const world = makeWorld(cell)
    const watched = cell.kind === 'returning users' ? watchReturning : watchGrowing
    const tally = { before: 0, naive: 0, sequence: TIGHTEST_ATS.map(() => 0), betting: 0, started: 0 }
    // Users who return cost more, and rows are drawn for all of them.
    const count = cell.kind === 'returning users' ? Math.ceil(logs / 2) : logs
    for (let k = 0; k < count; k++) {
      const seen = watched(cell, world, generator(1_000_003 * (place + 1) + k))
      for (const name of ['before', 'naive', 'betting', 'started']) tally[name] += seen[name] ? 1 : 0
      seen.sequence.forEach((missed, t) => (tally.sequence[t] += missed ? 1 : 0))
    }
    const share = (times) => Number((times / count).toFixed(4))
    const measured = {
      logs: count,
      falseAlarms: {
        naive: share(tally.naive),
        before: share(tally.before),
        sequence: Object.fromEntries(TIGHTEST_ATS.map((at, t) => [at, share(tally.sequence[t])])),
        betting: cell.kind === 'amounts' ? null : share(tally.betting),
      },
      started: share(tally.started),
      maxWeight: world.maxWeight,
      rewardRange: [0, 1],
      ...(cell.kind === 'rows' && { widths: widthsIn(cell, world) }),
    }
    console.log(line(cell, measured))
    return { ...cell, ...measured }
  })
  const seconds = (performance.now() - started) / 1000
  console.log(`${cells.length} cells of ${logs} logs, ${LOOKS} looks each, in ${seconds.toFixed(0)} s`)
  return { logs, looks: LOOKS, tightestAts: TIGHTEST_ATS, seconds, cells, results: {} }
}

/** A log in which each cluster arrives whole: 100,000 rows, first looked at after 50 clusters or 20 users. */
function watchGrowing({ kind, rowsPerUser }, world, word) {
  const rows = 100_000 - (100_000 % rowsPerUser)
  const log = drawLog(world, rows, word)
  if (kind === 'amounts') multiplyByAmounts(log.reward, word)
  const looks = looksBetween(rowsPerUser === 1 ? 50 : 20, rows / rowsPerUser, LOOKS)
  const powers = new RunningPowers()
  const bettors = new Bettors(world.value, world.maxWeight)
  const known = new Map()
  const seen = nothingSeen()
  for (const look of looks) {
    while (powers.clusters < look) {
      let [gain, stake] = [0, 0]
      const from = powers.clusters * rowsPerUser
      for (let row = from; row < from + rowsPerUser; row++) {
        gain += log.weight[row] * log.reward[row]
        stake += log.weight[row]
      }
      powers.add(gain, stake)
      if (kind === 'amounts') continue
      // Rows of one item and one reward are alike.
      const key = rowsPerUser === 1 ? stake * 2 + log.reward[from] : undefined
      const factors = known.get(key) ?? bettors.factors(gain, stake, rowsPerUser)
      if (key !== undefined) known.set(key, factors)
      bettors.add(factors)
    }
    note(seen, powers.evidence(), world.value, { rows: look * rowsPerUser, clusters: look })
    if (kind !== 'amounts') seen.betting ||= bettors.haveWon()
  }
  return seen
}

/** 200 users who come back: at each look every one of them has one more row. */
function watchReturning(_, world, word) {
  const users = 200
  const gains = new Float64Array(users)
  const stakes = new Float64Array(users)
  const log = drawLog({ ...world, rowsPerUser: LOOKS }, users * LOOKS, word)
  const seen = nothingSeen()
  for (let look = 0; look < LOOKS; look++) {
    let [gain, stake] = [0, 0]
    for (let user = 0; user < users; user++) {
      const row = user * LOOKS + look
      gains[user] += log.weight[row] * log.reward[row]
      stakes[user] += log.weight[row]
      gain += gains[user]
      stake += stakes[user]
    }
    let [squares, cubes, fourths] = [0, 0, 0]
    for (let user = 0; user < users; user++) {
      const e = gains[user] - (gain / stake) * stakes[user]
      squares += e * e
      cubes += e * e * e
      fourths += e * e * e * e
    }
    const evidence = evidenceOf(gain / stake, squares, cubes, fourths, users, stake)
    note(seen, evidence, world.value, { rows: users * (look + 1), clusters: users })
    if (look % 20 === 0 && !seen.betting) {
      const bettors = new Bettors(world.value, world.maxWeight)
      for (let user = 0; user < users; user++)
        bettors.add(bettors.factors(gains[user], stakes[user], look + 1))
      seen.betting = bettors.haveWon()
    }
  }
  return seen
}

const nothingSeen = () => ({
  before: false,
  naive: false,
  sequence: TIGHTEST_ATS.map(() => false),
  betting: false,
  started: false,
})

function note(seen, evidence, truth, size) {
  const { before, mended, started } = excludedBy(evidence, truth, { ...size, tightestAts: TIGHTEST_ATS })
  seen.before ||= before
  seen.naive ||= naively(evidence, truth)
  seen.started ||= started
  mended.forEach((missed, t) => (seen.sequence[t] ||= missed))
}

/** Rewards become amounts of mean 1, ln of which is normal. */
function multiplyByAmounts(rewards, word) {
  const uniform = () => (word() + 0.5) / 0x100000000
  for (let row = 0; row < rewards.length; row++) {
    if (rewards[row] === 0) continue
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    rewards[row] = Math.exp(AMOUNT_SPREAD * normal - AMOUNT_SPREAD ** 2 / 2)
  }
}

/** Median widths as the library computes them, and the regime it would have chosen before the first look. */
function widthsIn({ meanReward }, world) {
  return WIDTH_ROWS.map((rows) => {
    const widths = { sequence: [], betting: [], normal: [] }
    const settings = { maxWeight: world.maxWeight, rewardRange: [0, 1], tightestAt: rows }
    for (let k = 0; k < WIDTH_LOGS; k++) {
      const log = drawLog(world, rows, generator(rows + k))
      const moments = new Moments(
        Uint32Array.from({ length: rows }, (_, g) => g),
        new Map([
          [one.name, new Float64Array(rows).fill(1)],
          [weight.name, log.weight],
          [weightedReward.name, log.weight.map((w, row) => w * log.reward[row])],
        ]),
      )
      for (const method of Object.keys(widths)) {
        const { interval } = intervalFor(snips, moments, { ...settings, method })
        if (interval) widths[method].push(interval[1] - interval[0])
      }
    }
    const median = (values) =>
      values.length > WIDTH_LOGS / 2
        ? Number(values.toSorted((a, b) => a - b)[values.length >> 1].toPrecision(3))
        : null
    return {
      rows,
      regime: sequenceRegime({ ...settings, expectedReward: meanReward }),
      ...Object.fromEntries(Object.entries(widths).map(([name, values]) => [name, median(values)])),
    }
  })
}

function line({ kind, meanReward, essRatio }, { falseAlarms, started, widths }) {
  const { naive, before, sequence, betting } = falseAlarms
  return [
    `${kind}, reward ${meanReward}, ESS/n ${essRatio}`.padEnd(42),
    `1.96 ${naive}; before ${before}; sequence ${Object.values(sequence).join(' ')}; betting ${betting ?? '–'}; started ${started}`,
    ...(widths ?? []).map(
      ({ rows, regime, sequence: s, betting: b, normal }) =>
        `${rows}: ${regime}, sequence ${s ?? '–'}, betting ${b}, normal ${normal}`,
    ),
  ].join('\n   ')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { logs: { type: 'string', default: '50' } } })
  await bench({ logs: Number(values.logs) })
}
