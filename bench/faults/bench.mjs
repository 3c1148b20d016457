// Which planted mistakes the doctor finds, by the size of the log, and how often it accuses a sound log
// (docs/doctor.md). About five minutes.
//   npm run bench -- faults                     everything, saved
//   node bench/faults/bench.mjs --scale 0.1     a quick look, not saved
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { examine } from '../../dist/doctor/examine.js'
import { quickFindings } from '../../dist/doctor/quick-findings.js'
import { FAULTS } from './faults.mjs'
import { generator, SOUND } from './world.mjs'

/** Seeds by size: fewer where logs are large. */
const SIZES = { 2000: 20, 20000: 10, 200000: 3 }
const SOUND_SEEDS = 200
const SOUND_ROWS = 5000

export async function bench({ scale = 1, only, parts = ['faults', 'sound'] } = {}) {
  const started = performance.now()
  const named = (all) => Object.entries(all).filter(([name]) => !only || name.includes(only))
  const faults = []
  for (const [name, fault] of parts.includes('faults') ? named(FAULTS) : []) {
    const bySize = {}
    for (const [rows, seeds] of Object.entries(SIZES))
      bySize[rows] = await power(fault, Number(rows), Math.max(1, Math.round(scale * seeds)))
    faults.push({ name, codes: fault.codes, bySize })
    console.log(faultLine(name, bySize))
  }
  const sound = []
  for (const [name, draw] of parts.includes('sound') ? named(SOUND) : []) {
    const accused = await falseAlarms(draw, Math.max(1, Math.round(scale * SOUND_SEEDS)))
    sound.push({ name, ...accused })
    console.log(
      `${name.padEnd(45)} accused ${accused.doctor} of ${accused.logs}, evaluation lowered ${accused.evaluation}  ${Object.entries(
        accused.codes,
      )
        .map(([code, count]) => `${code} ${count}`)
        .join(', ')}`,
    )
  }
  const seconds = (performance.now() - started) / 1000
  console.log(`${seconds.toFixed(0)} s`)
  return { seconds, faults, sound, soundRows: SOUND_ROWS, results: {} }
}

/** How many of some logs with the fault the doctor names, and how many an evaluation would hear of. */
async function power({ plant, codes }, rows, seeds) {
  const counts = { logs: seeds, doctor: 0, note: 0, evaluation: 0 }
  for (let seed = 1; seed <= seeds; seed++) {
    const log = plant(generator(seed), rows)
    const named = (await examine({ log, mapping: {} })).filter(({ code }) => codes.includes(code))
    if (named.length > 0) counts.doctor++
    if (named.length > 0 && named.every(({ level }) => level === 'note')) counts.note++
    if (quickFindings(log).length > 0) counts.evaluation++
  }
  return counts
}

/** How many sound logs of a kind get a problem, and for how many an evaluation would lower its verdict. */
async function falseAlarms(draw, seeds) {
  const counts = { logs: seeds, doctor: 0, evaluation: 0, codes: {} }
  for (let seed = 1; seed <= seeds; seed++) {
    const log = draw(generator(seed + 20_000), SOUND_ROWS)
    const problems = (await examine({ log, mapping: {} })).filter(({ level }) => level === 'problem')
    if (problems.length > 0) counts.doctor++
    for (const { code } of problems) counts.codes[code] = (counts.codes[code] ?? 0) + 1
    if (quickFindings(log).length > 0) counts.evaluation++
  }
  return counts
}

function faultLine(name, bySize) {
  const cells = Object.entries(bySize).map(
    ([rows, { logs, doctor, evaluation }]) => `${rows}: ${doctor}/${logs} (${evaluation}/${logs})`,
  )
  return `${name.padEnd(48)} ${cells.join('   ')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      scale: { type: 'string', default: '0.1' },
      only: { type: 'string' },
      parts: { type: 'string', default: 'faults,sound' },
    },
  })
  await bench({ scale: Number(values.scale), only: values.only, parts: values.parts.split(',') })
}
