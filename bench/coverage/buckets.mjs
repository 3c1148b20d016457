// How often intervals from buckets of users contain the true value, beside those from users, where users are several times
// as many as buckets (docs/coverage.md). About four minutes on one core.
//   npm run bench -- coverage-buckets              the whole grid, saved
//   node bench/coverage/buckets.mjs --logs 100     a quick look, not saved
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ips, snips } from '../../dist/estimate/estimators/importance.js'
import { intervalFor } from '../../dist/estimate/intervals/index.js'
import { Moments } from '../../dist/estimate/source/moments.js'
import { one, weight, weightedReward } from '../../dist/estimate/term.js'
import { idBucket } from '../../dist/index.js'
import { clickWorld, drawShifts } from './click-world.mjs'
import { generator } from './random.mjs'
import { FOUR_KINDS } from './spread.mjs'

const CONFIDENCE = 0.95
/** Most rows of a user, where users differ in activity. */
const MOST_ROWS = 40

/** Buckets are the first hexadecimal digits of the MD5 of an id: 4 digits as in every engine, or 3. */
const SIZES = [
  { buckets: 4096, users: 20_000, part: 1 },
  // Ten times the users take ten times as long.
  { buckets: 65_536, users: 200_000, part: 0.15 },
]

const CELLS = SIZES.flatMap((size) =>
  [0.05, 0.5].flatMap((essRatio) =>
    [false, true].map((isUnequal) => ({ ...size, essRatio, isUnequal, meanReward: 0.05 })),
  ),
)

/** Coverage, width and the ratio of widths in each cell. */
export async function bench({ logs = 1000 } = {}) {
  const started = performance.now()
  const cells = CELLS.map((cell, place) => {
    const measured = measure(cell, Math.ceil(logs * cell.part), place)
    console.log(line(cell, measured))
    return { ...cell, ...measured }
  })
  const seconds = (performance.now() - started) / 1000
  console.log(`${cells.length} cells of up to ${logs} logs in ${seconds.toFixed(0)} s`)
  return { logs, confidence: CONFIDENCE, seconds, cells, results: {} }
}

function measure({ buckets, users, essRatio, isUnequal, meanReward }, logs, place) {
  const world = clickWorld({ meanReward, essRatio, spread: FOUR_KINDS })
  const bucketOf = Uint16Array.from(
    { length: users },
    (_, u) => idBucket(`u${u}`) >> (buckets === 4096 ? 4 : 0),
  )
  const tallies = {}
  for (let k = 0; k < logs; k++) {
    const random = generator(7_000_003 * (place + 1) + k)
    const byUser = drawSums(world, random, { users, isUnequal, bucketOf })
    for (const estimator of [ips, snips])
      for (const [by, sums] of [
        ['users', byUser],
        ['buckets', byUser.inBuckets],
      ]) {
        const options = {
          confidence: CONFIDENCE,
          maxWeight: world.maxWeight,
          rewardRange: [0, 1],
          method: 'auto',
        }
        const { interval } = intervalFor(estimator, sums, options)
        const tally = ((tallies[estimator.name] ??= {})[by] ??= { held: 0, below: 0, width: 0 })
        tally.width += interval[1] - interval[0]
        if (interval[0] <= world.value && world.value <= interval[1]) tally.held++
        else if (interval[1] < world.value) tally.below++
      }
  }
  const intervals = Object.fromEntries(
    Object.entries(tallies).map(([estimator, by]) => [
      estimator,
      {
        ...Object.fromEntries(
          Object.entries(by).map(([name, { held, below, width }]) => [
            name,
            {
              coverage: round(held / logs),
              below: round(below / logs),
              width: Number((width / logs).toPrecision(4)),
            },
          ]),
        ),
        widthRatio: round(by.buckets.width / by.users.width),
      },
    ]),
  )
  return { logs, value: world.value, intervals }
}

/** Sums per user of a log: three rows each, or from 1 to 40 by chance, most of them few. Rewards of a user go together. */
function drawSums(world, random, { users, isUnequal, bucketOf }) {
  const shifts = drawShifts(random, FOUR_KINDS, users)
  const sums = [one, weight, weightedReward].map(({ name }) => [name, new Float64Array(users)])
  const [rows, weights, weighted] = sums.map(([, values]) => values)
  for (let u = 0; u < users; u++) {
    rows[u] = isUnequal ? Math.min(MOST_ROWS, Math.floor(1 / random.uniform() ** 0.8)) : 3
    for (let row = 0; row < rows[u]; row++) {
      const item = random.pick(world.cumulative)
      weights[u] += world.weights[item]
      if (random.uniform() < world.rateAt(item, shifts[u])) weighted[u] += world.weights[item]
    }
  }
  return new Moments(
    Uint32Array.from({ length: users }, (_, u) => u),
    new Map(sums),
    { buckets: () => bucketOf },
  )
}

const round = (share) => Number(share.toFixed(4))

function line({ buckets, users, essRatio, isUnequal }, { logs, intervals }) {
  const { users: byUser, buckets: byBucket } = intervals.snips
  return `${buckets} buckets, ${users} users${isUnequal ? ' of unequal activity' : ''}, ESS/n ${essRatio}, ${logs} logs: snips by user ${byUser.coverage}, by bucket ${byBucket.coverage}, width ${intervals.snips.widthRatio}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { logs: { type: 'string', default: '100' } } })
  await bench({ logs: Number(values.logs) })
}
