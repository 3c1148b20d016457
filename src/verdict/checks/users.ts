import { col } from '../../queries/query.js'
import type { GuestsBy } from '../../log/guest.js'
import { formatCount, formatShare } from '../../number-text.js'
import { least, minus, most, number, over, times } from '../../sql/expression.js'
import { type Check, ofThinned } from '../check.js'
import { both, is, ofUnit, row } from '../frame.js'
import { poissonTail } from '../chance.js'

const { rows, clicks } = ofUnit('user')
const each = over(number(1), rows)
/** Users are told apart by how many rows they have, up to so many. */
const MOST = 64
/** From so many rows on, a user whose every row was clicked, or none, may be something else than a person. */
const ACTIVE = 8
/** A user with so large a share of the rows is named. */
const DOMINATES = 0.1
/** A user's rows vary together in the interval, which is as wide as that takes. */
const ALLOWED = 'The interval allows for a user like that.'
/** How the rows of an id that is no person are clustered, and what that takes for granted. */
const GUESTS: Readonly<Record<GuestsBy, { readonly counted: string; readonly granted: string }>> = {
  hour: {
    counted: 'by hour, not as one user',
    granted: 'A guest who comes back in another hour counts as another.',
  },
  row: { counted: 'one by one, not as one user', granted: 'A guest who comes back counts as another.' },
  user: { counted: 'as one user, since nothing tells guests apart', granted: ALLOWED },
}
/** Robots with fewer rows than this share change no answer. */
const LEAST_SHARE = 0.005

const isActive = is(rows, '>=', ACTIVE)
const allClicked = both(isActive, is(clicks, '=', rows))

/** Mean and second moment of users' rates, from those whose rates vary as people's do. */
interface Rates {
  readonly mean: number
  readonly second: number
}

/** How probable it is under a Beta distribution with these moments that all of so many rows are clicked. */
function chanceOfAll({ mean, second }: Rates, rowsOfUser: number): number {
  const variance = Math.max(second - mean * mean, 1e-4 * mean * (1 - mean))
  const size = (mean * (1 - mean)) / variance - 1
  const alpha = Math.max(1e-3, mean * size)
  let chance = 1
  for (let k = 0; k < rowsOfUser; k++) chance *= (alpha + k) / (Math.max(alpha, size) + k)
  return Math.min(1, chance)
}

const total = (column: Float64Array, from: number): number =>
  column.slice(from).reduce((sum, own) => sum + own, 0)

export const userChecks: readonly Check[] = [
  {
    code: 'users-click-everything',
    question: 'rewards',
    finds: 'active users who clicked in every row: programs, not people',
    helps: 'Leave them out.',
    without: ofThinned,
    asks: () => ({
      sums: {
        users: {
          by: [{ of: least(number(MOST), rows), size: MOST + 1 }],
          sums: {
            users: each,
            tireless: both(each, is(clicks, '=', rows)),
            tirelessRows: is(clicks, '=', rows),
            clicks: over(clicks, times(rows, rows)),
            // Pairs of clicks among pairs of rows: the second moment of rates, without the chance of rows.
            pairs: both(
              each,
              is(rows, '>=', 2),
              over(times(clicks, minus(clicks, 1)), times(rows, most(1, minus(rows, 1)))),
            ),
          },
        },
      },
      repairs: { people: { weight: both(row.w, minus(number(1), allClicked)) } },
    }),
    judge: ({ sums, repaired, rows: all }) => {
      const { users, tireless, tirelessRows, clicks: ofUser, pairs } = sums['users']!
      let [n, mean, second] = [0, 0, 0]
      // Those of most rows but not tireless tell what people are like.
      for (let size = 2; size <= MOST; size++) {
        const people = users![size]! - (size >= ACTIVE ? tireless![size]! : 0)
        const off = size >= ACTIVE ? tireless![size]! : 0
        n += people
        mean += ofUser![size]! - off
        second += pairs![size]! - off
      }
      // Where most users are like that, so are people.
      const isCommon = total(tireless!, ACTIVE) > total(users!, ACTIVE) / 5
      if (n < 30 || isCommon) return []
      const rates = { mean: mean / n, second: second / n }
      let [expected, seen, rowsSeen] = [0, 0, 0]
      for (let size = ACTIVE; size <= MOST; size++) {
        expected += users![size]! * chanceOfAll(rates, size)
        seen += tireless![size]!
        rowsSeen += tirelessRows![size]!
      }
      const chance = poissonTail(Math.round(seen), 2 * expected + 1e-3)
      if (seen < 3 || rowsSeen < LEAST_SHARE * all || chance > 1e-6) return []
      return [
        {
          repaired: repaired('people'),
          chance,
          seen: `${formatCount(Math.round(seen))} users with ${ACTIVE} rows or more were rewarded in every row; ${expected < 1 ? 'hardly any' : `about ${formatCount(Math.round(expected))}`} would be by chance. They have ${formatShare(rowsSeen / all)} of the rows.`,
          how: 'without them',
          value: seen,
        },
      ]
    },
  },
  {
    code: 'one-user-dominates',
    question: 'rewards',
    finds:
      'an id that is no person (guest, anonymous, null, 0) with many of the rows, or a user with a tenth of them: a shared account, a program',
    helps: 'See whose rows they are. Give guests an id of their own visit, or leave a program out.',
    without: ofThinned,
    asks: () => ({
      windows: [{ name: 'mostRows', take: 'most', of: rows, over: 'log' }],
      sums: {
        heaviest: {
          by: [],
          sums: { rows: is(rows, '=', col('mostRows')), users: both(each, is(rows, '=', col('mostRows'))) },
        },
      },
      repairs: { others: { weight: both(row.w, is(rows, '!=', col('mostRows'))) } },
    }),
    judge: ({ sums, repaired, rows: all }, { guest }) => {
      const { rows: seen, users } = sums['heaviest']!
      const share = seen![0]! / all
      // Where several have as many rows, none stands out. A guest has the most.
      if ((share < DOMINATES && !guest) || Math.round(users![0]!) > 1) return []
      return [
        {
          repaired: repaired('others'),
          chance: 0,
          seen: guest
            ? `The id “${guest.id}” is no person and has ${formatShare(share)} of the rows, which count ${GUESTS[guest.by].counted}.`
            : `The user with the most rows has ${formatShare(share)} of them.`,
          how: 'without it',
          value: share,
          harmless: { level: 'note', text: guest ? GUESTS[guest.by].granted : ALLOWED },
        },
      ]
    },
  },
]
