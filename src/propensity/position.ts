import { advice, set } from '../advice.js'
import { badOption, HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { rowsByUser } from '../log/row-groups.js'
import { BinSums, calibrationOf } from './calibration.js'
import type { Calibration, Estimation } from './stand-in.js'
import type { UserFolds } from './user-folds.js'

/**
 * The probability that an item shown at a position was seen, relative to the position that is seen most: θ_k of
 * the position-based model P(click) = θ_k · γ_a, from items that were shown at several positions (the idea of
 * intervention harvesting; Agarwal et al. 2019). It assumes that an item's position does not depend on how
 * much this user likes it. It says nothing about how likely the item was to be shown: it is for training weights
 * 1/θ, not for the value of another policy.
 *
 * Cross-fitted: θ for the rows of a user comes from the users of other folds. A propensity of 0 means that
 * their clicks do not determine it.
 */
export function positionPropensity(log: Log, folds: UserFolds): Estimation {
  const { position } = log
  if (!position)
    throw new HindcastError('missing-column', 'Propensities by position need the position of every row.', {
      remedy: advice`Map the column with ${set('columns', 'position=NAME')}, or choose another ${set('propensity')}.`,
    })
  const places = [...new Set(position)].toSorted((a, b) => a - b)
  if (places.length < 2)
    throw badOption(
      `Every row is at position ${places[0]}, so there is nothing to compare.`,
      advice`Choose another ${set('propensity')}.`,
    )
  if (!log.reward.some((reward) => reward > 0))
    throw badOption(
      'The log has no clicks, so what was seen is unknown.',
      advice`Choose another ${set('propensity')}, such as popularity.`,
    )
  const placeOf = new Map(places.map((value, place) => [value, place]))
  const rowPlace = Uint32Array.from(position, (value) => placeOf.get(value)!)
  const models = fitFolds(log, folds, rowPlace, places.length)
  const propensity = new Float64Array(log.rows)
  for (let row = 0; row < log.rows; row++)
    propensity[row] = models[folds.foldOf[log.user[row]!]!]!.examination[rowPlace[row]!]!
  const parameters: Record<string, number> = {}
  places.forEach((value, place) => {
    const mean = models.reduce((sum, { examination }) => sum + examination[place]! / models.length, 0)
    parameters[`examination at ${value}`] = mean
  })
  return { propensity, parameters, calibration: calibrate(log, folds, models, rowPlace, places) }
}

/** For each fold, the model fitted to the users of all others. */
function fitFolds(
  log: Log,
  { count, foldOf }: UserFolds,
  rowPlace: Uint32Array,
  positions: number,
): PositionEffects[] {
  const cellOf = new Map<number, number>()
  const rowCell = Uint32Array.from(rowPlace, (place, row) => {
    const key = log.item[row]! * positions + place
    const cell = cellOf.get(key) ?? cellOf.size
    cellOf.set(key, cell)
    return cell
  })
  const keys = Float64Array.from(cellOf.keys())
  const cells: PositionCells = {
    items: log.itemIds.length,
    positions,
    item: Uint32Array.from(keys, (key) => Math.floor(key / positions)),
    position: Uint32Array.from(keys, (key) => key % positions),
  }
  return Array.from({ length: count }, (_, fold) => {
    const impressions = new Float64Array(keys.length)
    const clicks = new Float64Array(keys.length)
    for (let row = 0; row < log.rows; row++) {
      if (foldOf[log.user[row]!] === fold) continue
      const weight = log.weight ? log.weight[row]! : 1
      impressions[rowCell[row]!]! += weight
      if (log.reward[row]! > 0) clicks[rowCell[row]!]! += weight
    }
    return positionEffects(cells, impressions, clicks)
  })
}

/**
 * Clicks at each position, on the items that other users click less and on those they click more, against what
 * the model expects given as many clicks. An impression of item a counts as γ_a trials, how often it would be
 * clicked if θ were 1, with γ_a = C_a / Σ_k n_ak θ_k from the clicks C_a in the fold itself and θ from the
 * others: each item is compared only with itself. Two halves, because over all items together any θ fitted
 * to similar users would look right.
 */
function calibrate(
  log: Log,
  { count, foldOf }: UserFolds,
  models: readonly PositionEffects[],
  rowPlace: Uint32Array,
  places: readonly number[],
): Calibration {
  const binOf = binsOf(rowPlace, places.length)
  const bins = binOf.at(-1)! + 1
  const isClicked = models.map(({ attraction }, fold) =>
    moreClickedHalf(log, attraction, (user) => foldOf[user] !== fold),
  )
  const attraction = attractionByFold(log, foldOf, count, models, rowPlace)
  const sums = Array.from({ length: 2 * bins }, () => new BinSums())
  const { rows, start } = rowsByUser(log)
  const ofUser = sums.map(() => new Float64Array(4))
  for (let user = 0; user < log.userIds.length; user++) {
    if (start[user] === start[user + 1]) continue
    const fold = foldOf[user]!
    for (const bin of ofUser) bin.fill(0)
    for (let k = start[user]!; k < start[user + 1]!; k++) {
      const [row, item] = [rows[k]!, log.item[rows[k]!]!]
      const theta = models[fold]!.examination[rowPlace[row]!]!
      if (theta === 0) continue
      const weight = log.weight ? log.weight[row]! : 1
      const trials = weight * attraction[fold]![item]!
      const bin = ofUser[2 * binOf[rowPlace[row]!]! + isClicked[fold]![item]!]!
      if (log.reward[row]! > 0) bin[0]! += weight
      bin[1]! += trials
      bin[2]! += trials * theta
      bin[3]! += weight
    }
    ofUser.forEach((bin, place) => sums[place]!.addUser(bin[0]!, bin[1]!, bin[2]!, bin[3]!))
  }
  const expectedIn = (which: (place: number) => boolean): number =>
    sums.reduce((sum, { expected }, place) => (which(place) ? sum + expected : sum), 0)
  return calibrationOf(
    sums.map((bin, place) => ({
      sums: bin,
      // The clicks per half are given, and those per position were fitted: only their combination varies.
      leftVariance:
        (1 - bin.expected / expectedIn((other) => other % 2 === place % 2)) *
        (1 - bin.expected / expectedIn((other) => other >> 1 === place >> 1)),
      label: positionLabel(place >> 1, binOf, places),
      part: place % 2 === 1 ? 'items clicked more' : 'items clicked less',
    })),
  )
}

/** γ_a of each item from the clicks of a fold, with θ from the other folds; 0 for an item without clicks there. */
function attractionByFold(
  log: Log,
  foldOf: Uint8Array,
  count: number,
  models: readonly PositionEffects[],
  rowPlace: Uint32Array,
): Float64Array[] {
  const clicks = Array.from({ length: count }, () => new Float64Array(log.itemIds.length))
  const seen = Array.from({ length: count }, () => new Float64Array(log.itemIds.length))
  for (let row = 0; row < log.rows; row++) {
    const fold = foldOf[log.user[row]!]!
    const theta = models[fold]!.examination[rowPlace[row]!]!
    if (theta === 0) continue
    const weight = log.weight ? log.weight[row]! : 1
    if (log.reward[row]! > 0) clicks[fold]![log.item[row]!]! += weight
    seen[fold]![log.item[row]!]! += weight * theta
  }
  return clicks.map((ofFold, fold) =>
    ofFold.map((clicked, item) => (clicked === 0 ? 0 : clicked / seen[fold]![item]!)),
  )
}

/** 1 for the most attractive items, which received half of the clicks of the users for whom `which` holds. */
function moreClickedHalf(log: Log, attraction: Float64Array, which: (user: number) => boolean): Uint8Array {
  const clicks = new Float64Array(attraction.length)
  let left = 0
  for (let row = 0; row < log.rows; row++) {
    if (!(log.reward[row]! > 0) || !which(log.user[row]!)) continue
    clicks[log.item[row]!]!++
    left += 0.5
  }
  const known = Array.from(attraction.keys()).filter((item) => attraction[item]! > 0)
  const half = new Uint8Array(attraction.length)
  for (const item of known.toSorted((a, b) => attraction[b]! - attraction[a]! || a - b)) {
    if (left < clicks[item]! / 2) break
    left -= clicks[item]!
    half[item] = 1
  }
  return half
}

const MOST_BINS = 5

/** The bin of each position: one each, or neighbours grouped into bins of about equally many rows. */
function binsOf(rowPlace: Uint32Array, positions: number): number[] {
  if (positions <= MOST_BINS) return Array.from({ length: positions }, (_, place) => place)
  const rowsAt = new Float64Array(positions)
  for (const place of rowPlace) rowsAt[place]!++
  const binOf: number[] = []
  let [before, bin, reached] = [0, -1, -1]
  for (const rows of rowsAt) {
    const part = Math.floor((MOST_BINS * (before + rows / 2)) / rowPlace.length)
    if (part > reached) bin++
    reached = part
    before += rows
    binOf.push(bin)
  }
  return binOf
}

function positionLabel(bin: number, binOf: readonly number[], places: readonly number[]): string {
  const [first, last] = [places[binOf.indexOf(bin)]!, places[binOf.lastIndexOf(bin)]!]
  return first === last ? `position ${first}` : `positions ${first}–${last}`
}

/** Impressions and clicks of items at positions: cell c is item `item[c]` at position `position[c]`. */
interface PositionCells {
  readonly items: number
  readonly positions: number
  readonly item: Uint32Array
  readonly position: Uint32Array
}

interface PositionEffects {
  /** θ of each position, scaled to a maximum of 1; 0 where clicks do not determine it. */
  readonly examination: Float64Array
  /** γ of each item: its click-through rate if θ is 1; NaN if it was never shown at a position with a θ. */
  readonly attraction: Float64Array
}

const MOST_STEPS = 20_000
const TOLERANCE = 1e-10

/**
 * The position-based model, clicks ~ Poisson(n_ak · θ_k · γ_a): an item shown at several positions reveals how
 * much less is clicked at one than at another, whatever its own click-through rate. The likelihood is largest where
 *   θ_k = C_k / Σ_a n_ak γ_a  and  γ_a = C_a / Σ_k n_ak θ_k,
 * which are applied alternately; only the means need to be right, so clicks may be 0 or 1 (Gourieroux, Monfort &
 * Trognon 1984). θ is scaled to a maximum of 1.
 *
 * Two positions can be compared if items clicked at either have been shown at the other, possibly via other
 * positions. Those that cannot be compared with the position with the most clicks get 0.
 */
export function positionEffects(
  cells: PositionCells,
  impressions: Float64Array,
  clicks: Float64Array,
): PositionEffects {
  const comparable = comparablePositions(cells, impressions, clicks)
  const used = Uint32Array.from(cells.item.keys()).filter(
    (cell) => impressions[cell]! > 0 && comparable[cells.position[cell]!] === 1,
  )
  const clicksAt = new Float64Array(cells.positions)
  const clicksOf = new Float64Array(cells.items)
  for (const cell of used) {
    clicksAt[cells.position[cell]!]! += clicks[cell]!
    clicksOf[cells.item[cell]!]! += clicks[cell]!
  }
  const examination = Float64Array.from(comparable)
  const attraction = new Float64Array(cells.items)
  const expected = { of: new Float64Array(cells.items), at: new Float64Array(cells.positions) }
  for (let step = 0; ; step++) {
    expected.of.fill(0)
    for (const cell of used)
      expected.of[cells.item[cell]!]! += impressions[cell]! * examination[cells.position[cell]!]!
    for (let a = 0; a < cells.items; a++) attraction[a] = clicksOf[a]! / expected.of[a]!
    expected.at.fill(0)
    for (const cell of used)
      expected.at[cells.position[cell]!]! += impressions[cell]! * attraction[cells.item[cell]!]!
    let [most, change] = [0, 0]
    const next = examination.map((_, k) => (comparable[k] ? clicksAt[k]! / expected.at[k]! : 0))
    for (const theta of next) most = Math.max(most, theta)
    next.forEach((theta, k) => {
      const scaled = theta / most
      if (comparable[k]) change = Math.max(change, Math.abs(scaled / examination[k]! - 1))
      examination[k] = scaled
    })
    if (change < TOLERANCE) return { examination, attraction }
    if (step === MOST_STEPS)
      throw badOption(
        'The position-based model did not converge.',
        advice`Too few items were shown at several positions: use a longer log, or choose another ${set('propensity')}.`,
      )
  }
}

/**
 * Positions that can be compared with the one with the most clicks: each can be reached from the other by steps
 * from a position with a click on an item to another position of that item.
 */
function comparablePositions(
  { items, positions, item, position }: PositionCells,
  impressions: Float64Array,
  clicks: Float64Array,
): Uint8Array {
  const clicksAt = new Float64Array(positions)
  clicks.forEach((count, cell) => (clicksAt[position[cell]!]! += count))
  const most = clicksAt.reduce((largest, count) => Math.max(largest, count), 0)
  if (most === 0) return new Uint8Array(positions)
  const first = clicksAt.indexOf(most)
  const clicked = clicks.map((count) => Number(count > 0))
  const wasShown = impressions.map((count) => Number(count > 0))
  const reach = (leave: Float64Array, arrive: Float64Array): Uint8Array => {
    const atPosition = new Uint8Array(positions)
    const atItem = new Uint8Array(items)
    atPosition[first] = 1
    for (let grew = true; grew;) {
      grew = false
      for (let cell = 0; cell < item.length; cell++) {
        const [a, k] = [item[cell]!, position[cell]!]
        const leaves = leave[cell] && atPosition[k] && !atItem[a]
        if (leaves) atItem[a] = 1
        const arrives = arrive[cell] && atItem[a] && !atPosition[k]
        if (arrives) atPosition[k] = 1
        if (leaves || arrives) grew = true
      }
    }
    return atPosition
  }
  const forward = reach(clicked, wasShown)
  const backward = reach(wasShown, clicked)
  return forward.map((reached, k) => reached & backward[k]!)
}
