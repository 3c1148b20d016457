import { createHash } from 'node:crypto'
import { chanceOf } from './chance.mjs'
import { compressed, grow } from './grow.mjs'
import { mutate } from './mutate.mjs'

/** The file of a seed with this number: grown, mutated, and compressed where it is to be. */
export async function grown(seed, file) {
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

/** What tells two files apart, for a test that a seed always makes the same ones. */
export async function digestOf(seed, file) {
  const { bytes, options } = await grown(seed, file)
  return createHash('sha256').update(bytes).update(JSON.stringify(options)).digest('hex')
}
