import type { Log } from '../log/log.js'
import { toyWorld } from '../world/toy.js'
import { evaluate, type EvaluateOptions } from './evaluate.js'
import type { Evaluation } from './evaluation.js'

/** The evaluation of a target, uniform unless another is given. */
export const run = async (log: Log, options: Partial<EvaluateOptions> = {}): Promise<Evaluation> =>
  (await evaluate(log, { target: { kind: 'uniform' }, ...options })).evaluation

/** The value by an estimator. */
export const valueOf = (evaluation: Evaluation, name: string): number | null =>
  evaluation.estimates.find(({ estimator }) => estimator === name)!.value

/** A world, and a log of it that nothing is wrong with. */
export const world = toyWorld({ seed: 3, users: 400, items: 20, exposures: 10, skew: 2 })
export const sound = world.draw()
