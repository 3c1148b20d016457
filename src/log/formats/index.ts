import { advice, set } from '../../advice.js'
import { Registry } from '../../registry.js'
import { canonical } from './canonical.js'
import { eppo } from './eppo.js'
import type { Format } from './format.js'
import { growthbook } from './growthbook.js'
import { kuairand } from './kuairand.js'
import { lenskit } from './lenskit.js'
import { movielens } from './movielens.js'
import { obd } from './obd.js'
import { recbole } from './recbole.js'
import { statsig } from './statsig.js'
import { vwCb } from './vw-cb.js'
import { vwDsjson } from './vw-dsjson.js'

/** The layouts of log files, by name. */
export const FORMATS: Registry<Format> = new Registry('format', [
  canonical,
  obd,
  vwDsjson,
  vwCb,
  growthbook,
  eppo,
  statsig,
  movielens,
  lenskit,
  recbole,
  kuairand,
])

/** The layout with this name; if there is none, the error lists those there are. */
export const formatNamed = (name: string): Format =>
  FORMATS.named(name, advice`; for any other table use ${set('columns')}`)
