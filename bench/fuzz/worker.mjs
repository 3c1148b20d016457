// A process that grows, mutates and compares files by number, so that a crash or a hang is of one file alone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { grown } from './grown.mjs'
import { keepEngines } from './kept-engines.mjs'
import { compareWays } from './ways.mjs'

const path = join(process.argv[2], 'log')
if (!process.argv.includes('--fresh')) keepEngines()

process.on('message', async (task) => {
  const made = 'path' in task ? kept(task) : await grown(task.seed, task.file)
  // Told before the comparison: should it never end, the file is known.
  process.send({ made: { ...made, bytes: undefined } })
  const result = await compareWays(path, made.bytes, made.options)
  process.send({ result, bytes: result.disagreement ? made.bytes.toString('base64') : undefined })
})

const kept = ({ path: from, options }) => ({ kind: 'kept', names: [], options, bytes: readFileSync(from) })
