import { type Aim, isReached, neededFor } from './needed.js'
import type { Goal, LogSize } from './plan-record.js'
import { powerOf } from './power.js'
import { errorAt, freedomAt, inProportion, type Variance } from './variance.js'

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
  const precision = { error: errorAt(variance, now), freedom: freedomAt(variance, now), confidence }
  const needed = neededFor(aim, variance, confidence, size)
  return {
    kind,
    size: aim.kind === 'width' ? aim.width : aim.difference,
    powerToday: aim.kind === 'width' ? null : powerOf(aim.difference, precision),
    isReached: isReached(aim, variance, confidence, now),
    needed,
    ...(needed === null && { reason: 'it takes more than a billion times as many rows' }),
  }
}
