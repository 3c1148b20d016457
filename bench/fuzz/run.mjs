// Grows small logs, mutates them, and reads each in three ways that must agree (docs/reliability.md).
//   npm run fuzz                          2,000 files of today's seed
//   npm run fuzz -- --seed 1 --files 100000 --save
//   npm run fuzz -- --seed 1 --files 100000 --save --on   goes on where the saved run of this seed stopped
//   npm run fuzz -- --seconds 60          as many as a minute allows
//   npm run fuzz -- --seed 1 --file 77    one file again
//   npm run fuzz -- --corpus              the kept files that once failed
//   --fresh opens DuckDB anew for every file, as the command line does; --workers N uses N processes
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
    files: { type: 'string' },
    from: { type: 'string', default: '0' },
    file: { type: 'string' },
    seconds: { type: 'string' },
    workers: { type: 'string', default: '1' },
    limit: { type: 'string', default: '60' },
    fresh: { type: 'boolean' },
    corpus: { type: 'boolean' },
    save: { type: 'boolean' },
    on: { type: 'boolean' },
  },
})

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const CORPUS = here('../../test/fuzz-corpus')
const FAILED = here('../../out/fuzz')
const RESULTS = here('../results/fuzz.json')
const seed = Number(values.seed)
const before = values.on ? savedRun() : undefined
const started = performance.now()
const seconds = () => (before?.seconds ?? 0) + (performance.now() - started) / 1000
const tally = before?.tally ?? {
  files: 0,
  read: 0,
  refused: {},
  kinds: {},
  hangs: 0,
  crashes: 0,
  disagreements: 0,
}
const failures = []
const tasks = values.corpus ? corpus() : numbered()

await Promise.all(Array.from({ length: Number(values.workers) }, work))
report()
process.exit(failures.length > 0 ? 1 : 0)

/** What a run of this seed that was stopped has tried, from its first file on. */
function savedRun() {
  const {
    seconds: taken,
    name: _name,
    seed: own,
    from,
    date: _date,
    ...saved
  } = JSON.parse(readFileSync(RESULTS, 'utf8'))
  if (own !== seed || from !== Number(values.from)) return undefined
  return { seconds: taken, tally: saved }
}

function* corpus() {
  for (const { file, options = {}, gives } of JSON.parse(readFileSync(join(CORPUS, 'corpus.json'), 'utf8')))
    yield { path: join(CORPUS, file), options, gives, called: file }
}

function* numbered() {
  if (values.file !== undefined)
    return yield { seed, file: Number(values.file), called: `file ${values.file}` }
  const first = Number(values.from)
  const end = first + Number(values.files ?? (values.seconds ? Infinity : 2000))
  for (let file = first + tally.files; file < end; file++) {
    if (values.seconds && seconds() > Number(values.seconds)) return
    yield { seed, file, called: `file ${file}` }
  }
}

/** One worker after another takes tasks; one that hangs or crashes is replaced. */
async function work() {
  const folder = mkdtempSync(join(tmpdir(), 'hindcast-fuzz-'))
  let child
  for (const task of tasks) {
    child ??= fork(here('worker.mjs'), [folder, ...(values.fresh ? ['--fresh'] : [])], {
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    const ended = await attempt(child, task)
    if (ended.gone) child = undefined
    const { gives } = task
    const { agreed } = ended.result
    if (gives && agreed && agreed !== gives)
      ended.result = { disagreement: `all give ${agreed}, where ${gives} is expected` }
    count(task, ended)
  }
  child?.kill()
  rmSync(folder, { recursive: true, force: true })
}

function attempt(child, task) {
  return new Promise((resolve) => {
    let made
    let words = ''
    const listen = (text) => (words = (words + text).slice(-2000))
    const finish = (ended) => {
      clearTimeout(timer)
      child.off('message', hear)
      child.off('exit', die)
      child.stderr.off('data', listen)
      resolve({ made, ...ended })
    }
    const hear = (message) => {
      if (message.made) made = message.made
      else finish(message)
    }
    const die = (code, signal) =>
      finish({ gone: true, result: { crash: `the process ended with ${signal ?? code}: ${words}` } })
    const timer = setTimeout(
      () => {
        child.off('exit', die)
        child.kill('SIGKILL')
        finish({ gone: true, result: { hang: `nothing came back within ${values.limit} s` } })
      },
      1000 * Number(values.limit),
    )
    child.on('message', hear)
    child.on('exit', die)
    child.stderr.on('data', listen)
    child.send(task)
  })
}

function count(task, { made, result, bytes }) {
  tally.files++
  if (made) tally.kinds[made.kind] = (tally.kinds[made.kind] ?? 0) + 1
  if (result.agreed === 'read') tally.read++
  else if (result.agreed) tally.refused[result.agreed] = (tally.refused[result.agreed] ?? 0) + 1
  else {
    const [[what, words]] = Object.entries(result)
    tally[{ hang: 'hangs', crash: 'crashes', disagreement: 'disagreements' }[what]]++
    failures.push({ ...task, ...made, what, words })
    console.log(
      `${task.called}: ${what} (${made?.kind ?? '?'}${made?.gzip ? ', gzip' : ''}; ${made?.names.join(', ')})\n  ${words}`,
    )
    if (bytes) keepAside(task, made, bytes)
  }
  if (tally.files % 500 === 0 && !values.corpus) {
    console.log(
      `${tally.files} files, ${failures.length} failures, ${(tally.files / seconds()).toFixed(1)} per second`,
    )
    save()
  }
}

function keepAside({ file, called }, { kind, gzip, options }, bytes) {
  mkdirSync(FAILED, { recursive: true })
  const name = file === undefined ? called : `${seed}-${file}.${kind}${gzip ? '.gz' : ''}`
  writeFileSync(join(FAILED, name), Buffer.from(bytes, 'base64'))
  writeFileSync(join(FAILED, `${name}.options.json`), JSON.stringify(options))
}

function report() {
  const { files, read, refused, hangs, crashes, disagreements } = tally
  const refusals = Object.values(refused).reduce((sum, one) => sum + one, 0)
  console.log(
    `${files} files in ${seconds().toFixed(0)} s (${(files / seconds()).toFixed(1)} per second): ${read} read alike, ${refusals} refused alike, ${disagreements} disagreements, ${hangs} hangs, ${crashes} crashes.`,
  )
  save()
}

/** Saved now and then too: what has been tried counts, should the run be stopped. */
function save() {
  if (!values.save) return
  const saved = {
    name: 'fuzz',
    seed,
    from: Number(values.from),
    seconds: Math.round(seconds()),
    date: new Date().toISOString().slice(0, 10),
    ...tally,
  }
  writeFileSync(RESULTS, `${JSON.stringify(saved, null, 2)}\n`)
}
