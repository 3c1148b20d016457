import type { Log } from '../log/log.js'
import { rowsByUser } from '../log/row-groups.js'
import { exp, log as naturalLog } from '../portable-math.js'
import { BinSums, calibrationOf } from './calibration.js'
import type { Calibration, Estimation } from './stand-in.js'
import type { UserFolds } from './user-folds.js'

/**
 * b(a|u) for every user and every item, stored compactly: users of one group, and items of one class within a
 * fold, share the same propensity.
 */
export interface ExposureModel {
  readonly parameters: Readonly<Record<string, number>>
  /** The group of each user. */
  readonly groupOf: Uint32Array
  readonly groups: readonly UserGroup[]
  /** Per fold: the classes of items for its users. */
  readonly classes: readonly ItemClasses[]
}

interface UserGroup {
  readonly fold: number
  /** b of an item of each class; Σ over classes of size · b is 1. */
  readonly propensity: Float64Array
}

export interface ItemClasses {
  /** The class of each item. */
  readonly classOf: Uint32Array
  /** Number of items in each class. */
  readonly size: Float64Array
}

/** Puts items with the same count in one class; gives the count of each class. */
export function classesByCount(counts: Float64Array): ItemClasses & { readonly counts: Float64Array } {
  const placeOf = new Map<number, number>()
  const classOf = new Uint32Array(counts.length)
  const size: number[] = []
  for (let item = 0; item < counts.length; item++) {
    const count = counts[item]!
    const place = placeOf.get(count) ?? placeOf.size
    placeOf.set(count, place)
    classOf[item] = place
    size[place] = (size[place] ?? 0) + 1
  }
  return { classOf, size: Float64Array.from(size), counts: Float64Array.from(placeOf.keys()) }
}

/** b(·|user): one probability per item, summing to one. */
export function probabilitiesOf(model: ExposureModel, user: number): Float64Array {
  const { fold, propensity } = model.groups[model.groupOf[user]!]!
  return Float64Array.from(model.classes[fold]!.classOf, (place) => propensity[place]!)
}

/** b of the item of each row. */
export function rowPropensities(log: Log, model: ExposureModel): Float64Array {
  const propensity = new Float64Array(log.rows)
  for (let row = 0; row < log.rows; row++) {
    const group = model.groups[model.groupOf[log.user[row]!]!]!
    propensity[row] = group.propensity[model.classes[group.fold]!.classOf[log.item[row]!]!]!
  }
  return propensity
}

const BINS = 10

/**
 * User–item pairs, sorted by predicted propensity into ten bins of about equally many pairs. A user with m
 * impressions gives every pair m trials: a share b̂ of them should show the item. Each user is held out from
 * their model.
 */
export function exposureCalibration(log: Log, model: ExposureModel): Calibration {
  const { groups, classes, groupOf } = model
  const { binOf, itemsIn, expectedIn } = cutIntoBins(log, model)
  const bins = Array.from({ length: BINS }, () => new BinSums())
  const { rows, start } = rowsByUser(log)
  const shown = new Float64Array(BINS)
  for (let user = 0; user < log.userIds.length; user++) {
    if (start[user] === start[user + 1]) continue
    const group = groupOf[user]!
    const { classOf } = classes[groups[group]!.fold]!
    let impressions = 0
    shown.fill(0)
    for (let k = start[user]!; k < start[user + 1]!; k++) {
      const row = rows[k]!
      const weight = log.weight ? log.weight[row]! : 1
      impressions += weight
      shown[binOf[group]![classOf[log.item[row]!]!]!]! += weight
    }
    bins.forEach((sums, bin) => {
      const trials = impressions * itemsIn[group]![bin]!
      sums.addUser(shown[bin]!, trials, impressions * expectedIn[group]![bin]!, shown[bin]!)
    })
  }
  return calibrationOf(bins.map((sums) => ({ sums })))
}

/** The bin of each item class for each user group, and how many items and how much probability each bin holds. */
function cutIntoBins(
  log: Log,
  { groups, classes, groupOf }: ExposureModel,
): { binOf: Uint8Array[]; itemsIn: Float64Array[]; expectedIn: Float64Array[] } {
  const hasRows = new Uint8Array(log.userIds.length)
  for (const user of log.user) hasRows[user] = 1
  const members = new Float64Array(groups.length)
  groupOf.forEach((group, user) => (members[group]! += hasRows[user]!))
  const cells = groups.flatMap(({ fold, propensity }, group) =>
    Array.from(propensity, (predicted, place) => ({
      group,
      place,
      predicted,
      pairs: members[group]! * classes[fold]!.size[place]!,
    })),
  )
  cells.sort((a, b) => a.predicted - b.predicted || a.group - b.group || a.place - b.place)
  const total = cells.reduce((sum, { pairs }) => sum + pairs, 0)
  const binOf = groups.map(({ propensity }) => new Uint8Array(propensity.length))
  const itemsIn = groups.map(() => new Float64Array(BINS))
  const expectedIn = groups.map(() => new Float64Array(BINS))
  let before = 0
  for (const { group, place, predicted, pairs } of cells) {
    const bin = Math.min(BINS - 1, Math.floor((BINS * (before + pairs / 2)) / total))
    before += pairs
    const items = classes[groups[group]!.fold]!.size[place]!
    binOf[group]![place] = bin
    itemsIn[group]![bin]! += items
    expectedIn[group]![bin]! += items * predicted
  }
  return { binOf, itemsIn, expectedIn }
}

