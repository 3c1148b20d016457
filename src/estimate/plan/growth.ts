import { normalCdf, normalQuantile } from '../../normal.js'
import { exp, log } from '../../portable-math.js'
import { degreesOfFreedomOf, studentQuantile } from '../../student.js'
import { standardErrorOf } from '../estimator.js'
import type { Evaluated } from '../evaluate-source.js'
import { differenceInterval } from '../intervals/difference.js'
import type { Known } from '../source/source.js'
import { differenceOf, type Influences, spreadOf } from '../spread.js'
import type { CurvePoint, Goal, LogSize, Needed, Plan } from './plan-record.js'

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

/** As many times as many users and days: a log that goes on as it began. */
export const inProportion = (factor: number): Growth => ({ users: factor, days: factor })

/** How an interval is made: from an error with so many degrees of freedom. */
interface Precision {
  readonly error: number
  readonly freedom: number
  readonly confidence: number
}

/**
 * The precision to be expected of a log that has grown: the error √(V_users/s + V_days/t), and the degrees of freedom of the way
 * that has the fewest, at least 1.
 */
export const precisionAt = (
  { users, days, freedom }: Variance,
  growth: Growth,
  confidence: number,
): Precision => ({
  error: Math.sqrt(users / growth.users + days / growth.days),
  freedom: Math.max(1, Math.min(freedom.users * growth.users, freedom.days * growth.days)),
  confidence,
})

/** Half the width of Student's interval: t_ν times the error. */
export const halfWidthOf = ({ error, freedom, confidence }: Precision): number =>
  studentQuantile((1 + confidence) / 2, freedom) * error

/**
 * The probability that the interval of a difference lies beyond 0 on the side of the true difference δ: P(T > t_ν) of
 * Student's distribution with the non-centrality λ = |δ|/SE, by Φ((λ − t(1 − 1/4ν))/√(1 + t²/2ν)) (Abramowitz & Stegun
 * 1964, 26.7.10).
 */
export function powerOf(difference: number, precision: Precision): number {
  const { middle, spread } = limitOf(precision)
  return normalCdf((Math.abs(difference) / precision.error - middle) / spread)
}

/** The smallest difference whose interval lies beyond 0 with this probability. */
export function detectableWith(power: number, precision: Precision): number {
  const { middle, spread } = limitOf(precision)
  return precision.error * Math.max(0, middle + spread * normalQuantile(power))
}

/** Where a difference in errors must lie to be decided half of the time, and how far the error's own error blurs that. */
function limitOf({ freedom, confidence }: Precision): { middle: number; spread: number } {
  const t = studentQuantile((1 + confidence) / 2, freedom)
  return { middle: t * (1 - 1 / (4 * freedom)), spread: Math.sqrt(1 + (t * t) / (2 * freedom)) }
}

/** A log this many times as large is beyond any plan. */
const MOST_GROWTH = 1e9

/** Steps of bisection: the answer is exact to a billionth of itself. */
const STEPS = 64

/**
 * The smallest growth from 1 on at which something holds that holds for every larger one; undefined where it does not
 * hold at a billion times as much.
 */
