import type { Log } from '../../log/log.js'
import { randomStream } from '../../random/stream.js'

/** Four items: how often today's logger and the target show each, and how often each is clicked. */
const LOGGED = [0.7, 0.1, 0.1, 0.1]
const TARGET = [0.1, 0.3, 0.3, 0.3]
const CLICKED = [0.3, 0.42, 0.4, 0.38]

/** What the target earns more than the logging policy: Σ (π − b) p. */
export const TRUE_DIFFERENCE = TARGET.reduce((sum, pi, a) => sum + (pi - LOGGED[a]!) * CLICKED[a]!, 0)

/** What a uniform policy earns less than the logging policy. */
export const UNIFORM_LOSS = LOGGED.reduce((sum, b, a) => sum + (b - 1 / 4) * CLICKED[a]!, 0)

/** A log to draw. */
export interface DrawnLog {
  readonly users: number
  readonly rowsPerUser: number
  readonly days: number
  readonly seed: number
  /** How far the click rate of an item moves from day to day, and from user to user, up or down. */
  readonly byDay?: number
  readonly byUser?: number
  /** Share of random items. */
  readonly epsilon?: number
}

const FIRST_DAY = 20_000

/** A log whose truth is known: users of a few rows each, on days of which each has its own favourite items. */
export function drawnLog({
  users,
  rowsPerUser,
  days,
  seed,
  byDay = 0,
  byUser = 0,
  epsilon = 0,
}: DrawnLog): Log {
  const { uniform } = randomStream(seed, 'planned log', users, days)
  const sign = (): number => (uniform() < 0.5 ? -1 : 1)
  const logger = LOGGED.map((b) => (1 - epsilon) * b + epsilon / LOGGED.length)
  const ofDay = Array.from({ length: days }, () => LOGGED.map(() => byDay * sign()))
  const rows = users * rowsPerUser
  const [item, reward] = [new Uint32Array(rows), new Float64Array(rows)]
  const time = new Float64Array(rows)
  const ofUser = Array.from({ length: users }, () => LOGGED.map(() => byUser * sign()))
  for (let row = 0; row < rows; row++) {
    const day = Math.floor(uniform() * days)
    const shown = drawn(logger, uniform())
    const rate = CLICKED[shown]! + ofDay[day]![shown]! + ofUser[Math.floor(row / rowsPerUser)]![shown]!
    item[row] = shown
    reward[row] = uniform() < rate ? 1 : 0
    time[row] = (FIRST_DAY + day) * 86_400e3
  }
  return {
    rows,
    user: Uint32Array.from({ length: rows }, (_, row) => Math.floor(row / rowsPerUser)),
    item,
    userIds: Array.from({ length: users }, (_, u) => `u${u}`),
    itemIds: LOGGED.map((_, a) => `i${a}`),
    catalogueKnown: true,
    reward,
    time,
    propensity: Float64Array.from(item, (a) => logger[a]!),
    propensitySource: 'logged',
    target: Float64Array.from(item, (a) => TARGET[a]!),
  }
}

function drawn(probabilities: readonly number[], at: number): number {
  let below = 0
  for (let item = 0; item < probabilities.length; item++)
    if (at < (below += probabilities[item]!)) return item
  return probabilities.length - 1
}
