// Kills commands that write, fills their disk, or makes it read-only, at random moments: what they write under its final
// name is whole, or as it was before, or absent, and a training goes on to the same bits (docs/reliability.md).
//   npm run kills                       120 of them, ten of each command
//   npm run kills -- --kills 500 --save
//   npm run kills -- --only train --seed 7
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { randomStream } from '../../dist/random/stream.js'
import { PROGRAM, prepare, scenariosOf } from './scenarios.mjs'
import { isWhole } from './whole.mjs'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    save: { type: 'boolean' },
  },
})

/** A fault by itself: a signal at a moment or at a change, a disk that is full or can only be read. */
const FAULTS = ['SIGKILL', 'SIGKILL', 'SIGTERM', 'ENOSPC', 'ENOSPC on a small disk', 'EROFS']
const OLD = 'what was there before\n'
const FAULT = pathToFileURL(fileURLToPath(new URL('fault.mjs', import.meta.url))).href
const started = performance.now()
const random = randomStream(Number(values.seed), 'kills')
const below = (count) => Math.floor(random.uniform() * count)
const home = mkdtempSync(join(tmpdir(), 'hindcast-kills-'))
const failures = []
const tally = { kills: 0, byFault: {}, byCommand: {}, struck: 0, resumed: 0, leftBehind: 0 }
const canMount = process.platform === 'linux' && mounted(join(home, 'trial'), 1 << 16, () => true) === true

try {
  const scenarios = scenariosOf(prepare(home)).filter(
    ({ name }) => !values.only || name.startsWith(values.only),
  )
  for (const scenario of scenarios) scenario.reference = await referenceOf(scenario)
  for (let kill = 0; kill < Number(values.kills); kill++) await attempt(scenarios[kill % scenarios.length])
} finally {
  rmSync(home, { recursive: true, force: true })
}
report()
process.exit(failures.length > 0 ? 1 : 0)

/** What a command writes when nothing befalls it, how long it takes, and how many changes it makes. */
async function referenceOf(scenario) {
  const runs = []
  for (const name of ['first', 'second']) {
    const out = freshFolder(name)
    const begun = performance.now()
    const { code, stderr } = await ended(scenario.command(out), { kind: 'none', at: 1e9, under: out })
    if (code !== 0 && code !== 1) throw new Error(`${scenario.name} failed: ${stderr}`)
    const files = Object.fromEntries(scenario.finals.map((final) => [final, readFileSync(join(out, final))]))
    const changes = Number(/changes: (\d+)/.exec(stderr)[1])
    runs.push({ code, files, changes, milliseconds: performance.now() - begun })
    rmSync(out, { recursive: true })
  }
  const [first, second] = runs
  // What holds a time or a date differs from run to run: it must be whole, not the same.
  const isSame = (final) => first.files[final].equals(second.files[final])
  return { ...first, constant: scenario.finals.filter(isSame) }
}

async function attempt(scenario) {
  let fault = FAULTS[below(FAULTS.length)]
  if (fault === 'ENOSPC on a small disk' && !canMount) fault = 'ENOSPC'
  const trouble = []
  const out = freshFolder('out')
  const size = 4096 * (1 + below(40))
  if (fault === 'ENOSPC on a small disk') mounted(out, size, async () => undefined, true)
  const hadOld = scenario.resumed === undefined && below(2) === 0
  if (hadOld) for (const final of scenario.finals) writeOld(join(out, final))
  try {
    const run = await strike(scenario, fault, out)
    examine(scenario, fault, out, run, trouble)
    if (scenario.resumed && fault !== 'ENOSPC on a small disk') await goOn(scenario, out, trouble)
  } finally {
    if (fault === 'ENOSPC on a small disk') spawnSync('umount', [out])
    rmSync(out, { recursive: true, force: true })
  }
  tally.kills++
  tally.byFault[fault] = (tally.byFault[fault] ?? 0) + 1
  tally.byCommand[scenario.name] = (tally.byCommand[scenario.name] ?? 0) + 1
  for (const words of trouble) {
    failures.push(`${scenario.name}, ${fault}: ${words}`)
    console.log(failures.at(-1))
  }
  if (tally.kills % 25 === 0) console.log(`${tally.kills} kills, ${failures.length} failures, ${seconds()} s`)
}