function leastGrowth(holds: (growth: number) => boolean): number | undefined {
  if (holds(1)) return 1
  if (!holds(MOST_GROWTH)) return undefined
  let [low, high] = [1, 2]
  while (!holds(high)) [low, high] = [high, high * 2]
  for (let step = 0; step < STEPS && high / low > 1 + 1e-12; step++) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

/** What a larger log has to achieve. */
export type Aim =
  | { readonly kind: 'power'; readonly difference: number; readonly power: number }
  | { readonly kind: 'width'; readonly width: number }

/** Whether a log that has grown so much achieves an aim. */
export function isReached(aim: Aim, variance: Variance, confidence: number, growth: Growth): boolean {
  const precision = precisionAt(variance, growth, confidence)
  return aim.kind === 'width'
    ? 2 * halfWidthOf(precision) <= aim.width
    : powerOf(aim.difference, precision) >= aim.power
}

/**
 * How large a log achieves an aim: where it goes on as it began, with new users as so far; by more users on the same
 * days; and on how few days, however many users there are. Null where no log would.
 */
export function neededFor(aim: Aim, variance: Variance, confidence: number, today: LogSize): Needed | null {
  const least = (growthOf: (factor: number) => Growth): number | undefined =>
    leastGrowth((factor) => isReached(aim, variance, confidence, growthOf(factor)))
  const factor = least(inProportion)
  if (factor === undefined) return null
  const onSameDays = least((users) => ({ users, days: 1 }))
  const total = grown(today, factor, factor)
  const fewestDays = today.days === null ? null : least((days) => ({ users: Infinity, days }))
  return {
    factor,
    total,
    more: beyond(total, today),
    sameDays: onSameDays === undefined ? null : beyond(grown(today, onSameDays, 1), today),
    fewestDays: fewestDays == null ? null : timesAsMany(today.days!, fewestDays),
  }
}

/** The size of a log with so many times the users, and rows with them, and so many times the days. */
const grown = ({ rows, users, days }: LogSize, ofUsers: number, ofDays: number): LogSize => ({
  rows: timesAsMany(rows, ofUsers),
  users: timesAsMany(users, ofUsers),
  days: days === null ? null : timesAsMany(days, ofDays),
})

/** So many times a count, rounded up; a billionth more than a whole number is that number, so that rounding adds no day. */
const timesAsMany = (count: number, factor: number): number =>
  factor === 1 ? count : Math.ceil(count * factor * (1 - 1e-9))

const beyond = (total: LogSize, today: LogSize): LogSize => ({
  rows: Math.max(0, total.rows - today.rows),
  users: Math.max(0, total.users - today.users),
  days: today.days === null ? null : Math.max(0, total.days! - today.days),
})

/** What is asked of a larger log, and what today's says. */
export interface Asked {
  readonly size: LogSize
  readonly confidence: number
  readonly power: number
  /** The difference that was seen. */
  readonly seen: number
  /** The smallest difference of interest. */
  readonly detect: number | undefined
  readonly width: number | undefined
  /** Of the target's value and of the difference. */
  readonly variance: { readonly value: Variance; readonly difference: Variance }
}

/** Each thing to find out, and what it takes: the difference seen, the one of interest, the width of both intervals. */
export function goalsOf(asked: Asked): Goal[] {
  const { seen, detect, width, power, variance } = asked
  const decided = (kind: Goal['kind'], difference: number): Goal =>
    goal(kind, { kind: 'power', difference, power }, variance.difference, asked)
  const narrow = (kind: Goal['kind'], of: Variance): Goal =>
    goal(kind, { kind: 'width', width: width! }, of, asked)
  return [
    decided('seen', seen),
    ...(detect === undefined ? [] : [decided('detect', detect)]),
    ...(width === undefined
      ? []
      : [narrow('width-of-value', variance.value), narrow('width-of-difference', variance.difference)]),
  ]
}

function goal(kind: Goal['kind'], aim: Aim, variance: Variance, { confidence, size }: Asked): Goal {
  const now = inProportion(1)
  const needed = neededFor(aim, variance, confidence, size)
  return {
    kind,
    size: aim.kind === 'width' ? aim.width : aim.difference,
    powerToday: aim.kind === 'width' ? null : powerOf(aim.difference, precisionAt(variance, now, confidence)),
    isReached: isReached(aim, variance, confidence, now),
    needed,
    ...(needed === null && { reason: 'it takes more than a billion times as many rows' }),
  }
}

/** The curve begins with a log so much smaller than today's. */
const FIRST = 0.25
/** Each point stands for 2^¼ times as much as the one before: today's log, twice and four times as much are among them. */
const STEPS_TO_DOUBLE = 4
/** It goes on to twice what the goals need, but not beyond so many times today's log. */
const MOST = 1024

/** What is expected of logs from a quarter of today's size to at least twice the size that is needed. */
export function curveOf(asked: Asked, goals: readonly Goal[]): CurvePoint[] {
  const factors = goals.flatMap(({ needed }) => (needed ? [needed.factor] : []))
  const last = Math.min(MOST, Math.max(16, ...factors.map((factor) => 2 * factor)))
  const steps = Math.ceil((STEPS_TO_DOUBLE * log(last / FIRST)) / log(2) - 1e-9)
  return Array.from({ length: steps + 1 }, (_, k) => pointAt(factorAt(k), asked))
}

/** Whole doublings are exact. */
function factorAt(step: number): number {
  let whole = FIRST
  for (let k = STEPS_TO_DOUBLE; k <= step; k += STEPS_TO_DOUBLE) whole *= 2
  return whole * exp((log(2) * (step % STEPS_TO_DOUBLE)) / STEPS_TO_DOUBLE)
}

function pointAt(factor: number, { size, seen, detect, variance, confidence, power }: Asked): CurvePoint {
  const growth = inProportion(factor)
  const ofDifference = precisionAt(variance.difference, growth, confidence)
  return {
    factor,
    ...grown(size, factor, factor),
    seen: powerOf(seen, ofDifference),
    detect: detect === undefined ? null : powerOf(detect, ofDifference),
    detectable: detectableWith(power, ofDifference),
    widthOfValue: 2 * halfWidthOf(precisionAt(variance.value, growth, confidence)),
    widthOfDifference: 2 * halfWidthOf(ofDifference),
  }
}

/** What today's log says about the target and the difference, and how both vary. */
export interface KnownToday {
  readonly value: Plan['value']
  readonly difference: Omit<Plan['difference'], 'detectable'>
  readonly variance: { readonly value: Variance; readonly difference: Variance }
}

/** What two evaluations of today's log say, the target's and that of the policy it is compared with; lacking where there is no difference to plan for. */
export function knownToday(target: Evaluated, against: Evaluated): Known<KnownToday> {
  const { cluster, confidence, estimates } = target.evaluation
  const [after, before] = [estimates[0]!, against.evaluation.estimates[0]!]
  const [to, from] = [target, against].map(({ evidence }) => [...evidence.influences.values()][0])
  if (after.value === null || before.value === null || after.se === null || !to || !from)
    return { lacking: after.reason ?? before.reason ?? UNKNOWN_SPREAD }
  const difference = after.value - before.value
  const { interval, se, reason } = differenceInterval(to, from, confidence, difference)
  const paired = differenceOf(to, from)
  const variance = { value: varianceOf(to, cluster), difference: paired && varianceOf(paired, cluster) }
  if (!interval || se === null || !variance.value || !variance.difference)
    return { lacking: reason ?? UNKNOWN_SPREAD }
  const { users, days } = variance.difference
  return {
    value: { estimate: after.value, se: after.se, interval: after.interval },
    difference: {
      estimate: difference,
      se,
      interval,
      isDecided: interval[0] > 0 || interval[1] < 0,
      dayShare: days / (users + days),
    },
    variance: { value: variance.value, difference: variance.difference },
  }
}

const UNKNOWN_SPREAD = 'the spread between clusters is unknown'
