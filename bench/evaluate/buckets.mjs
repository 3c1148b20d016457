// Standard errors by bucket of users beside those by user, on logs of a million users. About a minute.
import { influenceOf, standardErrorOf, termsOf } from '../../dist/estimate/estimator.js'
import { dr, ips, snips } from '../../dist/estimate/estimators/importance.js'
import { momentsOf } from '../../dist/estimate/source/prepared-log.js'
import { randomStream } from '../../dist/random/stream.js'

const USERS = 1_000_000

/** Weights without a tail, with a tail, and users of very unequal activity. */
const LOGS = {
  'even weights': { rowsEach: 3, tail: 0.1, zipf: false },
  'heavy weights': { rowsEach: 3, tail: 0.4, zipf: false },
  'unequal users': { rowsEach: 3, tail: 0.2, zipf: true },
}

/** How far the standard error by bucket is from the one by user, for each kind of log and estimator. */
export async function bench() {
  const results = {}
  for (const [name, shape] of Object.entries(LOGS)) {
    const rows = drawRows(shape)
    const moments = momentsOf(rows, termsOf([ips, snips, dr]), 'user')
    const errors = { users: moments.clusters, buckets: moments.inBuckets.clusters }
    for (const estimator of [ips, snips, dr]) {
      const [byUser, byBucket] = [moments, moments.inBuckets].map((sums) =>
        standardErrorOf(influenceOf(estimator, sums)),
      )
      errors[estimator.name] = byBucket / byUser
    }
    results[name] = errors
    console.log(`${name.padEnd(16)} ${JSON.stringify(errors)}`)
  }
  return { results }
}

function drawRows({ rowsEach, tail, zipf }) {
  const { uniform } = randomStream(1, 'buckets')
  const count = USERS * rowsEach
  const column = (of) => Float64Array.from({ length: count }, of)
  const user = Uint32Array.from({ length: count }, () =>
    Math.floor(USERS * (zipf ? uniform() ** 3 : uniform())),
  )
  const taste = Float64Array.from({ length: USERS }, () => 0.02 + 0.2 * uniform() ** 2)
  const log = {
    rows: count,
    user,
    item: new Uint32Array(count),
    userIds: Array.from({ length: USERS }, (_, k) => `user-${k}`),
    itemIds: ['a'],
    catalogueKnown: false,
    reward: Float64Array.from(user, (u) => (uniform() < taste[u] ? 1 : 0)),
    propensitySource: 'logged',
  }
  const weight = column(() => (1 - tail) * (1 - uniform()) ** -tail)
  return {
    log,
    weight,
    prediction: Float64Array.from(user, (u) => taste[u]),
    value: Float64Array.from(user, (u) => taste[u]),
  }
}
