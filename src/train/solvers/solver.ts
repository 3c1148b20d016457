import type { Graph } from '../../graph/graph.js'
import type { ClickModel } from '../../model/model.js'
import type { WorkOptions } from '../../model/long-work.js'
import type { Judge } from '../judge.js'
import type { TrainSettings } from '../settings.js'
import type { TrainOptions } from '../train.js'
import type { EpochRecord } from '../training.js'

/** The numbers that a solved model depends on, besides the clicks. */
export type ParameterName = 'lambda' | 'unobserved' | 'neighbours' | 'shrinkage'
export type Parameters = Readonly<Partial<Record<ParameterName, number>>>

/** What a model is solved from, and who judges it. */
export interface Solving {
  readonly graph: Graph
  readonly settings: TrainSettings
  readonly judge: Judge
  readonly options: WorkOptions & Pick<TrainOptions, 'onEpoch'>
}

/** A solved model, what the validation part says of it, and, with sweeps, how they went and which was kept. */
export interface Solution {
  readonly model: ClickModel
  readonly epochs: readonly EpochRecord[]
  readonly best: { readonly epoch: number; readonly value: number | null }
  /** Whether it was interrupted, and this is the best model up to then. */
  readonly interrupted?: boolean
}

/** A parameter that is tried at several values. */
export interface Ladder {
  readonly name: ParameterName
  /** Ascending. */
  readonly values: readonly number[]
}

/** How a model is solved, and what about it can be chosen. */
export interface Solver {
  /** Values for parameters that were not given and are not tried. */
  readonly usual: Parameters
  /** Parameters that are tried, in this order, starting from the usual values. */
  readonly ladders: readonly Ladder[]
  /** Multiplications of one try, before it is judged. */
  work(graph: Graph, settings: TrainSettings): number
  /** Multiplications of scoring all items for one user, which judging a try takes. */
  scoring(graph: Graph, settings: TrainSettings): number
  /** The model with these parameters; a cheaper one to choose them by where there is also `solve`. */
  attempt(parameters: Parameters, solving: Solving): Promise<ClickModel>
  /** The model in earnest, where a try is not enough. */
  solve?(parameters: Parameters, solving: Solving): Promise<Solution>
}
