import { formatCount } from 'hindcast'
import { clickRatePerItem, exposurePerItem, interactionsPerUser } from 'hindcast/figures'
import type { Section } from 'hindcast/report'
import { capitalised } from './capitalised.js'
import type { Counts } from '../results.js'
import { answering } from './answering.js'
import { named } from './named.js'
import type { PageInput } from './page-input.js'

const CLAIMS = ['rare-items', 'long-tails']

/** The toy world, item by item; open where no ratings answer its claims. */
export function toyWorldSections({ results: { toy, description, claims }, options }: PageInput): Section[] {
  if (!toy) return []
  const { text, fold } = answering(claims, description ? [] : CLAIMS)
  return [
    {
      heading: 'The toy world',
      fold,
      text: [
        ...text,
        `${formatCount(toy.world.users)} users, ${formatCount(toy.world.items)} items, ${formatCount(toy.world.exposures)} exposures per user; ` +
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
export function ratingsSections({ results: { description, claims }, options }: PageInput): Section[] {
  if (!description) return []
  const { text, fold } = answering(claims, CLAIMS)
  return [
    {
      heading: description.source.isReal ? description.source.name : 'Simulated ratings of MovieLens’ size',
      fold,
      text: [
        ...text,
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
