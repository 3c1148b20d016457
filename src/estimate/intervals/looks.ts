import { HindcastError } from '../../error.js'
import { normalCdf, normalQuantile } from '../../normal.js'
import { exp, expm1, log1p } from '../../portable-math.js'
import { type Named, Registry } from '../../registry.js'

/** One of several looks at a growing log that were planned before the first. */
export interface PlannedLook {
  /** Which look this is: 1 is the first. */
  readonly look: number
  /** How many looks are planned, at equal steps of rows. */
  readonly of: number
  /** Probability with which the intervals of all looks together should contain the value (default 0.95). */
  readonly confidence?: number
  /** How the error is spent over the looks (default `obrien-fleming`). */
  readonly spending?: SpendingName | (string & {})
}

/** More looks than this are better served by a confidence sequence. */
const MOST_LOOKS = 100
/** What a number near 1 can still be told apart from 1 by: an early look may be due an error of 1e-50. */
const LEAST_ERROR = 1e-12

/**
 * The confidence to ask of any interval at one of several planned looks, so that with probability `confidence` the
 * intervals of all looks contain the value (group-sequential bounds by error spending, Lan & DeMets 1983): above
 * `confidence`, most of all at early looks.
 */
export function confidenceAtLook({
  look,
  of,
  confidence = 0.95,
  spending = 'obrien-fleming',
}: PlannedLook): number {
  requireLook(look, of)
  if (!(confidence > 0 && confidence < 1))
    throw new HindcastError('bad-option', `The confidence must be between 0 and 1, not ${confidence}.`, {
      remedy: 'Give 0.95 for 95 %.',
    })
  const alpha = (1 - confidence) / 2
  const { spent } = SPENDING.named(spending)
  const bounds = lookBounds(Array.from({ length: look }, (_, k) => spent((k + 1) / of, alpha)))
  return 1 - 2 * normalCdf(-bounds.at(-1)!)
}

/** Throws unless this is one of a few planned looks. */
function requireLook(look: number, of: number): void {
  if (!(Number.isInteger(of) && of >= 1 && Number.isInteger(look) && look >= 1 && look <= of))
    throw new HindcastError('bad-option', `There is no look ${look} of ${of}.`, {
      remedy: 'Number the looks from 1: 2 of 5 is the second of five.',
    })
  if (of > MOST_LOOKS)
    throw new HindcastError('bad-option', `${of} planned looks are more than ${MOST_LOOKS}.`, {
      remedy: 'Use a confidence sequence, which allows for any number of looks.',
    })
}

/**
 * The bounds z_1, z_2, … on |Z_k| at equally spaced looks such that at each look `spent[k]` in all has crossed the
 * upper one, and as much the lower. S_k = √k·Z_k is a walk of standard normal steps. Its density over the paths that
 * have crossed neither bound is carried from look to look by numerical integration (Armitage, McPherson & Rowe 1969).
 */
export function lookBounds(spent: readonly number[]): number[] {
  const bounds: number[] = []
  let inside = atStart
  let before = 0
  for (const [k, after] of spent.entries()) {
    const due = Math.max(after - before, LEAST_ERROR / 2)
    const bound = boundFor(inside, due)
    bounds.push(bound / Math.sqrt(k + 1))
    before = after
    if (k + 1 < spent.length) inside = steppedInside(inside, bound)
  }
  return bounds
}

/** A density on a grid over the places of a walk, each multiplied by its weight in the integral. */
interface Inside {
  readonly places: Float64Array
  readonly mass: Float64Array
}

/** Before the first step, all of the walk is at 0. */
const atStart: Inside = { places: Float64Array.of(0), mass: Float64Array.of(1) }

/** The place beyond which one more step takes a share `due` of the walk. */
function boundFor({ places, mass }: Inside, due: number): number {
  const beyond = (bound: number): number => {
    let total = 0
    // From the end, up to where a step as long as that does not happen.
    for (let j = places.length - 1; j >= 0 && bound - places[j]! < LONGEST_STEP; j--)
      total += mass[j]! * normalCdf(places[j]! - bound)
    return total
  }
  let low = 0
  let high = places.at(-1)! - normalQuantile(due)
  for (let step = 0; step < 48; step++) {
    const middle = (low + high) / 2
    if (beyond(middle) > due) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Largest step of the grid, in standard deviations of a step of the walk; and the longest step that it takes. */
const GRID_STEP = 1 / 10
const LONGEST_STEP = 9
const ROOT_TWO_PI = 2.5066282746310002

/** The density after one more step, between −bound and bound; by Simpson's rule. */
function steppedInside({ places, mass }: Inside, bound: number): Inside {
  const halves = Math.max(8, Math.ceil(bound / GRID_STEP))
  const step = bound / halves
  const size = 2 * halves + 1
  const grid = Float64Array.from({ length: size }, (_, i) => (i - halves) * step)
  const next = new Float64Array(size)
  for (let i = 0; i <= halves; i++) {
    let density = 0
    for (let j = 0; j < places.length; j++) {
      const distance = grid[i]! - places[j]!
      if (distance > LONGEST_STEP) continue
      if (distance < -LONGEST_STEP) break
      density += mass[j]! * exp(-0.5 * distance * distance)
    }
    const weight = i === 0 ? 1 : i % 2 === 1 ? 4 : 2
    // Both sides are alike.
    next[i] = next[size - 1 - i] = (density / ROOT_TWO_PI) * ((weight * step) / 3)
  }
  return { places: grid, mass: next }
}

/** How a planned series of looks spends its error (Lan & DeMets 1983): little by little, all of it at the last. */
export interface Spending<Name extends string = string> extends Named<Name> {
  /** What has been spent of an error α on one side, at a share of the rows between 0 and 1. */
  readonly spent: (share: number, alpha: number) => number
}

const obrienFleming: Spending<'obrien-fleming'> = {
  name: 'obrien-fleming',
  label: 'O’Brien–Fleming',
  family: 'spending',
  meaning: 'Spends almost nothing early, so that the last look is nearly as narrow as a single one.',
  docs: 'intervals.md#looks',
  spent: (share, alpha) =>
    share <= 0 ? 0 : 2 * normalCdf(normalQuantile(alpha / 2) / Math.sqrt(Math.min(1, share))),
}

const pocock: Spending<'pocock'> = {
  name: 'pocock',
  label: 'Pocock',
  family: 'spending',
  meaning: 'Spends about the same at every look: narrower early, wider at the last.',
  docs: 'intervals.md#looks',
  spent: (share, alpha) => alpha * log1p(expm1(1) * Math.min(1, Math.max(0, share))),
}

const KNOWN = [obrienFleming, pocock] as const

/** The names of the ways to spend an error over looks. */
type SpendingName = (typeof KNOWN)[number]['name']

/** Every way to spend an error over looks. */
export const SPENDING = new Registry<Spending>('spending', KNOWN)
