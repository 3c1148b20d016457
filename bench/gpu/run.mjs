// LightGCN on a graphics card through WebGPU, beside PyTorch on the same card.
//   node bench/gpu/run.mjs [speed|quality|scale|all] [--data DIR] [--python python3] [--out FILE]
// speed    milliseconds per step and seconds per epoch on Gowalla and MovieLens 1M, and whether both sides agree
// quality  Gowalla to the published recall, with BPR and with the softmax loss, and the seconds it takes
//          (--losses bpr|softmax: one of them; --wanted R: the held-out recall whose time is told; --limit S: seconds
//          of each training at most; --start 0.1: normal numbers to begin with, as LightGCN-PyTorch has them;
//          --sample-by event: every click once per epoch)
// scale    a step at one to a hundred million clicks, and the largest graph that fits (--sides webgpu,csr: without wasm)
// Needs a build (npm run build), the package webgpu and a driver with Vulkan, Metal or D3D12; for PyTorch's side a
// Python with torch, and torch-geometric for its variants. DIR (or HINDCAST_DATA) holds gowalla/train.txt, test.txt and
// ml-1m/ratings.dat. Results are saved as they come: in bench/results/gpu-NAME.json, there in FILE where that is a folder,
// else all in FILE. For a try:
//   --backend wasm  --sets ml-100k  --variants coo,csr  --clicks 100000  --seconds 0.2  --epochs 10
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'

const BENCHES = {
  speed: () => import('./speed.mjs'),
  quality: () => import('./quality.mjs'),
  scale: () => import('./scale.mjs'),
}
const list = (text) => text?.split(',')
const numbers = (text) => list(text)?.map(Number)
const number = (text) => (text === undefined ? undefined : Number(text))

const { values, positionals } = parseArgs({
  options: {
    data: { type: 'string' },
    python: { type: 'string' },
    out: { type: 'string' },
    backend: { type: 'string' },
    sets: { type: 'string' },
    variants: { type: 'string' },
    clicks: { type: 'string' },
    sides: { type: 'string' },
    seconds: { type: 'string' },
    epochs: { type: 'string' },
    losses: { type: 'string' },
    start: { type: 'string' },
    wanted: { type: 'string' },
    limit: { type: 'string' },
    'sample-by': { type: 'string' },
  },
  allowPositionals: true,
})
if (values.data) process.env.HINDCAST_DATA = values.data
if (values.python) process.env.HINDCAST_BENCH_PYTHON = values.python
const asked = positionals.length === 0 || positionals.includes('all') ? Object.keys(BENCHES) : positionals
const options = Object.fromEntries(
  Object.entries({
    backend: values.backend,
    sets: list(values.sets),
    variants: list(values.variants),
    clicks: numbers(values.clicks),
    sides: list(values.sides),
    seconds: number(values.seconds),
    epochs: number(values.epochs),
    losses: list(values.losses),
    start: number(values.start),
    wanted: number(values.wanted),
    limit: number(values.limit),
    sampleBy: values['sample-by'],
  }).filter(([, value]) => value !== undefined),
)

for (const name of asked) {
  if (!BENCHES[name])
    throw new Error(`There is no bench ${name}; there are ${Object.keys(BENCHES).join(', ')} and all.`)
  const { bench, disagreements } = await BENCHES[name]()
  const measured = await bench({ ...options, onPart: (part) => save(name, part) })
  save(name, measured)
  for (const sentence of disagreements?.(measured) ?? []) {
    console.error(sentence)
    process.exitCode = 1
  }
}

/** Writes what there is so far, so that nothing is lost where time runs out. */
function save(name, measured) {
  const folder = values.out ?? fileURLToPath(new URL('../results', import.meta.url))
  const result = { name: `gpu-${name}`, ...measured }
  if (existsSync(folder) && statSync(folder).isDirectory())
    return write(join(folder, `gpu-${name}.json`), result)
  const before = existsSync(values.out) ? JSON.parse(readFileSync(values.out, 'utf8')) : {}
  write(values.out, { ...before, [name]: result })
}

function write(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
