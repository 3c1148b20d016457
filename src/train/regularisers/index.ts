import { Registry } from '../../registry.js'
import { clip } from './clip.js'
import { ess } from './ess.js'
import { literal } from './literal.js'
import { none } from './none.js'
import { power } from './power.js'
import type { RegulariserKind } from './regulariser-kind.js'
import { shrink } from './shrink.js'
import { variance } from './variance.js'

const ALL = [none, shrink, clip, power, ess, variance, literal] as const

export type RegulariserName = (typeof ALL)[number]['name']

/** Propensity regularisers, by name. */
export const REGULARISERS: Registry<RegulariserKind<RegulariserName>> = new Registry('regulariser', ALL)
