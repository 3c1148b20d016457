// A thread that measures parts of cells.
import { parentPort } from 'node:worker_threads'
import { FAMILIES } from './families/index.mjs'
import { measure } from './measure.mjs'

parentPort.on('message', async ({ family, cell, from, to }) => {
  const named = FAMILIES.find(({ name }) => name === family)
  const started = performance.now()
  const tallies = await measure(named, named.cells[cell], from, to)
  parentPort.postMessage({ tallies, milliseconds: performance.now() - started })
})