/** What a model predicts for the rows of a log. */
export const estimationBy = (log: Log, model: ExposureModel): Estimation => ({
  propensity: rowPropensities(log, model),
  parameters: model.parameters,
  calibration: exposureCalibration(log, model),
})

/**
 * b(a) = c(a)^η / Σ c^η, with c(a) the impressions of item a among the users of the other folds.
 *
 * An item that none of them saw counts as c₀ = (S₁ + 1)/K₀ impressions: S₁ is the number of their impressions of
 * items that only one user saw, K₀ the number of items that none saw. S₁ is what would have gone to unseen items
 * had that one user been missing (Good 1953, by user), and the 1 is the impression that proves such items are
 * shown. c₀ never exceeds the smallest count of an item that was seen.
 */
export function popularityModel(log: Log, { count, foldOf }: UserFolds, power: number): ExposureModel {
  const tallies = Array.from({ length: count }, () => ({
    impressions: new Float64Array(log.itemIds.length),
    users: new Float64Array(log.itemIds.length),
  }))
  const { rows, start } = rowsByUser(log)
  const lastUser = new Int32Array(log.itemIds.length).fill(-1)
  for (let user = 0; user < log.userIds.length; user++)
    for (let k = start[user]!; k < start[user + 1]!; k++) {
      const item = log.item[rows[k]!]!
      const tally = tallies[foldOf[user]!]!
      tally.impressions[item]! += log.weight ? log.weight[rows[k]!]! : 1
      if (lastUser[item] !== user) tally.users[item]!++
      lastUser[item] = user
    }

  let unseenImpressions = 0
  const unseen: Uint8Array[] = []
  const fitted = tallies.map((_, fold) => {
    const others = tallies.filter((_, other) => other !== fold)
    const impressions = sumOf(others.map((tally) => tally.impressions))
    const users = sumOf(others.map((tally) => tally.users))
    const standIn = unseenCount(impressions, users)
    unseenImpressions += standIn / count
    unseen.push(Uint8Array.from(impressions, (shown) => (shown === 0 ? 1 : 0)))
    const classes = classesByCount(impressions.map((shown) => (shown === 0 ? standIn : shown)))
    return { classes, propensity: powerShares(classes.counts, classes.size, power) }
  })
  let unseenRows = 0
  for (let row = 0; row < log.rows; row++) unseenRows += unseen[foldOf[log.user[row]!]!]![log.item[row]!]!

  return {
    parameters: { power, unseenRows, unseenImpressions },
    groupOf: Uint32Array.from(foldOf),
    groups: fitted.map(({ propensity }, fold) => ({ fold, propensity })),
    classes: fitted.map(({ classes }) => classes),
  }
}

/** The count of an item that nobody saw; 0 if there is no such item. */
function unseenCount(impressions: Float64Array, users: Float64Array): number {
  let [ofOneUser, items, least] = [0, 0, Infinity]
  for (let item = 0; item < impressions.length; item++) {
    const shown = impressions[item]!
    if (shown === 0) items++
    else least = Math.min(least, shown)
    if (users[item] === 1) ofOneUser += shown
  }
  return items === 0 ? 0 : Math.min((ofOneUser + 1) / items, least)
}

/** count^power / Σ size · count^power for each class, via logarithms so that no power overflows. */
function powerShares(counts: Float64Array, size: Float64Array, power: number): Float64Array {
  const logarithms = counts.map((count) => power * naturalLog(count))
  const largest = logarithms.reduce((most, value) => Math.max(most, value), -Infinity)
  const powers = logarithms.map((value) => exp(value - largest))
  const total = powers.reduce((sum, value, place) => sum + value * size[place]!, 0)
  return powers.map((value) => value / total)
}

const sumOf = (columns: readonly Float64Array[]): Float64Array =>
  columns[0]!.map((_, place) => columns.reduce((sum, column) => sum + column[place]!, 0))
