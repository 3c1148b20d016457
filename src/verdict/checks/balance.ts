import type { FactorAnswer, FactorCell, FactorQuery, Label } from '../../queries/query.js'
import { number, over, plus, when } from '../../sql/expression.js'
import { col } from '../../queries/query.js'
import { formatShare } from '../../number-text.js'
import {
  type Check,
  type Heard,
  type Suspicion,
  withoutPropensities,
  withoutClock,
  withoutTimes,
} from '../check.js'
import { anywhere, hourBlock, is, type LogShape, partOf, row } from '../frame.js'

/** Parts of time in which items may come and go. */
const PARTS = partOf(32)
/** Parts of time in which shares are compared. */
const EIGHTHS = 8

/** The sum of 1/b over the rows that show an item is the number of rows in which it could have been shown. */
const shares = over(number(1), row.b)

const sharesBy = (by: Label, { hasTimes }: Pick<LogShape, 'hasTimes'>): FactorQuery => ({
  measure: shares,
  of: 'item',
  by,
  ...(hasTimes && { time: PARTS }),
})

/**
 * By item and group, 1/b summed over the rows that show the item against the rows of the group: 1 where propensities describe
 * the log. Repaired, weights are divided by what it is instead.
 */
function balance(asked: {
  readonly code: string
  readonly by: (log: LogShape) => Label
  readonly groupName: (group: number) => string
  readonly what: string
  readonly finds: string
  readonly without: Check['without']
}): Check {
  const { code, by, groupName, what, finds, without } = asked
  return {
    code,
    question: 'propensities',
    finds,
    helps: 'Log the probability with which the item was drawn, after all rules, at the time it was drawn.',
    without: (log) => withoutPropensities(log) ?? without(log),
    asks: (log) => ({ factors: { shares: sharesBy(by(log), log) } }),
    judge: (heard, { hasPages }) => itemSuspicion(heard, hasPages, what, groupName),
  }
}

/** Items that are not there for every row are shown less often than 1/b says: with no cell above 1, that explains what lies below. */
const areCandidates = ({ above, below, level }: FactorAnswer): boolean =>
  above === 0 && below > 0 && level < 0.97

function itemSuspicion(
  { factors: { shares: found }, repaired, meanWeightZ }: Heard,
  hasPages: boolean,
  what: string,
  groupName: (group: number) => string,
): Suspicion[] {
  const answer = found!
  const [first] = answer.largest
  if (!first) return []
  // Below others on a page, an item is not shown again.
  if (hasPages && areCandidates(answer)) return []
  return [
    {
      repaired: repaired('shares'),
      seen: `The propensities do not match how often ${what}${describe(first, groupName)}.`,
      how: 'with shares as shown',
      driver: driverOf(first, groupName),
      value: first.ratio,
      ...(areCandidates(answer) && {
        harmless: {
          // Weights that average 1 agree with the policy's own candidates.
          level: Math.abs(meanWeightZ) < 3 ? 'note' : 'caution',
          text: 'Items that cannot be shown in every row look the same, and are no fault.',
        },
      }),
    },
  ]
}

const driverOf = ({ item, group }: FactorCell, groupName: (group: number) => string): string =>
  [...(item === null ? [] : [`item ${item}`]), groupName(group)].filter((part) => part !== '').join(', ')

const describe = (cell: FactorCell, groupName: (group: number) => string): string =>
  `: ${driverOf(cell, groupName)} by a factor of ${Number(cell.ratio.toPrecision(2))}, which moves the answer most`

/** With so much unseen no interval says what an answer may be. */
const MOST_UNSEEN = 0.2
/** Sums of 1/b are those of propensities that describe the log within this. */
const DESCRIBED = 0.1
/** With fewer users behind the weights, how far their mean may be from 1 by chance is not known well. */
const FEWEST_EFFECTIVE = 100

