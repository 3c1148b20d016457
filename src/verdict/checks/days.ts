import { counted, formatCount } from '../../number-text.js'
import { number, times } from '../../sql/expression.js'
import { studentCdf } from '../../student.js'
import type { Sums } from '../../queries/query.js'
import {
  type Check,
  type Heard,
  type Repaired,
  type Suspicion,
  withoutClock,
  withoutTimes,
} from '../check.js'
import { poissonBelow } from '../chance.js'
import { clicked, daysBack, partOf, row } from '../frame.js'

/** Last days of which rewards may still be to come. */
const LAST = [1, 2, 3, 5, 7] as const
/** Days before them that say what days are like. */
const DAYS_BEFORE = 5
/** Parts of the time in which rewards may have been lost. */
const SLICES = 200

const weighed = { weight: times(row.n, row.w), weighted: times(times(row.n, row.w), row.r) }

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

function suspectOutage({ sums }: Heard): Suspicion[] {
  const { rows, clicks } = sums['slices']!
  const [n, all] = [rows!, clicks!].map((column) => column.reduce((sum, x) => sum + x, 0)) as [number, number]
  if (!(all > 0)) return []
  const rate = all / n
  let [lost, chance, stretches] = [0, 1, 0]
  const isSilent = new Set<number>()
  for (let from = 0; from < SLICES; from++) {
    let [to, shown] = [from, 0]
    while (to < SLICES && clicks![to]! === 0) shown += rows![to++]!
    // Rates differ by time of day: a quarter of the mean is little even at night.
    const own = poissonBelow(0, (shown * rate) / 4) * SLICES
    if (own < 1e-3) {
      lost += shown
      stretches++
      for (let slice = from; slice < to; slice++) isSilent.add(slice)
      chance = Math.min(chance, own)
    }
    from = to
  }
  if (stretches === 0) return []
  return [
    {
      repaired: without(sums['slices']!, (slice) => isSilent.has(slice)),
      chance: Math.min(chance, 1e-4),
      seen: `${formatCount(lost)} rows in ${counted(stretches, 'stretch', 'stretches')} of time have no reward at all, where about ${formatCount(Math.round(lost * rate))} are expected.`,
      how: 'without these stretches',
      value: lost,
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
    asks: () => ({
      sums: { days: { by: [daysBack], sums: { rows: row.n, reward: times(row.n, row.r), ...weighed } } },
    }),
    judge: suspectLate,
  },
  {
    code: 'rewards-lost',
    question: 'rewards',
    finds: 'stretches of time without any reward',
    helps: 'Leave out the time in which rewards were not recorded.',
    without: withoutTimes,
    asks: () => ({
      sums: {
        slices: { by: [partOf(SLICES)], sums: { rows: number(1), clicks: clicked, ...weighed } },
      },
    }),
    judge: suspectOutage,
  },
]
