import { median } from '../../quantile.js'
import { counted } from '../../number-text.js'
import { exp, log } from '../../portable-math.js'
import { number, over, times } from '../../sql/expression.js'
import { studentCdf } from '../../student.js'
import { col, type Sums } from '../../queries/query.js'
import { type Check, type Heard, type Repaired, type Suspicion, withoutClock } from '../check.js'
import { clicked, daysBack, row } from '../frame.js'

/** Last days of which rewards may still be to come. */
const LAST = [1, 2, 3, 5, 7] as const
/** Days before them that say what days are like. */
const DAYS_BEFORE = 5

const byDay = {
  rows: row.n,
  reward: times(row.n, row.r),
  weight: times(row.n, row.w),
  weighted: times(times(row.n, row.w), row.r),
}

/** By how much the answer moves without some cells. */
function without({ weight, weighted }: Sums, isLeftOut: (cell: number) => boolean): Repaired {
  let [all, left, reward, rewardLeft] = [0, 0, 0, 0]
  for (let cell = 0; cell < weight!.length; cell++) {
    all += weight![cell]!
    reward += weighted![cell]!
    if (isLeftOut(cell)) continue
    left += weight![cell]!
    rewardLeft += weighted![cell]!
  }
  return {
    shift: left > 0 ? rewardLeft / left - reward / all : 0,
    users: new Float64Array(0),
    effectiveUsers: 0,
  }
}

function suspectLate({ sums }: Heard): Suspicion[] {
  const { rows, reward } = sums['days']!
  const days = Array.from(rows!.keys()).filter((day) => rows![day]! > 0)
  const rate = (day: number): number => reward![day]! / rows![day]!
  let worst: Suspicion | undefined
  for (const last of LAST) {
    const before = days.filter((day) => day >= last)
    const within = days.filter((day) => day < last)
    if (before.length < DAYS_BEFORE || within.length === 0) continue
    const n = before.reduce((sum, day) => sum + rows![day]!, 0)
    const mean = before.reduce((sum, day) => sum + reward![day]!, 0) / n
    const spread = Math.sqrt(
      before.reduce((sum, day) => sum + (rate(day) - mean) ** 2, 0) / (before.length - 1),
    )
    // Days of few rows vary more by themselves: each counts by its rows, the noise of clicks at least.
    const m = within.reduce((sum, day) => sum + rows![day]!, 0)
    const late = within.reduce((sum, day) => sum + reward![day]!, 0) / m
    const error = Math.sqrt(
      spread ** 2 * (1 / within.length + 1 / before.length) + Math.max(0, mean * (1 - mean)) / m,
    )
    const chance = studentCdf((late - mean) / error, before.length - 1)
    if (!(chance < 0.0005) || late > 0.9 * mean) continue
    if (worst && worst.chance! <= chance) continue
    worst = {
      repaired: without(sums['days']!, (day) => day < last),
      chance,
      seen: `Rows of the last ${last === 1 ? 'day' : `${last} days`} earned ${Number((late / mean).toPrecision(2))} of what earlier ones did. Their rewards may still be to come.`,
      how: `without the last ${last === 1 ? 'day' : `${last} days`}`,
      driver: `the last ${last === 1 ? 'day' : `${last} days`}`,
      value: late / mean,
    }
  }
  return worst ? [worst] : []
}

/** The fewest days of a stretch, and of the rest. */
const LEAST_DAYS = 4
/** A stretch earns more or less by this factor at least. */
const LEAST_FACTOR = 1.2
/** A stretch explains days better than a steady trend does by so much of a logarithm of likelihood. */
const BEYOND_TREND = 6
/** Numbers of a day that changed by less than this share of what another did have stayed as they were. */
const STAYED = 0.35

/** What a day's rows earned, in parts of what their items earn. */
interface Day {
  readonly back: number
  readonly due: number
  readonly ratio: number
}

/** Σ due, Σ due · ratio and Σ due · ratio² of days. */
type Moments = readonly [due: number, earned: number, squared: number]

const add = (one: Moments, other: Moments, sign: 1 | -1 = 1): Moments => [
  one[0] + sign * other[0],
  one[1] + sign * other[1],
  one[2] + sign * other[2],
]
const meanOf = ([due, earned]: Moments): number => earned / due
/** Σ due (ratio − mean)². */
const squaresOf = ([due, earned, squared]: Moments): number => squared - earned ** 2 / due

/** Σ due (ratio − line)² around the best line. */
function aroundTrend(days: readonly Day[], all: Moments): number {
  const centre = days.reduce((sum, day) => sum + day.due * day.back, 0) / all[0]
  let [xx, xy] = [0, 0]
  for (const day of days) {
    xx += day.due * (day.back - centre) ** 2
    xy += day.due * (day.back - centre) * (day.ratio - meanOf(all))
  }
  return squaresOf(all) - (xx > 0 ? xy ** 2 / xx : 0)
}

