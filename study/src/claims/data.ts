import { above, claimOf, effectOf, effectOver, ratioOver } from './effect.js'
import type { Claim } from '../results.js'
import type { Measured } from './measured.js'

/** The claim that rarely shown items have unstable click rates. */
export function rareItems({ toy, description }: Measured): Claim {
  const unit = 'times the spread of the most shown'
  return claimOf(
    {
      id: 'rare-items',
      claim: 'Rarely shown items have unstable click rates.',
      test: 'Standard deviation of the click rates of the least shown fifth of items over that of the most shown fifth; above 1.',
    },
    [
      ...(toy ? [ratioOver('toy world', toy.clickRateRatio, unit, above(1))] : []),
      ...(description
        ? [
            effectOf(
              description.source.name,
              {
                value: description.clickRates.ratio,
                interval: description.clickRates.ratioInterval,
                seeds: 1,
              },
              unit,
              above(1),
            ),
          ]
        : []),
    ],
    {
      holds: 'Click rates of rarely shown items vary more.',
      'does not hold': 'They do not vary more.',
      depends: 'It depends on the data.',
      undecided: 'There are too few seeds to tell.',
    },
  )
}

/** A tenth that holds twice its share. */
const DISPROPORTIONATE = 0.2

/** The claim that exposure and activity are long-tailed. */
export function longTails({ toy, description }: Measured): Claim {
  const expected = above(DISPROPORTIONATE)
  const unit = 'of all impressions'
  return claimOf(
    {
      id: 'long-tails',
      claim: 'Exposure of items and activity of users are long-tailed.',
      test: 'Share of all impressions of the most shown tenth of items, and of the most active tenth of users; above 0.2, twice their share.',
    },
    [
      ...(description
        ? [
            effectOf(
              `most shown items, ${description.source.name}`,
              {
                value: description.spread.topTenthShare,
                interval: description.spread.topTenthShareInterval,
                seeds: 1,
              },
              unit,
              expected,
            ),
            effectOf(
              `most active users, ${description.source.name}`,
              {
                value: description.spread.topTenthActivity,
                interval: description.spread.topTenthActivityInterval,
                seeds: 1,
              },
              unit,
              expected,
            ),
          ]
        : []),
      ...(toy ? [effectOver('most shown items, toy world', toy.topTenthShare, unit, expected)] : []),
    ],
    {
      holds:
        'A few items and users take most of it. In the toy world all users are equally active, by design.',
      'does not hold': 'They are not long-tailed.',
      depends: 'It depends on the data.',
      undecided: 'There are too few seeds to tell.',
    },
  )
}
