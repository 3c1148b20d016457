import { HindcastError } from '../error.js'
import { gini, median } from '../quantile.js'
import type { Log, PropensitySource } from '../log/log.js'
import type { EstimatedPropensity } from '../propensity/stand-in.js'
import { CompensatedSum } from '../sum.js'

export const DESCRIPTION_SCHEMA = 'hindcast.description/1'

/** What a log holds, in numbers. A value that cannot be known is null, and `reasons` says why. */
export interface Description {
  readonly schema: typeof DESCRIPTION_SCHEMA
  readonly rows: number
  /** Impressions: rows, each counted by its weight if the log was thinned. */
  readonly impressions: number
  readonly users: number
  /** Items shown at least once. */
  readonly items: number
  /** Impressions with a reward above 0. */
  readonly clicks: number
  /** Clicks per impression. */
  readonly clickRate: number
  /** 95 % confidence interval of the click-through rate, for new users. */
  readonly clickRateInterval: readonly [number, number] | null
  readonly meanReward: number
  readonly rewardRange: readonly [number, number]
  readonly exposure: {
    /** Of impressions over items; over the whole catalogue if it is known. */
    readonly gini: number
    /** Share of impressions of the ten items shown most. */
    readonly top10Share: number
    /** Items that could have been shown. */
    readonly catalogue: number | null
    readonly neverShown: number | null
    /** Shares of impressions by tenths of the items, from the most shown to the least. */
    readonly shareByTenth: readonly number[]
    readonly medianImpressions: number
    readonly maxImpressions: number
  }
  readonly activity: {
    /** Of impressions over users. */
    readonly gini: number
    readonly minImpressions: number
    readonly medianImpressions: number
    readonly maxImpressions: number
  }
  readonly propensity: {
    readonly source: PropensitySource
    readonly min: number | null
    readonly max: number | null
    /** Share of rows at the smallest propensity. */
    readonly floorShare: number | null
    /** How they were estimated, and how well, if known. */
    readonly estimate?: EstimatedPropensity
  }
  /** Effective sample size for a uniform policy: how many rows of a uniformly random log would be as informative, (Σw)²/Σw² with w = 1/b. */
  readonly uniformTarget: { readonly ess: number | null; readonly essRatio: number | null }
  /** First and last time, in the log's own units. */
  readonly time: { readonly first: number; readonly last: number } | null
  /** Why a value is null, by its path. */
  readonly reasons: Readonly<Record<string, string>>
}

const NORMAL_975 = 1.959963984540054

export interface DescribeOptions {
  /** How the propensities of the log were estimated, to be reported with them. */
  estimatedPropensity?: EstimatedPropensity
}

/** What a description is computed from: counts by item and by user, and sums over the rows. */
export interface LogSums {
  readonly rows: number
  readonly impressions: number
  readonly clicks: number
  readonly reward: number
  readonly rewardRange: readonly [number, number]
  /** Impressions of each item that was shown. */
  readonly items: Float64Array
  /** Items that could have been shown but never were; null if nobody knows. */
  readonly neverShown: number | null
  /** Impressions and clicks of each user who was shown something. */
  readonly users: { readonly impressions: Float64Array; readonly clicks: Float64Array }
  readonly propensity: Omit<Description['propensity'], 'estimate'>
  /** Effective sample size for a uniform target; null without propensities. */
  readonly ess: number | null
  readonly time: Description['time']
}

/** Describes a log: size, clicks, how exposure is spread, propensities, and the effective sample size they leave for a uniform target. */
export function describeLog(log: Log, options: DescribeOptions = {}): Description {
  if (log.rows === 0)
    throw new HindcastError('bad-file', 'The log has no rows.', {
      remedy: 'Give a log with at least one impression.',
    })
  const items = tallyItems(log)
  const users = tallyUsers(log)
  const shown = items.impressions.filter((count) => count > 0)
  const active = users.impressions.map((count) => (count > 0 ? 1 : 0))
  return describeSums(
    {
      rows: log.rows,
      impressions: total(items.impressions),
      clicks: total(items.clicks),
      reward: total(items.reward),
      rewardRange: rangeOf(log.reward),
      items: shown,
      neverShown: log.catalogueKnown ? log.itemIds.length - shown.length : null,
      users: {
        impressions: users.impressions.filter((_, user) => active[user]),
        clicks: users.clicks.filter((_, user) => active[user]),
      },
      propensity: describePropensity(log),
      ess: uniformEss(log),
      time: log.time ? { first: rangeOf(log.time)[0], last: rangeOf(log.time)[1] } : null,
    },
    options,
  )
}

