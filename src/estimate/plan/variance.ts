import { degreesOfFreedomOf } from '../../student.js'
import { standardErrorOf } from '../estimator.js'
import { type Influences, spreadOf } from '../spread.js'

/** How many times as many users and as many days as a log has. */
export interface Growth {
  readonly users: number
  readonly days: number
}

/** The variance of an estimate in two parts: one shrinks with more users, the other only with more days. */
export interface Variance {
  readonly users: number
  /** What all users of a day share: 0 where the log does not tell days, or they differ no more than chance makes them. */
  readonly days: number
  /** Effective degrees of freedom of users and of days; endless where days are not told apart. */
  readonly freedom: Growth
}

/**
 * The parts of the variance behind some influences, by `ways` such as `user+day`. V = V_user + V_day − V_both: what days
 * add, V_day − V_both, is the covariance of different users on the same day, which more users leave as it is.
 * Undefined where there are fewer than two clusters of a way.
 */
export function varianceOf(influences: Influences, ways: string): Variance | undefined {
  const error = spreadOf(influences)
  if (error === undefined) return undefined
  const total = error * error
  const names = ways.split('+')
  const day = names.indexOf('day')
  const freedomOf = (place: number): number => degreesOfFreedomOf(influences[place]!.influence)
  if (day === -1)
    return {
      users: total,
      days: 0,
      freedom: { users: Math.min(...names.map((_, place) => freedomOf(place))), days: Infinity },
    }
  if (names.length === 1) return { users: 0, days: total, freedom: { users: Infinity, days: freedomOf(0) } }
  const [ofDays, ofBoth] = [day, 2].map((place) => standardErrorOf(influences[place]!.influence)! ** 2)
  const days = Math.min(total, Math.max(0, ofDays! - ofBoth!))
  return { users: total - days, days, freedom: { users: freedomOf(1 - day), days: freedomOf(day) } }
}

/** The standard error to be expected of a log that has grown: √(V_users/s + V_days/t). */
export const errorAt = ({ users, days }: Variance, growth: Growth): number =>
  Math.sqrt(users / growth.users + days / growth.days)

/** The degrees of freedom of such a log: those of the way that has the fewest, and at least 1. */
export const freedomAt = ({ freedom }: Variance, growth: Growth): number =>
  Math.max(1, Math.min(freedom.users * growth.users, freedom.days * growth.days))

/** As many times as many users and days: a log that goes on as it began. */
export const inProportion = (factor: number): Growth => ({ users: factor, days: factor })
