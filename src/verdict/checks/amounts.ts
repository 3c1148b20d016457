import { col, floor, type RowNumber } from '../../queries/query.js'
import { formatCount } from '../../number-text.js'
import { exp } from '../../portable-math.js'
import { minus, most, number, over, times, when } from '../../sql/expression.js'
import { type Check, type Heard, ofThinned, type Suspicion } from '../check.js'
import { both, clicked, ofUnit, row } from '../frame.js'

/** Logarithms of amounts are told apart by bins of this width, from the lowest on. */
const WIDTH = 0.25
const BINS = 240
const LOWEST = -30

const { rows, clicks } = ofUnit('user')
const size: RowNumber = when(row.r, '>', 0, { kind: 'function', name: 'log', of: most(row.r, 1e-300) }, 0)
/** The size of a reward beside those of its item. */
const own = both(clicked, minus(size, over(col('itemSizes'), most(1, col('itemClicks')))))
/** Users by the mean size of their rewards; those without a reward are in no bin. */
const bin: RowNumber = when(
  clicks,
  '>',
  0,
  floor(over(minus(over(col('userSizes'), most(1, clicks)), LOWEST - 1e-7), WIDTH)),
  -1,
)

/** Fewer users than these are no group. */
const FEWEST = 8
/** Bins between two groups, and the share of the smaller one that may lie in them. */
const APART = 4
const BETWEEN = 0.05
/** Amounts of two groups differ by this factor at least. */
const LEAST_FACTOR = 8

/** Users of two groups with hardly any between: how many the smaller one has, and by what factor its rewards are larger. */
interface Group {
  readonly users: number
  readonly factor: number
  readonly isIn: (bin: number) => boolean
}

function groupOf(users: Float64Array): Group | undefined {
  let best: Group | undefined
  const part = (from: number, to: number): { count: number; mean: number } => {
    let [count, sum] = [0, 0]
    for (let k = from; k < to; k++) {
      count += users[k]!
      sum += users[k]! * k
    }
    return { count, mean: sum / count }
  }
  for (let from = 1; from + APART < BINS; from++) {
    const [below, between, above] = [part(0, from), part(from, from + APART), part(from + APART, BINS)]
    const least = Math.min(below.count, above.count)
    const factor = exp(WIDTH * (above.mean - below.mean))
    if (least < FEWEST || between.count > BETWEEN * least || factor < LEAST_FACTOR) continue
    if (best && best.users >= least) continue
    best =
      above.count <= below.count
        ? { users: least, factor, isIn: (k) => k >= from + APART }
        : { users: least, factor: 1 / factor, isIn: (k) => k < from }
  }
  return best
}

function suspectAmounts({ sums }: Heard): Suspicion[] {
  const { users, weighted } = sums['users']!
  const X = sums['all']!['weight']![0]!
  const group = groupOf(users!)
  if (!group || !(X > 0)) return []
  const theirs = weighted!.reduce((sum, own, k) => sum + (group.isIn(k) ? own : 0), 0)
  const times = Number((group.factor > 1 ? group.factor : 1 / group.factor).toPrecision(2))
  return [
    {
      repaired: {
        shift: (theirs * (1 / group.factor - 1)) / X,
        users: new Float64Array(0),
        effectiveUsers: 0,
      },
      chance: 1e-6,
      seen: `Rewards of ${formatCount(Math.round(group.users))} users are ${times} times as ${group.factor > 1 ? 'large' : 'small'} as those of others for the same items, with hardly any users between: their unit may be another.`,
      how: 'with amounts of the size of others’',
      driver: `users with ${group.factor > 1 ? 'large' : 'small'} amounts`,
      value: group.factor,
      harmless: { level: 'caution', text: 'Users who buy for many look the same.' },
    },
  ]
}

export const amountsCheck: Check = {
  code: 'amounts-of-two-sizes',
  question: 'rewards',
  finds:
    'users whose rewards are many times as large as those of others for the same items: another currency, or cents',
  helps: 'Convert all rewards to one unit.',
  without: ofThinned,
  asks: () => ({
    windows: [
      { name: 'itemClicks', take: 'total', of: clicked, over: 'item' },
      { name: 'itemSizes', take: 'total', of: size, over: 'item' },
      { name: 'userSizes', take: 'total', of: own, over: 'user' },
    ],
    sums: {
      all: { by: [], sums: { weight: times(row.n, row.w) } },
      users: {
        by: [{ of: bin, size: BINS }],
        sums: { users: over(number(1), rows), weighted: times(times(row.n, row.w), row.r) },
      },
    },
  }),
  judge: suspectAmounts,
}
