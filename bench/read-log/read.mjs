// Reads a log once; prints seconds and peak memory.
import '@duckdb/node-api'
import { readLogFile } from '../../dist/node/index.js'

const started = performance.now()
await readLogFile(process.argv[2])
const seconds = (performance.now() - started) / 1000
console.log(JSON.stringify({ seconds, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1000) }))
