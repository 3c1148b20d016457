import { type Log, tallyItems, tallyUsers } from 'hindcast'
import type { RatingsDescription, RatingsSource } from '../results.js'
import { clickRateSpread, countsOf, spreadOf } from './spread.js'

/** Ratings as the log they are taken for: shown is rated, clicked is rated 4 or more. */
export function describeRatings(ratings: Log, source: RatingsSource): RatingsDescription {
  const items = tallyItems(ratings)
  const users = tallyUsers(ratings)
  const counts = countsOf(items)
  const rates = counts.clicks
    .map((clicks, item) => clicks / counts.impressions[item]!)
    .filter((rate) => Number.isFinite(rate))
  const shareOf = (is: (rate: number) => boolean): number => rates.filter(is).length / rates.length
  return {
    source,
    clickRate: counts.clicks.reduce((sum, clicks) => sum + clicks, 0) / ratings.rows,
    items: counts,
    users: countsOf(users),
    spread: spreadOf(items, users),
    clickRates: clickRateSpread(counts),
    lowClickRates: shareOf((rate) => rate < 0.1),
    highClickRates: shareOf((rate) => rate > 0.9),
  }
}
