import { col, type RowNumber } from '../../queries/query.js'
import { formatCount, formatShare } from '../../number-text.js'
import { exp as e, pow } from '../../portable-math.js'
import { least, minus, most, number, over, times, when } from '../../sql/expression.js'
import { type Check, type Heard, ofThinned, type Suspicion, withoutClock } from '../check.js'
import { both, clicked, is, ofUnit, rateElsewhere, row, type Unit, UNITS } from '../frame.js'

/** Fewer units than this, or pairs of clicks, say nothing by what is missing among them. */
const FEWEST = 20
/** What is so rare against what is expected is a rule, not chance. */
const RULE = 0.05
/** A rule that leaves at most a twentieth of so many is as good as impossible by chance. */
const NEVER = 1e-6

const named: Readonly<Record<Unit | 'pair' | 'user', string>> = {
  visit: 'visits',
  hour: 'users’ hours',
  day: 'users’ days',
  pair: 'pairs of user and item',
  user: 'users',
}

const singular: Readonly<Record<Unit | 'pair', string>> = {
  visit: 'visit',
  hour: 'user and hour',
  day: 'user and day',
  pair: 'user and item',
}

/** Units of several rows; copies of one row, which only times tell from others, are not several. */
const several = (unit: Unit | 'pair', hasTimes: boolean): RowNumber =>
  is(ofUnit(unit).rows, '>', hasTimes ? col('copies') : 1)
/** Each unit counts once: a row counts as its share of the unit. */
const share = (unit: Unit | 'pair' | 'user'): RowNumber => over(number(1), ofUnit(unit).rows)

/** Units of several rows whose rewards agree: of the pairs of rows of a unit, those that differ, against what users' other rows imply. */
const agreement = (unit: Unit | 'pair', hasTimes: boolean) => {
  const { rows, clicks } = ofUnit(unit)
  const p = rateElsewhere(unit)
  const pairs = most(1, times(rows, minus(rows, 1)))
  const counted = both(several(unit, hasTimes), share(unit))
  const unlike = over(times(2, times(clicks, minus(rows, clicks))), pairs)
  return {
    by: [],
    sums: {
      units: counted,
      mixed: both(counted, unlike),
      expected: both(counted, times(2, times(p, minus(1, p)))),
      paid: both(counted, is(clicks, '=', rows)),
      single: is(rows, '=', 1),
      singlePaid: both(is(rows, '=', 1), clicked),
    },
  }
}

/** Units of which all rows have a reward, by how many rows they have, against what users' other rows imply. */
const paidInFull = (unit: Unit) => {
  const { rows, clicks } = ofUnit(unit)
  // Copies of a row have its reward.
  const counted = both(is(col('copies'), '=', 1), share(unit))
  const p: RowNumber = { kind: 'function', name: 'log', of: rateElsewhere(unit) }
  return {
    by: [sizeOf(unit)],
    sums: {
      units: counted,
      paid: both(counted, is(clicks, '=', rows)),
      almost: both(counted, is(clicks, '=', minus(rows, 1))),
      expected: both(counted, { kind: 'function', name: 'exp', of: times(rows, p) }),
    },
  }
}

/** The reward of a unit in which all rows have one, spread over them. */
const spread = (unit: Unit | 'pair'): RowNumber =>
  when(ofUnit(unit).clicks, '=', ofUnit(unit).rows, over(row.r, ofUnit(unit).rows), row.r)

const suspectAgreement = (heard: Heard, unit: Unit | 'pair'): Suspicion[] => {
  const found = heard.sums[unit]!
  const [units, mixed, expected, paid] = ['units', 'mixed', 'expected', 'paid'].map(
    (name) => found[name]![0]!,
  )
  if (expected! < FEWEST || mixed! > RULE * expected! || paid! < FEWEST) return []
  if (unit === 'pair' && !growsWithRows(found)) return []
  return [
    {
      repaired: heard.repaired(unit),
      chance: NEVER,
      seen: `Rows of the same ${singular[unit]} have the same reward in ${formatCount(Math.round(units!))} cases with several rows: ${formatShare(mixed! / units!)} of their pairs differ, where users’ other rows imply ${formatShare(expected! / units!)}. Rewards seem to be joined to every row of them.`,
      how: `with one reward for all rows of them`,
      driver: named[unit],
      value: mixed! / expected!,
    },
  ]
}