/** Days from one to before another, of which rows earn otherwise than those of the rest. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly factor: number
  readonly chance: number
}

/** The stretch that differs most, if that is beyond chance and beyond a steady trend. */
function stretchOf(days: readonly Day[]): Stretch | undefined {
  const upTo: Moments[] = [[0, 0, 0]]
  for (const { due, ratio } of days) upTo.push(add(upTo.at(-1)!, [due, due * ratio, due * ratio ** 2]))
  const all = upTo.at(-1)!
  let best: Stretch | undefined
  let [least, stretches] = [Infinity, 0]
  for (let from = 0; from < days.length; from++)
    for (let to = from + LEAST_DAYS; to <= days.length && to - from <= days.length - LEAST_DAYS; to++) {
      stretches++
      const inside = add(upTo[to]!, upTo[from]!, -1)
      const outside = add(all, inside, -1)
      const squares = squaresOf(inside) + squaresOf(outside)
      if (squares >= least) continue
      least = squares
      const [own, other] = [meanOf(inside), meanOf(outside)]
      const error = Math.sqrt((squares / (days.length - 2)) * (1 / inside[0] + 1 / outside[0]))
      const chance = 2 * studentCdf(-Math.abs(own - other) / error, days.length - 2)
      best = { from, to, factor: own / other, chance }
    }
  if (!best) return undefined
  const chance = stretches * best.chance
  const better = (days.length - 2) * log(aroundTrend(days, all) / least)
  const isFound =
    chance <= 1e-3 && better >= BEYOND_TREND && Math.max(best.factor, 1 / best.factor) >= LEAST_FACTOR
  return isFound ? { ...best, chance } : undefined
}

function suspectStretch({ sums }: Heard): Suspicion[] {
  const found = sums['days']!
  const { rows, reward, clicks, due } = found
  const days = Array.from(rows!.keys())
    .filter((back) => due![back]! > 0)
    .map((back) => ({ back, due: due![back]!, ratio: reward![back]! / due![back]! }))
  const stretch = stretchOf(days)
  if (!stretch) return []
  const { from, to, factor, chance } = stretch
  const within = new Set(days.slice(from, to).map(({ back }) => back))
  /** By how much a usual day of the stretch has more of something than other days, on the scale of logarithms. */
  const moreOf = (column: Float64Array): number => {
    const usual = (isWithin: boolean): number =>
      median(
        Float64Array.from(
          days.filter(({ back }) => within.has(back) === isWithin),
          ({ back }) => column[back]!,
        ),
      )
    return log(usual(true) / usual(false))
  }
  const repairs = [
    { how: 'without these days', repaired: without(found, (back) => within.has(back)) },
    { how: 'by these days alone', repaired: without(found, (back) => !within.has(back)) },
  ]
  const [moreRows, moreClicks] = [moreOf(rows!), moreOf(clicks!)]
  const areRowsMissing = Math.abs(moreClicks) <= STAYED * Math.abs(moreRows) && moreRows * log(factor) < 0
  const largest = Math.abs(repairs[0]!.repaired.shift) >= Math.abs(repairs[1]!.repaired.shift) ? 0 : 1
  // Of days with fewer rows and as many clicks, those that were not clicked are missing.
  const chosen = areRowsMissing ? (moreRows < 0 ? 0 : 1) : largest
  const named = `${to - from} days${days[from]!.back === 0 ? ' at the end of the log' : `, up to ${counted(days[from]!.back, 'day', 'days')} before its end`}`
  return [
    {
      repaired: repairs[chosen]!.repaired,
      also: [{ ...repairs[1 - chosen]!.repaired, how: repairs[1 - chosen]!.how }],
      chance,
      seen: areRowsMissing
        ? `Days have as many rewards all the time, and ${Number(exp(Math.abs(moreRows)).toPrecision(2))} times as many rows in one part of the log as in the other: rows without a reward seem to be missing in ${to - from} days.`
        : `Rows of ${named}, earned ${Number(factor.toPrecision(2))} times as much as those of other days, beyond what days differ by.`,
      how: repairs[chosen]!.how,
      driver: named,
      value: factor,
      ...(!areRowsMissing && {
        harmless: {
          level: 'caution',
          text: 'A change in what is offered, or in who comes, looks the same: see which of the two times is like those to come.',
        },
      }),
    },
  ]
}

export const dayChecks: readonly Check[] = [
  {
    code: 'rewards-late',
    question: 'rewards',
    finds: 'fewer rewards at the end of the log than days differ by: they may still be to come',
    helps: 'Leave out the days whose rewards may not all have arrived.',
    without: withoutClock,
    asks: () => ({ sums: { days: { by: [daysBack], sums: byDay } } }),
    judge: suspectLate,
  },
  {
    code: 'rewards-of-days',
    question: 'rewards',
    finds:
      'days on end whose rows earn more or less than those of other days, beyond what days and a trend differ by',
    helps: 'See what changed: what counts as a reward, which rows are kept, or what was offered.',
    without: withoutClock,
    asks: () => ({
      windows: [
        { name: 'itemRows', take: 'total', of: number(1), over: 'item' },
        { name: 'itemReward', take: 'total', of: row.r, over: 'item' },
      ],
      sums: {
        days: {
          by: [daysBack],
          sums: {
            ...byDay,
            clicks: times(row.n, clicked),
            due: times(row.n, over(col('itemReward'), col('itemRows'))),
          },
        },
      },
    }),
    judge: suspectStretch,
  },
]
