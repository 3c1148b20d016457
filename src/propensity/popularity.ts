import type { Log } from '../log/log.js'
import { exp, log as naturalLog } from '../portable-math.js'
import { classesByCount, type ExposureModel } from './exposure-model.js'
import { rowsByUser } from '../log/row-groups.js'
import type { UserFolds } from './user-folds.js'

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
