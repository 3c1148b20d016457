import { CURVE_METHODS, type CurveOutcome } from './methods.js'
import { overSeeds, varianceOf } from '../statistics/over-seeds.js'
import type { CurvesResults, LearningCurve, OverSeeds, StudyMethod } from '../results.js'

type Measure = 'snips' | 'truth'

/** Learning curves at a temperature, from the outcomes of all seeds. */
export function curvesResults(
  seeds: readonly (readonly CurveOutcome[])[],
  { temperature, alpha }: { temperature: number; alpha: number },
): CurvesResults {
  return {
    temperature,
    alpha,
    curves: CURVE_METHODS.filter((method) => seeds[0]!.some((curve) => curve.method === method)).map(
      (method) =>
        curveOf(
          method,
          seeds.map((curves) => curves.find((curve) => curve.method === method)!),
        ),
    ),
  }
}

function curveOf(method: StudyMethod, seeds: readonly CurveOutcome[]): LearningCurve {
  const { points } = seeds[0]!
  const count = Math.min(...seeds.map((seed) => seed.points.length))
  const both = (of: (values: readonly number[]) => number | null): Record<Measure, OverSeeds> => ({
    snips: overSeeds(seeds.map((seed) => of(valuesOf(seed, 'snips')))),
    truth: overSeeds(seeds.map((seed) => of(valuesOf(seed, 'truth')))),
  })
  return {
    method,
    points: points.slice(0, count).map(({ epoch, steps }, k) => ({
      epoch,
      steps,
      snips: overSeeds(seeds.map((seed) => seed.points[k]!.snips)),
      truth: overSeeds(seeds.map((seed) => seed.points[k]!.truth)),
      essRatio: overSeeds(seeds.map((seed) => seed.points[k]!.essRatio)),
    })),
    early: both(earlyUnsteadiness),
    drop: both(lateDrop),
    last: both((values) => values.at(-1) ?? null),
    best: both((values) => (values.length > 0 ? Math.max(...values) : null)),
  }
}

const valuesOf = ({ points }: CurveOutcome, measure: Measure): number[] =>
  points.map((point) => point[measure]).filter((value) => value !== null)

/** Standard deviation of the changes from point to point in the first third; null for fewer than two changes. */
export function earlyUnsteadiness(values: readonly number[]): number | null {
  const early = values.slice(0, Math.max(3, Math.ceil(values.length / 3)))
  const changes = early.slice(1).map((value, k) => value - early[k]!)
  return changes.length >= 2 ? Math.sqrt(varianceOf(changes)) : null
}

/** The best value minus the last. */
export const lateDrop = (values: readonly number[]): number | null =>
  values.length > 0 ? Math.max(...values) - values.at(-1)! : null
