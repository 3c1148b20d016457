// A training step as the graph grows, on a graphics card: simulated long-tailed graphs of one to a hundred million
// clicks, 50 per user and 200 per item, batches of 2048, beside our own WebAssembly and PyTorch's CSR matrix on the
// card; then the largest graph that fits.
import { rmSync } from 'node:fs'
import { folderOf, writeArrays } from './arrays.mjs'
import { longTailed } from './long-tailed.mjs'
import { machine } from './machine.mjs'
import { kernelSettings } from './scale-settings.mjs'
import { fits, measureOurs, measureTorch } from './sides.mjs'
import { short, table } from './table.mjs'

const CLICKS = [1e6, 3e6, 1e7, 3e7, 1e8]
const BATCHES = 20
/** The largest size is found within this factor. */
const PRECISION = 1.15

/**
 * Milliseconds per step of every side at each size, and our largest size; `onPart` is called after each. `sides` leaves
 * sides out: WebAssembly takes seconds per step where a GPU takes milliseconds.
 */
export async function bench({
  backend = 'webgpu',
  clicks = CLICKS,
  seconds = 1,
  sides: asked = [backend, 'wasm', 'csr'],
  onPart,
}) {
  const results = {}
  const measured = { machine: machine(), settings: kernelSettings, results }
  // A side that had no room at one size is not asked again at a larger one.
  const full = new Set()
  for (const count of clicks) {
    const graph = longTailed(count)
    const folder = folderOf(`scale-${count}`)
    writeArrays(folder, graph, { ...kernelSettings, steps: BATCHES })
    const effort = { seconds, epochs: 0 }
    const sides = {}
    for (const side of new Set(asked))
      if (full.has(side)) continue
      else if (side === 'csr') Object.assign(sides, measureTorch(folder, { variants: [side], ...effort }))
      else sides[side] = measureOurs(folder, side, effort)
    for (const [name, { failed }] of Object.entries(sides)) if (failed) full.add(name)
    rmSync(folder, { recursive: true })
    const { users, items, edges } = graph
    results[count] = { users, items, edges, sides }
    console.log(rowText(count, results[count]))
    onPart?.(measured)
  }
  console.log(`\n${tableOf(results, backend)}\n`)
  measured.largest = largestThatFits(backend, clicks.at(-1))
  const { held, refused } = measured.largest
  console.log(
    `The largest graph that fitted has ${held?.edges ?? 0} clicks; one of ${Math.round(refused.clicks)} was refused:`,
  )
  console.log(refused.failed)
  return measured
}

/** The largest regular graph that trains, and the smallest that was refused, found by doubling and then by halves. */
function largestThatFits(backend, from) {
  let clicks = from
  let held
  let refused
  for (;;) {
    const tried = fits(backend, clicks)
    if (tried.failed) refused = { clicks, ...tried }
    else held = { clicks, ...tried }
    const [low, high] = [held?.clicks ?? 0, refused?.clicks ?? Infinity]
    if (high / low < PRECISION || high < 1e6) return { held, refused }
    clicks = high === Infinity ? 2 * low : low === 0 ? high / 2 : Math.sqrt(low * high)
  }
}

const rowText = (clicks, { sides }) =>
  `${clicks} clicks: ${Object.entries(sides)
    .map(([name, { millisecondsAStep, failed }]) => `${name} ${failed ?? `${short(millisecondsAStep)} ms`}`)
    .join(', ')}`

function tableOf(results, backend) {
  const cell = (side) =>
    side === undefined
      ? ''
      : side.failed
        ? 'no room'
        : `${short(side.millisecondsAStep)}${side.deviceMegabytes ? `, ${side.deviceMegabytes} MB` : ''}`
  const names = { [backend]: `Hindcast ${backend}`, wasm: 'Hindcast wasm', csr: 'PyTorch csr' }
  return table([
    [
      'clicks',
      'users',
      'items',
      ...Object.values(names).map((name) => `${name}, ms per step`),
      'ns per click',
    ],
    ...Object.values(results).map(({ users, items, edges, sides }) => [
      edges,
      users,
      items,
      ...Object.keys(names).map((name) => cell(sides[name])),
      short((sides[backend]?.millisecondsAStep * 1e6) / edges || null),
    ]),
  ])
}