/** Units are paid in full so many times as often as users' other rows imply, before some of them are thought to have one reward for all. */
const TOO_OFTEN = 1.3
/** And so many times as often as all of their rows but one: where users now and then take nearly everything, both are frequent. */
const SELDOM_ALMOST = 3
/** The fewest rows of units that are looked at. */
const SIZES = [3, 4, 6]

/** Units that are paid in full too often, where not all of them are. */
function suspectSome(heard: Heard, unit: Unit): Suspicion[] {
  const found = heard.sums[`${unit}Paid`]!
  for (const size of SIZES) {
    const [units, paid, almost, expected] = ['units', 'paid', 'almost', 'expected'].map((name) =>
      found[name]!.slice(size).reduce((sum, x) => sum + x, 0),
    )
    if (paid! < TOO_OFTEN * expected! + FEWEST || paid! < SELDOM_ALMOST * almost!) continue
    return [
      {
        repaired: heard.repaired(unit),
        chance: NEVER,
        seen: `In ${formatCount(Math.round(paid!))} of ${formatCount(Math.round(units!))} cases with at least ${size} rows of the same ${singular[unit]}, every row has a reward; users’ other rows imply ${formatCount(Math.round(expected!))}. Some rewards seem to be joined to every row of them.`,
        how: `with one reward for all rows of them`,
        driver: named[unit],
        value: paid! / expected!,
      },
    ]
  }
  return []
}

/** A reward joined to all rows of a pair comes more often where there are more rows; a user's taste for an item does not. */
function growsWithRows(found: Readonly<Record<string, Float64Array>>): boolean {
  const [units, paid, single, singlePaid] = ['units', 'paid', 'single', 'singlePaid'].map(
    (name) => found[name]![0]!,
  )
  if (!(single! > 0)) return false
  const rate = singlePaid! / single!
  const asOften = rate * units!
  const joined = (1 - (1 - rate) ** 2) * units!
  return paid! > (asOften + joined) / 2
}

/** Units by how many rows they have, at most so many. */
const sizeOf = (unit: Unit | 'user') => ({ of: least(number(31), ofUnit(unit).rows), size: 32 })

/** Units without a click, against those with one: rows of a unit in which another row was clicked are there whatever they earned. */
const filtering = (unit: Unit | 'user') => {
  const { clicks } = ofUnit(unit)
  const others = is(minus(clicks, clicked), '>=', 1)
  return {
    by: [sizeOf(unit)],
    sums: {
      units: share(unit),
      none: both(share(unit), is(clicks, '=', 0)),
      others,
      othersClicked: both(others, clicked),
    },
  }
}

function suspectFiltering(heard: Heard, unit: Unit | 'user'): Suspicion[] {
  const { units, none, others, othersClicked } = heard.sums[`${unit}Sizes`]!
  const total = (column: Float64Array, from = 0): number => column.slice(from).reduce((sum, x) => sum + x, 0)
  const rate = total(othersClicked!) / total(others!)
  if (!(rate > 0 && rate < 1)) return []
  let expected = 0
  for (let size = 2; size < units!.length; size++) {
    const missed = pow(1 - rate, size)
    expected += ((units![size]! - none![size]!) * missed) / (1 - missed)
  }
  const [seen, all] = [total(none!, 2), total(units!, 2)]
  if (expected < FEWEST || seen > RULE * Math.min(expected, all)) return []
  return [
    {
      repaired: heard.repaired(`${unit}Others`),
      chance: e(-expected / 2),
      seen: `${seen < 0.5 ? 'None' : `Only ${formatCount(Math.round(seen))}`} of ${formatCount(Math.round(all))} ${named[unit]} with several rows had no reward; at least ${formatCount(Math.round(expected))} should. They seem to have been kept because of one.`,
      how: 'by rows that would have been kept without their own reward',
      driver: named[unit],
      value: seen / expected,
    },
  ]
}

/** Rows after another click of the same unit: how many were clicked, and how many should be by users' other rows. */
const togetherness = (unit: CreditUnit) => {
  const isAfter = is(minus(ofUnit(unit).soFar, clicked), '>=', 1)
  return {
    by: [],
    sums: { seen: both(isAfter, clicked), expected: both(isAfter, rateElsewhere(unit)) },
  }
}

