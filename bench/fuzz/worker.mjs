// A process that grows, mutates and compares files by number, so that a crash or a hang is of one file alone.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chanceOf } from './chance.mjs'
import { compressed, grow } from './grow.mjs'
import { keepEngines } from './kept-engines.mjs'
import { mutate } from './mutate.mjs'
import { compareWays } from './ways.mjs'

const path = join(process.argv[2] ?? mkdtempSync(join(tmpdir(), 'hindcast-fuzz-')), 'log')
if (!process.argv.includes('--fresh')) keepEngines()

process.on('message', async (task) => {
  const made = 'path' in task ? kept(task) : await grown(task)
  // Told before the comparison: should it never end, the file is known.
  process.send({ made: { ...made, bytes: undefined } })
  const result = await compareWays(path, made.bytes, made.options)
  process.send({ result, bytes: result.disagreement ? made.bytes.toString('base64') : undefined })
})

const kept = ({ path: from, options }) => ({ kind: 'kept', names: [], options, bytes: readFileSync(from) })

/** The file of a seed with this number. */
async function grown({ seed, file }) {
  const chance = chanceOf(seed, file)
  const log = await grow(chance)
  // Most compressed files are damaged before they are compressed: damage afterwards is noticed by gzip itself.
  const isAfterwards = log.gzip && chance.isHit(0.2)
  const { bytes, names } = mutate(
    chance,
    isAfterwards ? { kind: 'parquet', bytes: compressed(log.bytes, true) } : log,
  )
  return {
    kind: log.kind,
    gzip: log.gzip,
    names,
    options: log.options,
    bytes: isAfterwards ? bytes : compressed(bytes, log.gzip),
  }
}
