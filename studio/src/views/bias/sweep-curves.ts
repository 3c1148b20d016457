import type { BiasSweepPoint } from '$core/figures/bias.js'
import { type BiasOutcome, biasSweep } from '$study/experiments/bias.js'
import type { BiasTarget } from '$study/results.js'
import { studySettings } from '$study/settings.js'
import { BIAS_TARGETS } from '../../desk/bias-world.js'

/** The temperatures of the study's sweep, rising. */
export const SWEPT: readonly number[] = studySettings().bias.temperatures

/** The order in which they are filled in: the ends and the middle first, so that the curve is soon seen. */
export const FILLED: readonly number[] = coarseToFine(SWEPT)

/** Outcomes of a finished seed: every target at every temperature. */
export const ALL_OUTCOMES = SWEPT.length * BIAS_TARGETS.length

/** What logs at several biases say, over seeds. */
export interface SweepCurves {
  /** How many are finished; 1 while the first is in progress, 0 before. */
  readonly seeds: number
  readonly targets: readonly BiasTarget[]
}

/** The curves of the finished seeds or, before the first is finished, of what there is of it. */
export function sweepCurves(
  seeds: readonly (readonly BiasOutcome[])[],
  begun: readonly BiasOutcome[],
): SweepCurves {
  const known = seeds.length > 0 ? seeds : begun.length > 0 ? [begun] : []
  if (known.length === 0) return { seeds: 0, targets: [] }
  const rising = known.map((outcomes) => outcomes.toSorted((a, b) => a.temperature - b.temperature))
  const temperatures = [...new Set(rising[0]!.map(({ temperature }) => temperature))]
  // Only its targets are used, which does not depend on the name of the world.
  const { targets } = biasSweep(rising, { world: 'toy', label: '', temperatures })
  return { seeds: known.length, targets }
}

/** The points of a target at all temperatures, without a mean where there is none yet, so that the axis stands still. */
export function curvePoints({ targets }: SweepCurves, name: string): BiasSweepPoint[] {
  const points = targets.find(({ target }) => target === name)?.points ?? []
  const none = { mean: null, interval: null }
  return SWEPT.map(
    (temperature) =>
      points.find((point) => point.temperature === temperature) ?? {
        temperature,
        snips: none,
        truth: none,
        essRatio: none,
        covered: 0,
      },
  )
}

/** The first and the last, then again and again the one that lies farthest from those before it. */
function coarseToFine(values: readonly number[]): number[] {
  const order = [0, values.length - 1]
  while (order.length < values.length) {
    const distances = values.map((_, place) => Math.min(...order.map((other) => Math.abs(other - place))))
    order.push(distances.indexOf(Math.max(...distances)))
  }
  return order.map((place) => values[place]!)
}
