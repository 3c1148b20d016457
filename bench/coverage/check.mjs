// Checks the worlds themselves: estimators that are unbiased must be right on average over the logs of a cell, so a mean
// error beyond 4.5 of its standard errors means that the truth of the world is wrong.
//   node bench/coverage/check.mjs [FILE]     FILE as saved by the benchmark (default: bench/results/coverage.json)
import { readFileSync } from 'node:fs'

/** Unbiased in every finite sample, where the propensities are those of the logger. */
const UNBIASED = new Set(['ips', 'rips', 'cascade-dr', 'iips', 'pi'])
const LIMIT = 4.5

const file = process.argv[2] ?? new URL('../results/coverage.json', import.meta.url)
const { families } = JSON.parse(readFileSync(file, 'utf8'))
let [checked, wrong] = [0, 0]
for (const { name, cells } of families) {
  if (name === 'estimated') continue
  for (const cell of cells)
    for (const [estimator, { all }] of Object.entries(cell.estimators)) {
      if (!UNBIASED.has(estimator) || all.rmse === null) continue
      checked++
      const z = all.bias / (all.rmse / Math.sqrt(all.given))
      if (Math.abs(z) <= LIMIT) continue
      wrong++
      console.log(`${name}, ${cell.name}, ${estimator}: off by ${z.toFixed(1)} standard errors`)
    }
}
console.log(`${checked} cells and estimators checked, ${wrong} off.`)
if (wrong > 0) process.exitCode = 1
