import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { counted } from '../number-text.js'
import type { Contexts } from './contexts.js'
import type { Log } from './log.js'

/**
 * The log with contexts that are made of columns of numbers, which it must hold in `numbers`. Rows of one user with
 * the same features share a context.
 */
export function withFeatures(log: Log, names: readonly string[]): Log {
  const columns = names.map((name) => featureColumn(log, name))
  const index = new Uint32Array(log.rows)
  const places = new Map<string, number>()
  const user: number[] = []
  const features: number[] = []
  const own = new Float32Array(names.length)
  for (let row = 0; row < log.rows; row++) {
    columns.forEach((column, k) => (own[k] = column[row]!))
    const key = `${log.user[row]!} ${own.join(' ')}`
    let place = places.get(key)
    if (place === undefined) {
      place = user.length
      places.set(key, place)
      user.push(log.user[row]!)
      for (const value of own) features.push(value)
    }
    index[row] = place
  }
  const contexts: Contexts = {
    index,
    user: Uint32Array.from(user),
    names,
    features: Float32Array.from(features),
  }
  return { ...log, contexts }
}

/** A column of features; each row must have a number that float32 can hold. */
function featureColumn({ numbers, rows }: Log, name: string): Float64Array {
  const column = numbers?.[name]
  if (!column)
    throw new HindcastError('missing-column', `The log has no column of numbers ${JSON.stringify(name)}.`, {
      remedy: advice`Name columns of the log in ${set('features')}.`,
    })
  let broken = 0
  for (let row = 0; row < rows; row++) if (!Number.isFinite(Math.fround(column[row]!))) broken++
  if (broken > 0)
    throw new HindcastError(
      'bad-rows',
      `The feature ${JSON.stringify(name)} has no number in ${counted(broken, 'row')}.`,
      { remedy: advice`Fill in what is missing, or leave the column out of ${set('features')}.` },
    )
  return column
}
