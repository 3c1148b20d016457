import { isInterruption } from '../../error.js'
import type { EpochRecord } from '../training.js'
import {
  IALS_WEIGHTS,
  type IalsModel,
  ialsModel,
  type IalsSweep,
  ialsSweeps,
  ialsWork,
} from '../../model/ials.js'
import { stoppingField } from '../stopping-measures.js'
import type { Solution, Solver } from './solver.js'

/** Sweeps of a try: after these the order of parameters rarely changes. */
const TRIED_SWEEPS = 6

/** iALS, with λ and the weight of pairs without a click tried in turn. Every sweep is judged, and the best is kept. */
export const ialsSolver: Solver = {
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
        weights: { mean: 1, max: 1, essRatio: 1, topPercentShare: topShare(graph.edges) },
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
const topShare = (events: number): number => Math.max(1, Math.round(events / 100)) / events
