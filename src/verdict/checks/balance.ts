import type { FactorAnswer, FactorCell, FactorQuery, Label, RowNumber } from '../../queries/query.js'
import { minus, most, number, over, plus, times, when } from '../../sql/expression.js'
import { col } from '../../queries/query.js'
import { formatCount, formatShare } from '../../number-text.js'
import { type Check, type Heard, type Suspicion, withoutPropensities, withoutTimes } from '../check.js'
import { anywhere, both, clicked, hourBlock, is, type LogShape, partOf, row } from '../frame.js'

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

/** Groups of rows by which shares of items are compared. */
interface Grouping {
  readonly name: string
  readonly by: Label
  readonly groupName: (group: number) => string
  /** How often what was done, in the sentence that says what was seen. */
  readonly what: string
  readonly isKnown: (log: LogShape) => boolean
}

const GROUPINGS: readonly Grouping[] = [
  {
    name: 'shares',
    by: anywhere,
    groupName: () => '',
    what: 'items were shown',
    isKnown: () => true,
  },
  {
    name: 'overTime',
    by: partOf(EIGHTHS),
    groupName: (group) => `${ordinal(group + 1)} eighth of the time`,
    what: 'items were shown over time',
    isKnown: ({ hasTimes }) => hasTimes,
  },
  {
    name: 'byHour',
    by: hourBlock,
    groupName: (group) => `hours ${4 * group}–${4 * group + 3}`,
    what: 'items were shown by hour',
    isKnown: ({ hasClock }) => hasClock,
  },
  {
    name: 'byPosition',
    by: { of: row.k, size: 16 },
    groupName: (group) => `position ${group}`,
    what: 'items were shown by position',
    isKnown: ({ hasPositions }) => hasPositions,
  },
  {
    name: 'afterRewards',
    by: { of: when(col('lastReward'), '<', 0, 0, plus(1, is(col('lastReward'), '>', 0))), size: 3 },
    groupName: (group) =>
      ['first rows of users', 'after rows without a reward', 'after rows with a reward'][group]!,
    what: 'items were shown, by the reward of the row before',
    isKnown: ({ hasTimes }) => hasTimes,
  },
]

/**
 * By item and group, 1/b summed over the rows that show the item against the rows of the group: 1 where propensities describe
 * the log. Repaired, weights are divided by what it is instead.
 */
const itemShares: Check = {
  code: 'item-shares',
  question: 'propensities',
  finds:
    'items shown more or less often than their propensities say: over all, over time, by hour of the day, by position or by what the user did just before',
  helps: 'Log the probability with which the item was drawn, after all rules, at the time it was drawn.',
  without: withoutPropensities,
  asks: (log) => ({
    factors: Object.fromEntries(
      GROUPINGS.filter(({ isKnown }) => isKnown(log)).map(({ name, by }) => [name, sharesBy(by, log)]),
    ),
  }),
  judge: (heard, log) =>
    GROUPINGS.filter(({ isKnown }) => isKnown(log)).flatMap((grouping) =>
      itemSuspicion(heard, log.hasPages, grouping),
    ),
}

/** Items that are not there for every row are shown less often than 1/b says: with no cell above 1, that explains what lies below. */
const areCandidates = ({ above, below, level }: FactorAnswer): boolean =>
  above === 0 && below > 0 && level < 0.97

function itemSuspicion(
  { factors, repaired, meanWeightZ }: Heard,
  hasPages: boolean,
  { name, what, groupName }: Grouping,
): Suspicion[] {
  const answer = factors[name]!
  const [first] = answer.largest
  if (!first) return []
  // Below others on a page, an item is not shown again.
  if (hasPages && areCandidates(answer)) return []
  return [
    {
      repaired: repaired(name),
      seen: `The propensities do not match how often ${what}${describe(first, groupName)}.`,
      how: `with shares as ${what.replace(/^items were /, '')}`,
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

/** A row that shows the user an item again that earned nothing the time before. */
const isAgain = both(is(col('shownAs'), '>', 0), is(col('shownFor'), '<=', 0))
const naturalLog = (of: RowNumber): RowNumber => ({ kind: 'function', name: 'log', of })
const logOdds = (b: RowNumber): RowNumber => naturalLog(over(b, most(1e-9, minus(1, b))))
/** One of those that has a reward, and another propensity than then. */
const isRaised = both(isAgain, clicked, is(row.b, '!=', col('shownAs')))
/** By what the odds of a propensity are divided where the row has a reward. */
const raised: RowNumber = {
  kind: 'function',
  name: 'exp',
  of: over(col('raisedOdds'), most(1, col('raisedRows'))),
}
/** Fewer propensities than these that should be what they were say nothing. */
const FEWEST_ALIKE = 20
/** Propensities of rows with a reward are others so many times as often as those without, or nearly never the same. */
const MORE_OFTEN = 3
const RULE = 0.05

/** Propensities that were written once the reward was known: those of rows with a reward are never what they were before. */
const afterReward: Check = {
  code: 'propensities-know-rewards',
  question: 'propensities',
  finds: 'propensities that changed because of the reward of their own row',
  helps: 'Log the probability at the time of the draw, not one that is computed later.',
  without: (log) => withoutPropensities(log) ?? withoutTimes(log),
  asks: () => ({
    windows: [
      { name: 'shownAs', take: 'before', of: row.b, over: 'pair', otherwise: 0 },
      { name: 'shownFor', take: 'before', of: row.r, over: 'pair', otherwise: 0 },
      {
        name: 'raisedOdds',
        take: 'total',
        of: when(isRaised, '=', 1, minus(logOdds(row.b), logOdds(col('shownAs'))), 0),
        over: 'log',
      },
      { name: 'raisedRows', take: 'total', of: isRaised, over: 'log' },
    ],
    sums: {
      again: {
        by: [{ of: clicked, size: 2 }],
        sums: { rows: isAgain, alike: both(isAgain, is(row.b, '=', col('shownAs'))) },
      },
    },
    // b was b′: odds of b are those of b′ times the mean factor.
    repairs: {
      before: {
        weight: times(
          row.w,
          when(row.r, '>', 0, over(plus(minus(1, row.b), over(row.b, raised)), over(1, raised)), 1),
        ),
      },
    },
  }),
  judge: ({ sums, repaired }) => {
    const { rows, alike } = sums['again']!
    const shareOf = (place: 0 | 1): number => alike![place]! / rows![place]!
    const [unclicked, ofClicks] = [shareOf(0), shareOf(1)]
    const [expected, seen] = [rows![1]! * unclicked, alike![1]!]
    const isRule = seen <= RULE * expected || 1 - ofClicks >= MORE_OFTEN * (1 - unclicked)
    if (!(expected >= FEWEST_ALIKE) || !isRule || expected - seen < 6 * Math.sqrt(expected)) return []
    return [
      {
        repaired: repaired('before'),
        chance: 1e-6,
        seen: `Where an item is shown to a user again and earns nothing, its propensity is what it was in ${formatShare(unclicked)} of ${formatCount(rows![0]!)} rows; where it earns something, in ${formatShare(ofClicks)} of ${formatCount(rows![1]!)}. Propensities seem to be computed after rewards.`,
        how: 'with the odds that rows without a reward have',
        driver: 'rows with a reward',
        value: seen / expected,
      },
    ]
  },
}

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
  itemShares,
  afterReward,
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
