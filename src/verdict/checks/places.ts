import { col } from '../../queries/query.js'
import { normalCdf } from '../../normal.js'
import { minus, most, number, over, times } from '../../sql/expression.js'
import { type Check, type Heard, MOST_TIED, ofThinned, type Suspicion, withoutClock } from '../check.js'
import { both, clicked, fromFirst, fromLast, is, ofUnit, row } from '../frame.js'

const { rows } = ofUnit('visit')
/** Visits with a first row, a last one and some between them. */
const isLong = is(rows, '>=', 3)
const isFirst = is(fromFirst, '=', 0)
const isLast = is(fromLast, '=', 0)
const isBetween = both(is(fromFirst, '>', 0), is(fromLast, '>', 0))
/** A row as its share of those between the first and the last of its visit. */
const share = over(number(1), most(1, minus(rows, 2)))

/** An end of visits earns so many times what rows between do, or the other way round, and is this many errors off. */
const LEAST_FACTOR = 1.3
const BEYOND = 4
const ENDS = ['first', 'last'] as const

function suspectEnds({ sums, repaired, rows: all }: Heard): Suspicion[] {
  const found = Object.fromEntries(Object.entries(sums['ends']!).map(([name, [sum]]) => [name, sum!]))
  const { tied, between, squares } = found
  // An end without any reward has lost its own.
  if (tied! > MOST_TIED * all || ENDS.some((end) => found[end] === 0)) return []
  const seen = ENDS.map((end) => {
    const factor = found[end]! / between!
    return { end, factor, errors: (found[end]! - between!) / Math.sqrt(found[end]! + squares!) }
  })
  const [worst] = seen.toSorted((a, b) => Math.abs(b.errors) - Math.abs(a.errors))
  const { end, factor, errors } = worst!
  if (!(Math.abs(errors) > BEYOND) || Math.max(factor, 1 / factor) < LEAST_FACTOR) return []
  const isMore = factor > 1
  return [
    {
      repaired: repaired(`${end}${isMore ? 'LeftOut' : 'Alone'}`),
      chance: 2 * normalCdf(-Math.abs(errors)),
      seen: `The ${end} rows of visits earn ${Number(factor.toPrecision(2))} times as much as those between. ${isMore ? `${end === 'first' ? 'First' : 'Last'} rows` : 'Rows between'} without a reward may be missing.`,
      how: isMore ? `without the ${end} rows of visits` : `by the ${end} rows of visits alone`,
      driver: `${end} rows of visits`,
      value: factor,
      harmless: {
        level: 'caution',
        text: 'Users who leave because of what they saw, or tire, look the same.',
      },
    },
  ]
}

export const placesCheck: Check = {
  code: 'ends-of-visits',
  question: 'rewards',
  finds:
    'first or last rows of visits that earn far more or less than those between: rows without a reward may be missing',
  helps: 'Export all impressions, those at the ends of visits too.',
  without: (log) =>
    withoutClock(log) ?? ofThinned(log) ?? (log.hasPages ? 'rows of pages are judged by page' : undefined),
  asks: () => ({
    sums: {
      ends: {
        by: [],
        sums: {
          first: both(isLong, isFirst, clicked),
          last: both(isLong, isLast, clicked),
          between: both(isLong, isBetween, clicked, share),
          squares: both(isLong, isBetween, clicked, times(share, share)),
          tied: is(row.t, '=', col('lastTime')),
        },
      },
    },
    repairs: {
      firstLeftOut: { weight: both(row.w, minus(1, isFirst)) },
      lastLeftOut: { weight: both(row.w, minus(1, isLast)) },
      firstAlone: { weight: both(row.w, isFirst) },
      lastAlone: { weight: both(row.w, isLast) },
    },
  }),
  judge: suspectEnds,
}
