import { isInterruption } from '../error.js'
import { degreeOf, type Graph } from '../graph/graph.js'
import { EASE_LAMBDA, easeModel, easeWork } from '../model/ease.js'
import {
  IALS_WEIGHTS,
  type IalsModel,
  ialsModel,
  type IalsSweep,
  ialsSweeps,
  ialsWork,
} from '../model/ials.js'
import { itemKnnModel, SLIM_USUAL, slimModel } from '../model/item-weights.js'
import type { WorkOptions } from '../model/long-work.js'
import type { ClickModel } from '../model/model.js'
import { popularityModel } from '../model/popularity.js'
import type { TrainedModelName } from '../model/trained-models.js'
import type { Judge } from './judge.js'
import type { TrainSettings } from './settings.js'
import { stoppingField } from './stopping-measures.js'
import type { TrainOptions } from './train.js'
import type { EpochRecord } from './training.js'

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

/** Pairs of clicks of one user: steps that finding the neighbours of all items takes. */
function clickPairs({ users, byUser }: Graph): number {
  let pairs = 0
  for (let user = 0; user < users; user++) pairs += degreeOf(byUser, user) ** 2
  return pairs
}

const itemKnnSolver: Solver = {
  usual: { neighbours: 100, shrinkage: 10 },
  ladders: [],
  work: clickPairs,
  scoring: ({ items }) => items,
  attempt: ({ neighbours, shrinkage }, { graph, options }) =>
    itemKnnModel(graph, {
      ...options,
      ...(neighbours !== undefined && { neighbours }),
      ...(shrinkage !== undefined && { shrinkage }),
    }),
}

/** EASE among neighbours, with λ tried from the usual one in the direction that ranks better. */
const slimSolver: Solver = {
  usual: SLIM_USUAL,
  ladders: [{ name: 'lambda', values: [1, 2, 5, 10, 20, 50, 100, 200, 500] }],
  // Plain loops, ten times slower than a large matrix; two items are both neighbours of at most as many as each has.
  work(graph, { neighbours = SLIM_USUAL.neighbours }) {
    const size = Math.min(neighbours, graph.items)
    return 10 * ((graph.items * size * size * size) / 6 + size * clickPairs(graph))
  },
  scoring: ({ items }) => items,
  attempt: ({ neighbours, lambda }, { graph, options }) =>
    slimModel(graph, {
      ...options,
      ...(neighbours !== undefined && { neighbours }),
      ...(lambda !== undefined && { lambda }),
    }),
}

/** EASE, with λ tried from the usual 500 in the direction that ranks better. */
const easeSolver: Solver = {
  usual: { lambda: EASE_LAMBDA },
  ladders: [{ name: 'lambda', values: [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] }],
  work: (graph) => easeWork(graph).multiplications,
  // Rows of weights are added up plainly, several times slower than a matrix is solved.
  scoring: ({ users, items, edges }) => (4 * items * edges) / users,
  attempt: ({ lambda }, { graph, options }) =>
    easeModel(graph, { ...options, ...(lambda !== undefined && { lambda }) }),
}

/** Sweeps of a try: after these the order of parameters rarely changes. */
const TRIED_SWEEPS = 6

/** iALS, with λ and the weight of pairs without a click tried in turn. Every sweep is judged, and the best is kept. */
const ialsSolver: Solver = {
  usual: IALS_WEIGHTS,
  ladders: [
    { name: 'lambda', values: [3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3] },
    { name: 'unobserved', values: [0.003, 0.01, 0.03, 0.1, 0.3, 1] },
  ],
  work: (graph, { dim, epochs }) => Math.min(TRIED_SWEEPS, epochs) * ialsWork(graph, dim),
  scoring: ({ items }, { dim }) => items * dim,
  attempt: (parameters, { graph, settings: { dim, seed, epochs }, options }) =>
    ialsModel(graph, { ...options, ...parameters, dim, seed, sweeps: Math.min(TRIED_SWEEPS, epochs) }),
  async solve(parameters, { graph, settings, judge, options }): Promise<Solution> {
    const { dim, seed, epochs, evaluateEvery, patience, minimumGain } = settings
    const records: EpochRecord[] = []
    let kept: { model: IalsModel; epoch: number; value: number | null } | undefined
    let began = performance.now()
    const sweeps = ialsSweeps(graph, { ...options, ...parameters, dim, seed, sweeps: epochs })
    const judged = async ({ sweep, objective, model }: IalsSweep): Promise<void> => {
      const solved = performance.now()
      const isJudged = sweep % evaluateEvery === 0 || sweep === epochs
      const swept = model()
      const judgement = isJudged ? await judge.candidate(swept, options) : undefined
      const value = judgement?.value ?? null
      if (!kept || kept.value === null || (value !== null && value > kept.value + minimumGain))
        kept = { model: swept, epoch: sweep, value }
      const record: EpochRecord = {
        epoch: sweep,
        steps: sweep,
        loss: objective() / graph.edges,
        ndcg: judgement?.metrics?.ndcg.value ?? null,
        recall: judgement?.metrics?.recall.value ?? null,
        snips: judgement?.snips ?? null,
        ...stoppingField(settings.stopOn, value),
        weights: { mean: 1, max: 1, essRatio: 1, topPercentShare: equalTopShare(graph.edges) },
        trainSeconds: (solved - began) / 1000,
        seconds: (performance.now() - began) / 1000,
      }
      records.push(record)
      options.onEpoch?.(record)
      began = performance.now()
    }
    let interrupted = false
    try {
      for await (const sweep of sweeps) {
        await judged(sweep)
        if (sweep.sweep - kept!.epoch >= patience * evaluateEvery) break
      }
    } catch (error) {
      if (!kept || !isInterruption(error)) throw error
      interrupted = true
    }
    const { model, epoch, value } = kept!
    return { model, epochs: records, best: { epoch, value }, ...(interrupted && { interrupted }) }
  },
}

/** Share of equal weights on the heaviest 1 % of events. */
const equalTopShare = (events: number): number => Math.max(1, Math.round(events / 100)) / events

const popularity: Solver = {
  usual: {},
  ladders: [],
  work: ({ edges }) => edges,
  scoring: ({ items }) => items,
  attempt: async (_, { graph }) => popularityModel(graph),
}

/** How each model that is solved is solved. */
export const SOLVERS: Readonly<Partial<Record<TrainedModelName, Solver>>> = {
  popularity,
  slim: slimSolver,
  'item-knn': itemKnnSolver,
  ease: easeSolver,
  ials: ialsSolver,
}
