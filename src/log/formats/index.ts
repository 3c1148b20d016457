import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { suggest } from '../../suggest.js'
import { canonical } from './canonical.js'
import type { Format } from './format.js'
import { kuairand } from './kuairand.js'
import { movielens } from './movielens.js'
import { obd } from './obd.js'
import { vwCb } from './vw-cb.js'
import { vwDsjson } from './vw-dsjson.js'

/** The layouts that are known by name. */
export const FORMATS: readonly Format[] = [canonical, obd, vwDsjson, vwCb, movielens, kuairand]

export function formatNamed(name: string): Format {
  const format = FORMATS.find((candidate) => candidate.name === name)
  if (format) return format
  const names = FORMATS.map((candidate) => candidate.name)
  const meant = suggest(name, names)
  throw new HindcastError('unknown-name', `There is no format ${JSON.stringify(name)}.`, {
    remedy: advice`${meant ? `Did you mean ${meant}? ` : ''}Formats: ${names.join(', ')}; for any other table use ${set('columns')}.`,
  })
}
