import { clickRatePerItem, exposurePerItem, interactionsPerUser } from '../../figures/index.js'
import { formatCount } from '../../number-text.js'
import type { Section } from '../../report/report.js'
import type { Counts } from '../../study/results.js'
import { capitalised } from '../../words/training-text.js'
import { named } from './named.js'
import type { PageInput } from './page-input.js'

/** The toy world, item by item. */
export function toyWorldSections({ results: { toy }, options }: PageInput): Section[] {
  if (!toy) return []
  return [
    {
      heading: 'The toy world',
      text: [
        `${formatCount(toy.world.users)} users, ${formatCount(toy.world.items)} items, ${formatCount(toy.world.exposures)} exposures a user; ` +
          `click rates drawn from Beta(${toy.world.beta.join(', ')}), exposure in proportion to exp(${toy.world.skew}(i − 1)/(I − 1)). The log of the first seed.`,
      ],
      charts: [
        named(clickRatePerItem(tallyOf(toy.items), options), 'toy-click-rate-per-item'),
        named(
          exposurePerItem(tallyOf(toy.items), { ...options, catalogueKnown: true }),
          'toy-exposure-per-item',
        ),
      ],
    },
  ]
}

/** The ratings, item by item and user by user. */
export function ratingsSections({ results: { description }, options }: PageInput): Section[] {
  if (!description) return []
  return [
    {
      heading: description.source.isReal ? description.source.name : 'Simulated ratings of MovieLens’ size',
      text: [
        `${description.source.note ? `**${capitalised(description.source.note)}.** ` : ''}A rated item counts as shown, a rating of 4 or more as a click.`,
      ],
      charts: [
        named(clickRatePerItem(tallyOf(description.items), options), 'ratings-click-rate-per-item'),
        named(
          exposurePerItem(tallyOf(description.items), { ...options, catalogueKnown: false }),
          'ratings-exposure-per-item',
        ),
        named(interactionsPerUser(tallyOf(description.users), options), 'ratings-interactions-per-user'),
      ],
    },
  ]
}

function tallyOf({ impressions, clicks }: Counts) {
  const reward = Float64Array.from(clicks)
  return {
    ids: impressions.map((_, k) => String(k + 1)),
    impressions: Float64Array.from(impressions),
    reward,
    clicks: reward,
  }
}