/** A description from sums, wherever they were computed. */
export function describeSums(
  { rows, impressions, clicks, items, users, neverShown, propensity, ess, ...sums }: LogSums,
  { estimatedPropensity }: DescribeOptions = {},
): Description {
  const reasons: Record<string, string> = {}
  if (neverShown === null) {
    const reason = 'the log lists only items that were shown; a catalogue would list the others'
    reasons['exposure.catalogue'] = reason
    reasons['exposure.neverShown'] = reason
  }
  const clickRateInterval = clickRateIntervalOf(users)
  if (!clickRateInterval) reasons['clickRateInterval'] = 'an interval needs at least two users'
  if (propensity.source === 'none')
    for (const path of [
      'propensity.min',
      'propensity.max',
      'propensity.floorShare',
      'uniformTarget.ess',
      'uniformTarget.essRatio',
    ])
      reasons[path] = 'the log has no propensities'
  if (!sums.time) reasons['time'] = 'the log has no timestamps'
  const catalogue = new Float64Array(items.length + (neverShown ?? 0))
  catalogue.set(items)
  return {
    schema: DESCRIPTION_SCHEMA,
    rows,
    impressions,
    users: users.impressions.length,
    items: items.length,
    clicks,
    clickRate: clicks / impressions,
    clickRateInterval,
    meanReward: sums.reward / impressions,
    rewardRange: sums.rewardRange,
    exposure: {
      gini: gini(catalogue)!,
      top10Share: topShare(items, 10),
      catalogue: neverShown === null ? null : catalogue.length,
      neverShown,
      shareByTenth: shareByTenth(catalogue),
      medianImpressions: median(items),
      maxImpressions: rangeOf(items)[1],
    },
    activity: {
      gini: gini(users.impressions)!,
      minImpressions: rangeOf(users.impressions)[0],
      medianImpressions: median(users.impressions),
      maxImpressions: rangeOf(users.impressions)[1],
    },
    propensity: { ...propensity, ...(estimatedPropensity && { estimate: estimatedPropensity }) },
    uniformTarget: { ess, essRatio: ess === null ? null : ess / rows },
    time: sums.time,
    reasons,
  }
}

function describePropensity(log: Log): LogSums['propensity'] {
  const { propensity, propensitySource: source } = log
  if (!propensity) return { source, min: null, max: null, floorShare: null }
  const [min, max] = rangeOf(propensity)
  let atFloor = 0
  for (const value of propensity) if (value === min) atFloor++
  return { source, min, max, floorShare: atFloor / log.rows }
}

/** The weights of a uniform target are 1/(K·b); K cancels, and using the smallest b in its place keeps the squares in range. */
function uniformEss({ propensity, weight, rows }: Log): number | null {
  if (!propensity) return null
  const [least] = rangeOf(propensity)
  const sum = new CompensatedSum()
  const squares = new CompensatedSum()
  for (let k = 0; k < rows; k++) {
    const w = (weight ? weight[k]! : 1) * (least / propensity[k]!)
    sum.add(w)
    squares.add(w * w)
  }
  // It never exceeds the number of rows, except by rounding.
  return Math.min(sum.value ** 2 / squares.value, rows)
}

/** Cluster-robust normal interval of Σclicks/Σimpressions, each user a cluster, within [0, 1]. */
function clickRateIntervalOf({ impressions, clicks }: LogSums['users']): [number, number] | null {
  const n = total(impressions)
  const rate = total(clicks) / n
  const groups = impressions.length
  if (groups < 2) return null
  const squares = new CompensatedSum()
  for (let g = 0; g < groups; g++) squares.add((clicks[g]! - rate * impressions[g]!) ** 2)
  const error = Math.sqrt((groups / (groups - 1)) * squares.value) / n
  return [Math.max(0, rate - NORMAL_975 * error), Math.min(1, rate + NORMAL_975 * error)]
}

function total(values: Float64Array): number {
  const sum = new CompensatedSum()
  for (let k = 0; k < values.length; k++) sum.add(values[k]!)
  return sum.value
}

function rangeOf(values: Float64Array): [number, number] {
  let least = Infinity
  let most = -Infinity
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most]
}

/** Impressions and rewards per item, or per user, of a log. */
export interface Tally {
  readonly ids: readonly string[]
  /** Impressions; the rows of a thinned log count by their weight. */
  readonly impressions: Float64Array
  /** Sum of rewards; the number of clicks when rewards are 0 or 1. */
  readonly reward: Float64Array
  /** Impressions with a reward above 0. */
  readonly clicks: Float64Array
}

export const tallyItems = (log: Log): Tally => tally(log, log.item, log.itemIds)
export const tallyUsers = (log: Log): Tally => tally(log, log.user, log.userIds)

function tally(log: Log, key: Uint32Array, ids: readonly string[]): Tally {
  const impressions = new Float64Array(ids.length)
  const reward = new Float64Array(ids.length)
  const clicks = new Float64Array(ids.length)
  for (let k = 0; k < log.rows; k++) {
    const weight = log.weight ? log.weight[k]! : 1
    const index = key[k]!
    impressions[index]! += weight
    reward[index]! += weight * log.reward[k]!
    if (log.reward[k]! > 0) clicks[index]! += weight
  }
  return { ids, impressions, reward, clicks }
}

/** Share of the total that the `count` largest amounts hold. */
export function topShare(amounts: Float64Array, count: number): number {
  const sorted = amounts.toSorted()
  let total = 0
  let top = 0
  for (let k = 0; k < sorted.length; k++) {
    total += sorted[k]!
    if (k >= sorted.length - count) top += sorted[k]!
  }
  return top / total
}

/** Shares of the total held by each tenth of the amounts, from the largest to the smallest. */
export function shareByTenth(amounts: Float64Array): number[] {
  const sorted = amounts.toSorted().reverse()
  const total = sorted.reduce((sum, amount) => sum + amount, 0)
  return Array.from({ length: 10 }, (_, tenth) => {
    const start = Math.round((tenth * sorted.length) / 10)
    const end = Math.round(((tenth + 1) * sorted.length) / 10)
    return sorted.subarray(start, end).reduce((sum, amount) => sum + amount, 0) / total
  })
}
