import { times } from '../../sql/expression.js'
import { studentCdf } from '../../student.js'
import type { Sums } from '../../queries/query.js'
import { type Check, type Heard, type Repaired, type Suspicion, withoutClock } from '../check.js'
import { daysBack, row } from '../frame.js'

/** Last days of which rewards may still be to come. */
const LAST = [1, 2, 3, 5, 7] as const
/** Days before them that say what days are like. */
const DAYS_BEFORE = 5

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
]
