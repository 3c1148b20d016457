// A whole evaluation by IPS and SNIPS, every gate of the verdict looked at, beside the sums by user alone; prints seconds and peak memory.
import '@duckdb/node-api'
import { influenceOf, standardErrorOf, termsOf, valueOf } from '../../dist/estimate/estimator.js'
import { estimatorNamed } from '../../dist/estimate/estimators/index.js'
import { evaluateSource } from '../../dist/estimate/evaluate-source.js'
import { weightSquared } from '../../dist/estimate/term.js'
import { DuckDbSums } from '../../dist/node/sums/duckdb-sums.js'

const [file, items, memoryMegabytes] = process.argv.slice(2)
const started = performance.now()
const source = await DuckDbSums.open(file, {
  target: { kind: 'uniform' },
  catalogue: Array.from({ length: Number(items) }, (_, item) => String(item)),
  memoryMegabytes: Number(memoryMegabytes),
})
const estimators = ['ips', 'snips'].map((name) => estimatorNamed(name))
const [moments] = await source.ask([
  { ask: 'sums', terms: [...termsOf(estimators), weightSquared], by: 'user' },
])
const estimates = estimators.map((estimator) => [
  valueOf(estimator, moments),
  standardErrorOf(influenceOf(estimator, moments)),
])
const seconds = (performance.now() - started) / 1000
await evaluateSource(source, { estimators: ['ips', 'snips'] })
source.dispose()
const evaluateSeconds = (performance.now() - started) / 1000
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1000)
console.log(JSON.stringify({ seconds, evaluateSeconds, peakMegabytes, estimates }))