function suspectOneCredited(heard: Heard, unit: CreditUnit): Suspicion[] {
  const { seen, expected } = heard.sums[`${unit}Together`]!
  if (expected![0]! < FEWEST || seen![0]! > RULE * expected![0]!) return []
  const repairs = [
    { ...heard.repaired(`${unit}AfterLast`), how: 'by rows from the last reward on' },
    { ...heard.repaired(`${unit}ToFirst`), how: 'by rows up to the first reward' },
  ]
  const [largest] = repairs.toSorted((a, b) => Math.abs(b.shift) - Math.abs(a.shift))
  return [
    {
      repaired: largest!,
      also: repairs.filter((one) => one !== largest),
      chance: NEVER,
      seen: `${formatCount(Math.round(seen![0]!))} rows after a reward of the same ${singular[unit]} have one, where users’ other rows imply ${formatCount(Math.round(expected![0]!))}. Only one seems to be credited.`,
      how: largest!.how,
      driver: named[unit],
      value: seen![0]! / expected![0]!,
    },
  ]
}

const record = <Key extends string, Value>(keys: readonly Key[], of: (key: Key) => [string, Value][]) =>
  Object.fromEntries(keys.flatMap(of)) as Record<string, Value>

/** The first suspicion of the units, the shortest first: those that contain it show the same. */
const firstOf = <U>(units: readonly U[], suspect: (unit: U) => Suspicion[]): Suspicion[] => {
  for (const unit of units) {
    const found = suspect(unit)
    if (found.length > 0) return found
  }
  return []
}

const CREDIT_UNITS = ['visit', 'day', 'pair'] as const
type CreditUnit = (typeof CREDIT_UNITS)[number]

export const visitChecks: readonly Check[] = [
  {
    code: 'rewards-joined-widely',
    question: 'rewards',
    finds: 'one reward on every row of a visit, an hour, a day or a pair of user and item',
    helps: 'Join each reward to the impression that earned it, by the id of the impression.',
    without: ofThinned,
    asks: ({ hasClock, hasTimes }) => {
      const units = hasClock ? ([...UNITS, 'pair'] as const) : (['pair'] as const)
      return {
        sums: {
          ...record(units, (unit) => [[unit, agreement(unit, hasTimes)]]),
          ...(hasClock && record(UNITS, (unit) => [[`${unit}Paid`, paidInFull(unit)]])),
        },
        repairs: record(units, (unit) => [[unit, { reward: spread(unit) }]]),
      }
    },
    judge: (heard, { hasClock }) => {
      const found = firstOf(hasClock ? ([...UNITS, 'pair'] as const) : (['pair'] as const), (unit) =>
        suspectAgreement(heard, unit),
      )
      return found.length > 0 || !hasClock ? found : firstOf(UNITS, (unit) => suspectSome(heard, unit))
    },
  },
  {
    code: 'kept-for-rewards',
    question: 'rewards',
    finds: 'visits or users that are in the log because they have a reward',
    helps: 'Export all impressions, rewarded or not.',
    without: ofThinned,
    asks: ({ hasClock }) => {
      const units = hasClock ? ([...UNITS, 'user'] as const) : (['user'] as const)
      return {
        sums: record(units, (unit) => [[`${unit}Sizes`, filtering(unit)]]),
        repairs: record(units, (unit) => [
          [`${unit}Others`, { weight: both(row.w, is(minus(ofUnit(unit).clicks, clicked), '>=', 1)) }],
        ]),
      }
    },
    judge: (heard, { hasClock }) =>
      firstOf(hasClock ? ([...UNITS, 'user'] as const) : (['user'] as const), (unit) =>
        suspectFiltering(heard, unit),
      ),
  },
  {
    code: 'one-reward-credited',
    question: 'rewards',
    finds: 'visits, days or pairs of user and item of which one reward is credited, the last or the first',
    helps: 'Credit every reward to its own impression.',
    without: (shape) =>
      withoutClock(shape) ??
      ofThinned(shape) ??
      (shape.hasPages ? 'rows of pages are judged by page' : undefined),
    asks: () => ({
      sums: record(CREDIT_UNITS, (unit) => [[`${unit}Together`, togetherness(unit)]]),
      repairs: record(CREDIT_UNITS, (unit) => [
        [`${unit}AfterLast`, { weight: both(row.w, is(ofUnit(unit).soFar, '=', ofUnit(unit).clicks)) }],
        [`${unit}ToFirst`, { weight: both(row.w, is(minus(ofUnit(unit).soFar, clicked), '=', number(0))) }],
      ]),
    }),
    judge: (heard) => firstOf(CREDIT_UNITS, (unit) => suspectOneCredited(heard, unit)),
  },
]
