import type { Evaluated } from '../evaluate-source.js'
import type { Verdict } from '../evaluation.js'
import { isLacking, type SumSource } from '../source/source.js'
import { worstVerdict } from '../verdict.js'
import { type Asked, goalsOf, knownToday } from './growth.js'
import type { TemperaturePoint, Temperatures } from './plan-record.js'

/** A target that has a temperature, as the log sees it at any other. */
export interface TemperedSource {
  /** The target's own. */
  readonly temperature: number
  at(temperature: number): SumSource | Promise<SumSource>
}

/** The temperatures that a plan looks at, in multiples of the target's own: mostly softer ones, which a log can rather answer. */
const MULTIPLES: readonly number[] = [0.5, 1, 2, 4, 8]

/** An endless temperature has no multiples: then they are those of 1. */
const around = (own: number): readonly number[] =>
  MULTIPLES.map((multiple) => multiple * (own === Infinity ? 1 : own))

/** What a plan at other temperatures is made from. */
interface Tempering {
  readonly tempered: TemperedSource
  /** The evaluation at the target's own temperature. */
  readonly target: Evaluated
  readonly against: Evaluated
  /** What was asked, of the target at its own temperature. */
  readonly asked: Asked
  evaluate(source: SumSource): Promise<Evaluated>
}

/**
 * What today's log says about the target at other temperatures, and the rows that each still needs: an evaluation for
 * each, as `evaluate` would make it, and for its own temperature the one that is there already.
 */
export async function temperaturesOf(
  { tempered, ...from }: Tempering,
  temperatures: readonly number[] = around(tempered.temperature),
): Promise<Temperatures> {
  const own = tempered.temperature
  const rising = [...new Set([own, ...temperatures])].sort((a, b) => a - b)
  const points: TemperaturePoint[] = []
  for (const temperature of rising) {
    const evaluated = temperature === own ? from.target : await from.evaluate(await tempered.at(temperature))
    points.push(pointAt(temperature, evaluated, from))
  }
  return { own: finite(own), points }
}

/** JSON has no endless numbers. */
const finite = (temperature: number): number | null => (temperature === Infinity ? null : temperature)

function pointAt(
  temperature: number,
  evaluated: Evaluated,
  { against, asked }: Pick<Tempering, 'against' | 'asked'>,
): TemperaturePoint {
  const { estimates, diagnostics } = evaluated.evaluation
  const known = knownToday(evaluated, against)
  const shared = {
    temperature: finite(temperature),
    ess: diagnostics.ess,
    essRatio: diagnostics.essRatio,
    seOfValue: estimates[0]!.se,
    verdict: verdictOn(evaluated, against),
  }
  if (isLacking(known))
    return {
      ...shared,
      difference: null,
      seOfDifference: null,
      moreRows: goalsOf(asked).map(() => null),
      reason: known.lacking,
    }
  const { difference, variance } = known
  const goals = goalsOf({ ...asked, seen: difference.estimate, variance })
  return {
    ...shared,
    difference: difference.estimate,
    seOfDifference: difference.se,
    moreRows: goals.map(({ needed }) => needed?.more.rows ?? null),
  }
}

/** The graver of the verdicts on two policies. */
export const verdictOn = (target: Evaluated, against: Evaluated): Verdict =>
  worstVerdict([target.evaluation.verdict, against.evaluation.verdict])
