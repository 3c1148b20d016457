import type { Log } from '../../log/log.js'
import { randomStream } from '../../random/stream.js'
import type { LoggersChoice } from './loggers-choice.js'

/** A logging policy of the example: b_j(a) of each item, how many rows it drew, and by how much its rows were clicked more. */
export interface ExampleLogger {
  readonly name: string
  readonly probabilities: readonly number[]
  readonly rows: number
  /** Multiplies the chance of a click (default 1): what a busy week does. */
  readonly busy?: number
}

/** The chance of a click on each item. */
export const CLICK_RATES: readonly number[] = [0.1, 0.2, 0.3, 0.2]

/** What a policy earns that shows all items equally often. */
export const UNIFORM_VALUE = 0.2

/** An even logger, and one that favours an item. */
export const TWO_LOGGERS: readonly ExampleLogger[] = [
  { name: 'even', probabilities: [0.25, 0.25, 0.25, 0.25], rows: 1000 },
  { name: 'steep', probabilities: [0.85, 0.05, 0.05, 0.05], rows: 1000 },
]

/** The choice that names the loggers, and that which also names their probabilities. */
export const MARKED: LoggersChoice = { column: 'policy' }
export const WITH_PROBABILITIES: LoggersChoice = {
  column: 'policy',
  probabilities: { even: 'p_even', steep: 'p_steep' },
}

/** A log of impressions that several loggers drew for the same users, side by side; with the probabilities of each as `p_NAME`. */
export function exampleLoggers(
  seed: number,
  loggers: readonly ExampleLogger[] = TWO_LOGGERS,
  users = 400,
): Log {
  const random = randomStream(seed, 'loggers')
  const drawnBy = loggers.flatMap(({ rows }, j) => Array.from({ length: rows }, () => j))
  const rows = drawnBy.length
  const item = Uint32Array.from(drawnBy, (j) => drawFrom(loggers[j]!.probabilities, random.uniform()))
  const reward = Float64Array.from(item, (a, row) =>
    random.uniform() < CLICK_RATES[a]! * (loggers[drawnBy[row]!]!.busy ?? 1) ? 1 : 0,
  )
  return {
    rows,
    user: Uint32Array.from(drawnBy, () => Math.floor(random.uniform() * users)),
    item,
    userIds: Array.from({ length: users }, (_, u) => `u${String(u).padStart(4, '0')}`),
    itemIds: CLICK_RATES.map((_, a) => `i${a}`),
    catalogueKnown: true,
    reward,
    propensity: Float64Array.from(item, (a, row) => loggers[drawnBy[row]!]!.probabilities[a]!),
    propensitySource: 'logged',
    labels: { policy: { index: Uint32Array.from(drawnBy), ids: loggers.map(({ name }) => name) } },
    numbers: Object.fromEntries(
      loggers.map(({ name, probabilities }) => [
        `p_${name}`,
        Float64Array.from(item, (a) => probabilities[a]!),
      ]),
    ),
  }
}

function drawFrom(probabilities: readonly number[], uniform: number): number {
  let left = uniform
  for (const [item, probability] of probabilities.entries()) if ((left -= probability) < 0) return item
  return probabilities.length - 1
}
