import { badOption } from '../error.js'
import { type Log, takeRows } from '../log/log.js'
import { randomStream } from '../random/stream.js'
import type { World } from './world.js'

/** Days on which a log is shown, and how much they differ. */
export interface DayOptions {
  readonly days: number
  /** Standard deviation between days of the logit of click rates, to first order (default 0). */
  readonly daySd?: number
  /** Which of the world's independent logs it is. */
  readonly replicate?: number
}

/** A Monday in 2026. */
const FIRST_DAY = Date.UTC(2026, 0, 5)
const DAY = 86_400_000
/** The standard deviation of a number that is uniform between −1 and 1 is 1/√3. */
const WIDEST = Math.sqrt(3)

/**
 * A log spread over days, in the order of time. On day d an item of click rate p is clicked with probability
 * p + σ s_d p (1 − p), where s_d is uniform with mean 0 and standard deviation 1: on average over days to come this is
 * p, so that the true values of the world stay true.
 */
export function withDays(log: Log, world: Pick<World, 'seed' | 'clickRate'>, options: DayOptions): Log {
  const { days, daySd = 0, replicate = 0 } = options
  if (!(Number.isSafeInteger(days) && days >= 1))
    throw badOption(`A log cannot cover ${days} days.`, 'Give at least 1 day.')
  if (!(daySd >= 0 && daySd * WIDEST <= 1))
    throw badOption(
      `Days cannot differ by ${daySd}.`,
      'Give a standard deviation of at least 0 and at most 0.57.',
    )
  const { uniform } = randomStream(world.seed, 'days', replicate)
  const effects = Float64Array.from({ length: days }, () => WIDEST * (2 * uniform() - 1))
  const time = new Float64Array(log.rows)
  const reward = new Float64Array(log.rows)
  for (let row = 0; row < log.rows; row++) {
    const at = uniform() * days
    const rate = world.clickRate(log.user[row]!, log.item[row]!)
    const onDay = rate + daySd * effects[Math.floor(at)]! * rate * (1 - rate)
    time[row] = FIRST_DAY + Math.floor(at * DAY)
    reward[row] = uniform() < onDay ? 1 : 0
  }
  const order = Uint32Array.from(time, (_, row) => row).sort((a, b) => time[a]! - time[b]! || a - b)
  return takeRows({ ...log, time, reward }, order)
}