export const balanceChecks: readonly Check[] = [
  {
    code: 'unseen-mass',
    question: 'overlap',
    finds: 'weights that average less than 1 although items were shown as often as their propensities say',
    helps: 'Evaluate a policy that shows what the log shows, or log what it lacks.',
    without: (log) => withoutPropensities(log) ?? (log.hasPages ? 'pages are weighed whole' : undefined),
    asks: (log) => ({ factors: { shares: sharesBy(anywhere, log) } }),
    judge: ({ factors: { shares: found }, meanWeight, meanWeightZ, effectiveUsers }) => {
      // Less four of its errors.
      const unseen = meanWeightZ < 0 ? (1 - meanWeight) * (1 + 4 / meanWeightZ) : 0
      const isDescribed = Math.abs(found!.level - 1) <= DESCRIBED
      if (!isDescribed || !(unseen > MOST_UNSEEN) || effectiveUsers < FEWEST_EFFECTIVE) return []
      return [
        {
          repaired: null,
          chance: 0,
          seen: `Items were shown as often as their propensities say, and yet the weights average ${Number(meanWeight.toPrecision(2))}: about ${formatShare(1 - meanWeight)} of what the policy shows is not in the log, and its reward is unknown.`,
          value: 1 - meanWeight,
        },
      ]
    },
  },
  balance({
    code: 'item-shares',
    by: () => anywhere,
    groupName: () => '',
    what: 'items were shown',
    finds: 'items shown more or less often than their propensities say',
    without: () => undefined,
  }),
  balance({
    code: 'item-shares-over-time',
    by: () => partOf(EIGHTHS),
    groupName: (group) => `${ordinal(group + 1)} eighth of the time`,
    what: 'items were shown over time',
    finds: 'the same, changing over the log',
    without: withoutTimes,
  }),
  balance({
    code: 'item-shares-by-hour',
    by: () => hourBlock,
    groupName: (group) => `hours ${4 * group}–${4 * group + 3}`,
    what: 'items were shown by hour',
    finds: 'the same, by hour of the day',
    without: withoutClock,
  }),
  balance({
    code: 'item-shares-by-position',
    by: () => ({ of: row.k, size: 16 }),
    groupName: (group) => `position ${group}`,
    what: 'items were shown by position',
    finds: 'the same, by position on a page',
    without: ({ hasPositions }) => (hasPositions ? undefined : 'the log has no positions'),
  }),
  balance({
    code: 'item-shares-after-rewards',
    by: () => ({ of: when(col('lastReward'), '<', 0, 0, plus(1, is(col('lastReward'), '>', 0))), size: 3 }),
    groupName: (group) =>
      ['first rows of users', 'after rows without a reward', 'after rows with a reward'][group]!,
    what: 'items were shown, by the reward of the row before',
    finds: 'the same, by what the user did just before',
    without: withoutTimes,
  }),
  {
    code: 'weights-over-time',
    question: 'propensities',
    finds: 'weights that average 1 over the log, but not in each part of it',
    helps: 'See whether the logging policy changed, and whether its propensities changed with it.',
    without: (log) => withoutPropensities(log) ?? withoutTimes(log),
    asks: () => ({ factors: { weights: { measure: row.w, of: 'all', by: partOf(2 * EIGHTHS) } } }),
    judge: ({ factors, repaired }) => {
      const [first] = factors['weights']!.largest
      if (!first) return []
      return [
        {
          repaired: repaired('weights'),
          seen: `Weights average ${Number(first.ratio.toPrecision(3))} instead of 1 in the ${ordinal(first.group + 1)} sixteenth of the time, ${formatShare(Math.abs(first.ratio - 1))} off.`,
          how: 'with weights that average 1 in each part of the time',
          driver: `${ordinal(first.group + 1)} sixteenth of the time`,
          value: first.ratio,
        },
      ]
    },
  },
]

function ordinal(place: number): string {
  const ends = ['th', 'st', 'nd', 'rd']
  const end = place % 100 >= 11 && place % 100 <= 13 ? 'th' : (ends[place % 10] ?? 'th')
  return `${place}${end}`
}
