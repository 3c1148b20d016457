import { evaluatorOf } from '$core/estimate/evaluate.js'
import type { Evaluation } from '$core/estimate/evaluation.js'
import { popularityTargets } from '$core/estimate/popularity-targets.js'
import { shopWorld } from './shop-world.js'

/** The world behind the first door, and the picture on the first page. */
export const FIRST_SEED = 1

/** What showing popular items at one temperature would have earned. */
export interface FirstLookPoint {
  readonly temperature: number
  readonly evaluation: Evaluation
  readonly truth: number
}

/** From soft to sharp: the sharper the policy, the less of the log bears on it. */
const TEMPERATURES: readonly number[] = [
  8, 6, 5, 4, 3, 2.5, 2, 1.7, 1.4, 1.2, 1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.33, 0.27, 0.22, 0.18, 0.15, 0.12, 0.1,
  0.08,
]

/** Evaluates popularity in the shop world, one point for each place of the slider; nothing of it is kept. */
export async function firstLook(): Promise<FirstLookPoint[]> {
  const world = shopWorld(FIRST_SEED)
  const log = world.draw()
  const evaluator = evaluatorOf(log, { estimators: ['snips'] })
  const popularity = popularityTargets(log)
  const points: FirstLookPoint[] = []
  for (const temperature of TEMPERATURES) {
    const policy = popularity.at(temperature)
    const { evaluation } = await evaluator.evaluate({ kind: 'policy', policy })
    points.push({ temperature, evaluation, truth: world.value(policy) })
  }
  return points
}
