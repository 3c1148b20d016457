import { col, remainder } from '../../queries/query.js'
import { formatCount } from '../../number-text.js'
import { minus, number, over, times } from '../../sql/expression.js'
import { type Check, ofThinned, withoutClock } from '../check.js'
import { both, clicked, gap, is, row } from '../frame.js'

const copies = col('copies')
const isCopied = is(copies, '>=', 2)
/** The weight of one row for all its copies. */
const once = over(row.w, copies)

/** What is hardly ever so by chance. */
const NEVER = 1e-6
/** Fewer rows than this may be alike by chance. */
const FEWEST = 10

/** A row of a user within an hour of the one before; those of one moment are copies. */
const isSoon = both(is(gap, '>', 0), is(gap, '<=', 3600))
/** One of those that shows the same item. */
const isAgain = both(isSoon, is(row.i, '=', col('lastItem')))
/** Sent again: the same item with the same reward. */
const isSentAgain = both(isAgain, is(row.r, '=', col('lastReward')))

export const copyChecks: readonly Check[] = [
  {
    code: 'copied-rows',
    question: 'rewards',
    finds: 'rows that are in the log several times',
    helps: 'Leave copies out, such as by the id of the impression.',
    without: ofThinned,
    asks: ({ hasTimes, hasPropensities }) => ({
      sums: {
        copies: {
          by: [],
          sums: {
            extra: both(isCopied, minus(number(1), over(number(1), copies))),
            // A log that was appended to itself has no row without an equal one.
            odd: is(remainder(copies, 2), '=', 1),
            // Rows of a user at the same moment show the same item as often as its propensity says.
            ...(hasTimes &&
              hasPropensities && {
                chance: both(
                  is(col('momentRows'), '>=', 2),
                  times(minus(col('momentRows'), 1), over(row.b, 2)),
                ),
              }),
          },
        },
      },
      // Without times only a log that was doubled is found, in which a user may see an item again.
      repairs: { once: { weight: hasTimes ? once : over(row.w, 2) } },
    }),
    judge: ({ sums, repaired, rows }, { hasTimes }) => {
      const { extra, odd, chance } = sums['copies']!
      const [seen, unpaired, byChance] = [extra![0]!, odd![0]!, chance ? chance[0]! : Infinity]
      const isDoubled = seen >= rows / 3 && unpaired < 0.01 * rows && seen > FEWEST
      const isBeyondChance = seen > FEWEST + 3 * byChance + 5 * Math.sqrt(byChance)
      if (!isDoubled && !isBeyondChance) return []
      const copied = hasTimes ? seen : rows / 2
      return [
        {
          repaired: repaired('once'),
          chance: NEVER,
          seen: `${formatCount(Math.round(copied))} rows are copies of others${hasTimes ? '' : ': the log seems to have been appended to itself'}.`,
          how: 'without copies',
          value: copied,
        },
      ]
    },
  },
  {
    code: 'rows-sent-again',
    question: 'rewards',
    finds:
      'rows that repeat the one before with its reward, more often than propensities allow: clicks or requests that were sent twice',
    helps: 'Leave out rows that repeat an event, by its id.',
    // What the logging policy earned needs no propensities, but must lose the same rows as what is compared with it.
    without: (log) =>
      (log.hasPropensities ? undefined : 'the log has no propensities') ??
      withoutClock(log) ??
      ofThinned(log),
    asks: () => ({
      sums: {
        again: {
          by: [{ of: is(col('lastReward'), '>', 0), size: 2 }],
          sums: {
            rows: isSoon,
            same: isAgain,
            inverse: both(isAgain, over(number(1), row.b)),
            squared: both(isAgain, over(number(1), times(row.b, row.b))),
            alike: both(isSentAgain, number(1)),
            clicked: both(isAgain, clicked),
          },
        },
      },
      repairs: {
        unsent: { weight: both(row.w, minus(number(1), both(isSentAgain, is(col('lastReward'), '>', 0)))) },
        unsentAtAll: { weight: both(row.w, minus(number(1), isSentAgain)) },
      },
    }),
    judge: ({ sums, repaired }) => {
      const { rows, same, inverse, squared, alike } = sums['again']!
      /** Whether rows after one with a reward (1) or without (0) repeat it more often than propensities say, and nearly always alike. */
      const isExcess = (after: 0 | 1): boolean => {
        const error = Math.sqrt(squared![after]!)
        return (
          alike![after]! >= FEWEST &&
          inverse![after]! - rows![after]! > 5 * error &&
          inverse![after]! > 1.5 * rows![after]! &&
          alike![after]! >= 0.8 * same![after]!
        )
      }
      const [unclicked, ofClicks] = [isExcess(0), isExcess(1)]
      if (!ofClicks) return []
      const seen = unclicked ? alike![0]! + alike![1]! : alike![1]!
      return [
        {
          repaired: repaired(unclicked ? 'unsentAtAll' : 'unsent'),
          chance: NEVER,
          seen: `${formatCount(Math.round(seen))} rows show the item of the row before again, with the same reward, ${(inverse![1]! / rows![1]!).toFixed(1)} times as often as propensities say.`,
          how: 'without rows sent again',
          value: inverse![1]! / rows![1]!,
        },
      ]
    },
  },
]
