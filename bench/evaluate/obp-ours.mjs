// Weights, predictions, sums by cluster, estimates and bootstrap intervals; prints seconds, peak memory and the values.
import { readFileSync } from 'node:fs'
import { termsOf, valueOf } from '../../dist/estimate/estimator.js'
import { estimatorNamed } from '../../dist/estimate/estimators/index.js'
import { intervalFor } from '../../dist/estimate/intervals/index.js'
import { momentsOf } from '../../dist/estimate/source/prepared-log.js'
import { importanceWeights, predictions } from '../../dist/estimate/target.js'

const [folder, itemCount, resampleCount, cluster] = process.argv.slice(2)
const items = Number(itemCount)
const resamples = Number(resampleCount)
const read = (name, Values) => new Values(new Uint8Array(readFileSync(`${folder}/${name}`)).buffer)

const user = read('user', Uint32Array)
const table = read('target', Float64Array)
const predicted = read('prediction', Float64Array)
const log = {
  rows: user.length,
  user,
  item: read('item', Uint32Array),
  userIds: Array.from({ length: table.length / items }, (_, k) => String(k)),
  itemIds: Array.from({ length: items }, (_, k) => String(k)),
  catalogueKnown: true,
  reward: read('reward', Float64Array),
  propensity: read('propensity', Float64Array),
  propensitySource: 'logged',
}
const target = {
  kind: 'policy',
  policy: { name: 'table', items, probabilities: (u) => table.subarray(u * items, (u + 1) * items) },
}
const model = { dependsOn: 'context', predict: (row, item) => predicted[log.user[row] * items + item] }

const started = performance.now()
const weight = importanceWeights(log, target)
const rows = { log, weight, ...predictions(log, target, { modelFor: () => model }) }
const estimators = ['dm', 'ips', 'snips', 'dr'].map((name) => estimatorNamed(name))
const moments = momentsOf(rows, termsOf(estimators), cluster)
const values = {}
const intervals = {}
for (const estimator of estimators) {
  values[estimator.name] = valueOf(estimator, moments)
  intervals[estimator.name] = intervalFor(estimator, moments, {
    method: 'bootstrap',
    bootstrap: resamples,
  }).interval
}
const seconds = (performance.now() - started) / 1000
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1000)
console.log(JSON.stringify({ seconds, peakMegabytes, values, intervals }))
