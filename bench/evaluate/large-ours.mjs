// The sums behind IPS, SNIPS and their diagnostics by user, and the estimates; prints seconds and peak memory.
import '@duckdb/node-api'
import { influenceOf, standardErrorOf, termsOf, valueOf } from '../../dist/estimate/estimator.js'
import { estimatorNamed } from '../../dist/estimate/estimators/index.js'
import { weightSquared } from '../../dist/estimate/term.js'
import { DuckDbMomentSource } from '../../dist/node/moments/duckdb-moment-source.js'

const [file, items, memoryMegabytes] = process.argv.slice(2)
const started = performance.now()
const source = await DuckDbMomentSource.open(file, {
  target: { kind: 'uniform' },
  items: Number(items),
  memoryMegabytes: Number(memoryMegabytes),
})
const estimators = ['ips', 'snips'].map((name) => estimatorNamed(name))
const moments = await source.moments([...termsOf(estimators), weightSquared], 'user')
const estimates = estimators.map((estimator) => [
  valueOf(estimator, moments),
  standardErrorOf(influenceOf(estimator, moments)),
])
source.dispose()
const seconds = (performance.now() - started) / 1000
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1000)
console.log(JSON.stringify({ seconds, peakMegabytes, estimates }))
