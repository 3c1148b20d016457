import { HindcastError } from '../error.js'
import { gini } from '../gini.js'
import type { Log } from '../log/log.js'
import type { EstimatedPropensity } from '../propensity/estimated-propensity.js'
import { median } from '../quantile.js'
import { CompensatedSum } from '../sum.js'
import { shareByTenth, topShare } from './concentration.js'
import { DESCRIPTION_SCHEMA, type Description } from './description.js'
import { type Tally, tallyItems, tallyUsers } from './tally.js'

const NORMAL_975 = 1.959963984540054

export interface DescribeOptions {
  /** How the propensities of the log were estimated, to be reported with them. */
  estimatedPropensity?: EstimatedPropensity
}

/** Describes a log: size, clicks, how exposure is spread, propensities, and the effective sample size they leave for a uniform target. */
export function describeLog(log: Log, { estimatedPropensity }: DescribeOptions = {}): Description {
  if (log.rows === 0)
    throw new HindcastError('bad-file', 'The log has no rows.', {
      remedy: 'Give a log with at least one impression.',
    })
  const items = tallyItems(log)
  const users = tallyUsers(log)
  const shownItems = items.impressions.filter((count) => count > 0)
  const activeUsers = users.impressions.filter((count) => count > 0)
  const impressions = total(items.impressions)
  const clicks = total(items.clicks)
  const reasons: Record<string, string> = {}
  if (!log.catalogueKnown) {
    const reason = 'the log lists only items that were shown; a catalogue would list the others'
    reasons['exposure.catalogue'] = reason
    reasons['exposure.neverShown'] = reason
  }
  const clickRateInterval = clickRateIntervalOf(users)
  if (!clickRateInterval) reasons['clickRateInterval'] = 'an interval needs at least two users'
  if (!log.propensity)
    for (const path of [
      'propensity.min',
      'propensity.max',
      'propensity.floorShare',
      'uniformTarget.ess',
      'uniformTarget.essRatio',
    ])
      reasons[path] = 'the log has no propensities'
  if (!log.time) reasons['time'] = 'the log has no timestamps'
  return {
    schema: DESCRIPTION_SCHEMA,
    rows: log.rows,
    impressions,
    users: activeUsers.length,
    items: shownItems.length,
    clicks,
    clickRate: clicks / impressions,
    clickRateInterval,
    meanReward: total(items.reward) / impressions,
    rewardRange: rangeOf(log.reward),
    exposure: {
      gini: gini(log.catalogueKnown ? items.impressions : shownItems)!,
      top10Share: topShare(shownItems, 10),
      catalogue: log.catalogueKnown ? log.itemIds.length : null,
      neverShown: log.catalogueKnown ? log.itemIds.length - shownItems.length : null,
      shareByTenth: shareByTenth(log.catalogueKnown ? items.impressions : shownItems),
      medianImpressions: median(shownItems),
      maxImpressions: rangeOf(shownItems)[1],
    },
    activity: {
      gini: gini(activeUsers)!,
      minImpressions: rangeOf(activeUsers)[0],
      medianImpressions: median(activeUsers),
      maxImpressions: rangeOf(activeUsers)[1],
    },
    propensity: {
      ...describePropensity(log),
      ...(estimatedPropensity && { estimate: estimatedPropensity }),
    },
    uniformTarget: uniformTarget(log),
    time: log.time ? { first: rangeOf(log.time)[0], last: rangeOf(log.time)[1] } : null,
    reasons,
  }
}

function describePropensity(log: Log): Description['propensity'] {
  const { propensity, propensitySource: source } = log
  if (!propensity) return { source, min: null, max: null, floorShare: null }
  const [min, max] = rangeOf(propensity)
  let atFloor = 0
  for (const value of propensity) if (value === min) atFloor++
  return { source, min, max, floorShare: atFloor / log.rows }
}

/** The weights of a uniform target are 1/(K·b); K cancels, and using the smallest b in its place keeps the squares in range. */
function uniformTarget({ propensity, weight, rows }: Log): Description['uniformTarget'] {
  if (!propensity) return { ess: null, essRatio: null }
  const [least] = rangeOf(propensity)
  const sum = new CompensatedSum()
  const squares = new CompensatedSum()
  for (let k = 0; k < rows; k++) {
    const w = (weight ? weight[k]! : 1) * (least / propensity[k]!)
    sum.add(w)
    squares.add(w * w)
  }
  // It never exceeds the number of rows, except by rounding.
  const ess = Math.min(sum.value ** 2 / squares.value, rows)
  return { ess, essRatio: ess / rows }
}

/** Cluster-robust normal interval of Σclicks/Σimpressions, each user a cluster, within [0, 1]. */
function clickRateIntervalOf({ impressions, clicks }: Tally): [number, number] | null {
  const n = total(impressions)
  const rate = total(clicks) / n
  let groups = 0
  const squares = new CompensatedSum()
  for (let g = 0; g < impressions.length; g++) {
    if (impressions[g] === 0) continue
    groups++
    squares.add((clicks[g]! - rate * impressions[g]!) ** 2)
  }
  if (groups < 2) return null
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
