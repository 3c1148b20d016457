import { HindcastError } from '../../dist/index.js'
import { available, evaluated } from './answers.mjs'
import { generator, seedOf } from './random.mjs'
import { count, countFailure } from './tally.mjs'

/** The estimators asked in a cell: its own, or those of its family, where this version has them. */
export const estimatorsOf = (family, cell) => available(cell.estimators ?? family.estimators)

const worlds = new Map()

/** The world of a cell, made once per thread. */
function worldOf(family, cell) {
  const key = `${family.name}: ${cell.name}`
  if (!worlds.has(key)) worlds.set(key, family.world(cell))
  return worlds.get(key)
}

/** Draws and evaluates logs `from` to `to` of a cell. The same log has the same seed, whoever draws it. */
export async function measure(family, cell, from, to) {
  const estimators = estimatorsOf(family, cell)
  const { draw } = worldOf(family, cell)
  const { ask = evaluated } = family
  const tallies = {}
  for (let k = from; k < to; k++) {
    const question = draw(generator(seedOf(family.name, cell.name, k)))
    try {
      for (const answer of await ask(estimators, question)) count(tallies, answer)
    } catch (error) {
      // A log may be refused with an error that says why; anything else is a fault.
      if (!(error instanceof HindcastError)) throw error
      countFailure(tallies, estimators, error)
    }
  }
  return tallies
}