/** Runs the command until the fault strikes. */
function strike(scenario, fault, out) {
  const { changes, milliseconds } = scenario.reference
  const [kind] = fault.split(' ')
  if (fault === 'ENOSPC on a small disk') return ended(scenario.command(out))
  const isTimed = kind.startsWith('SIG') && below(2) === 0
  if (isTimed)
    return ended(scenario.command(out), undefined, { kind, after: random.uniform() * milliseconds * 1.05 })
  return ended(scenario.command(out), { kind, at: 1 + below(changes), under: out })
}

function examine(scenario, fault, out, { code, signal, stderr }, trouble) {
  const { reference, finals } = scenario
  const isDone = signal === null && code === reference.code
  if (!isDone) tally.struck++
  if (!isDone && signal === null && (!/hindcast: /.test(stderr) || /unexpected error/.test(stderr)))
    trouble.push(`ended with ${code} and no sentence: ${stderr.slice(-300)}`)
  for (const final of finals) {
    const path = join(out, final)
    const bytes = existsSync(path) ? readFileSync(path) : undefined
    const isOld = bytes === undefined || bytes.toString() === OLD
    if (isDone && isOld) trouble.push(`success, but ${final} is not there`)
    if (isOld) continue
    const isGood = reference.constant.includes(final)
      ? bytes.equals(reference.files[final])
      : isWhole(final, bytes)
    // The model of a training that was cut short, or of fewer epochs, is another one, but whole.
    if (!isGood && !(scenario.resumed && isWhole(final, bytes)))
      trouble.push(
        `${final} is neither whole nor absent: ${bytes.length} of ${reference.files[final].length} bytes`,
      )
  }
  const parts = listed(out).filter((name) => name.endsWith('.part'))
  if (parts.length > 0) tally.leftBehind++
  if (parts.length > 0 && fault.startsWith('ENOSPC')) trouble.push(`left ${parts.join(', ')} behind`)
}

/** Goes on with a training, undisturbed: the same model as if nothing had happened. */
async function goOn(scenario, out, trouble) {
  const { code, stderr } = await ended(scenario.resumed(out))
  if (code !== 0) return trouble.push(`does not go on: ${stderr.slice(-300)}`)
  tally.resumed++
  const name = 'run/embeddings.safetensors'
  if (!readFileSync(join(out, name)).equals(scenario.reference.files[name]))
    trouble.push('goes on to another model')
}

function ended(command, fault, signal) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...(fault ? ['--import', FAULT] : []), PROGRAM, ...command], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', ...(fault && { HINDCAST_FAULT: JSON.stringify(fault) }) },
    })
    const timer = signal && setTimeout(() => child.kill(signal.kind), signal.after)
    let stderr = ''
    child.stderr.on('data', (text) => (stderr += text))
    child.on('close', (code, name) => {
      clearTimeout(timer)
      resolve({ code, signal: name, stderr })
    })
  })
}

/** A folder on a disk of its own size; returns what `use` does, or undefined where mounting is not allowed. */
function mounted(folder, bytes, use, keep = false) {
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder])
  if (status !== 0) return undefined
  const result = use()
  if (!keep) spawnSync('umount', [folder])
  return result
}

function freshFolder(name) {
  const folder = join(home, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return folder
}

function writeOld(path) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, OLD)
}

function listed(folder) {
  return readdirSync(folder, { recursive: true }).map(String)
}

function seconds() {
  return Math.round((performance.now() - started) / 1000)
}

function report() {
  console.log(
    `${tally.kills} kills in ${seconds()} s (${tally.struck} struck before the end), ${tally.resumed} trainings went on to the same bits, ${failures.length} failures.`,
  )
  if (!values.save) return
  const saved = {
    name: 'kills',
    seed: Number(values.seed),
    seconds: seconds(),
    date: new Date().toISOString().slice(0, 10),
    ...tally,
    failures,
  }
  writeFileSync(
    fileURLToPath(new URL('../results/kills.json', import.meta.url)),
    `${JSON.stringify(saved, null, 2)}\n`,
  )
}
