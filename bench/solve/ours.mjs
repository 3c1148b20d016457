// One measurement by Hindcast: `inverse SIZE` and `plain SIZE` invert a matrix, in WebAssembly on two threads and in
// JavaScript; `sweep SETTINGS` takes sweeps of iALS on MovieLens 1M. Prints seconds and a number to compare.
import { leastSquares } from '../../dist/kernels/solvers/least-squares.js'
import { symmetricMatrix } from '../../dist/kernels/solvers/symmetric-matrix.js'
import { ialsObjective } from '../../dist/model/ials.js'
import { inversion } from '../../dist/model/inverse.js'
import { startNodeThread } from '../../dist/node/start-thread.js'
import { movieLens } from '../train/arrays.mjs'

const machine = { threads: 2, startThread: startNodeThread }
const [what, given] = process.argv.slice(2)
const { seconds, check } = await { inverse, plain, sweep }[what](given)
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024)
console.log(JSON.stringify({ seconds, check, peakMegabytes }))
process.exit()

/** The number in row i and column j of the matrix that is inverted. */
function entry(i, j) {
  return 1 / (1 + Math.abs(i - j)) + (i === j ? 40 : 0)
}

async function inverse(size) {
  const n = Number(size)
  const matrix = await symmetricMatrix(n, machine)
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) matrix.numbers[matrix.placeOf(i, j)] = entry(i, j)
  const began = performance.now()
  for (const _ of matrix.invert());
  const taken = (performance.now() - began) / 1000
  let sum = 0
  for (let i = 0; i < n; i++) sum += matrix.numbers[matrix.placeOf(i, i)]
  return { seconds: taken, check: sum }
}

async function plain(size) {
  const n = Number(size)
  const matrix = Float64Array.from({ length: n * n }, (_, k) => entry(Math.floor(k / n), k % n))
  const began = performance.now()
  for (const _ of inversion(matrix, n));
  const taken = (performance.now() - began) / 1000
  let sum = 0
  for (let i = 0; i < n; i++) sum += matrix[i * n + i]
  return { seconds: taken, check: sum }
}

async function sweep(settings) {
  const { dim, sweeps, ...weights } = JSON.parse(settings)
  const graph = movieLens('ml-1m')
  const squares = await leastSquares(graph, dim, machine)
  squares.write(
    'items',
    Float64Array.from({ length: graph.items * dim }, (_, k) => 0.02 * Math.sin(k + 1)),
  )
  squares.solve('users', weights)
  const began = performance.now()
  for (let k = 0; k < sweeps; k++) {
    squares.solve('items', weights)
    squares.solve('users', weights)
  }
  const taken = (performance.now() - began) / 1000 / sweeps
  const factors = { users: squares.read('users'), items: squares.read('items'), dim }
  return { seconds: taken, check: ialsObjective(graph, factors, weights) }
}
