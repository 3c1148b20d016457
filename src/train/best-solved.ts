import { isInterruption } from '../error.js'
import type { Graph } from '../graph/graph.js'
import type { Split } from '../log/split.js'
import { easeWork } from '../model/ease.js'
import { toTheEnd, type WorkOptions } from '../model/long-work.js'
import type { ClickModel } from '../model/model.js'
import type { TrainedModelName } from '../model/trained-models.js'
import { besideModel } from './baselines.js'
import { TRY_BUDGET } from './choose-parameters.js'
import { clickGraph } from './events.js'
import { bpr } from './losses/index.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'
import { solve, type SolveOptions } from './solve.js'
import { train, type Trained, type TrainOptions } from './train.js'

/** The models that are solved where none was chosen; of equal ones the first is kept. */
export const SOLVED_BY_DEFAULT = ['ials', 'ease', 'popularity'] as const satisfies readonly TrainedModelName[]

/** The same for a graph, on which SLIM may have to stand in for EASE. */
export const solvedFor = (graph: Graph): readonly TrainedModelName[] =>
  SOLVED_BY_DEFAULT.map((model) => (model === 'ease' ? easeOrSlim(graph) : model))

/**
 * Solves iALS, EASE and popularity, and keeps the one that ranks the validation part best: each of them is the best on
 * some logs. Those left behind stand beside it in `ranked`. On large catalogues SLIM stands in for EASE.
 */
export async function solveBest(
  split: Split,
  settings: TrainSettings,
  options: SolveOptions = {},
): Promise<Trained<ClickModel>> {
  const done: Trained<ClickModel>[] = []
  const notes: string[] = []
  const models = solvedFor(clickGraph(split.train))
  if (!models.includes('ease'))
    notes.push('SLIM was tried instead of EASE, which takes long on a catalogue of this size.')
  for (const model of models) {
    try {
      done.push(await solve(split, { ...settings, model }, options))
    } catch (error) {
      if (!isInterruption(error) || done.length === 0) throw error
      return asOneOf(done, notes, toTheEnd(options), true)
    }
    if (done.at(-1)!.training.stopped === 'interrupted') return asOneOf(done, notes, toTheEnd(options), true)
  }
  return asOneOf(done, notes, toTheEnd(options), false)
}

/**
 * Trains by gradients, and solves popularity beside it: the one that ranks the validation part better is kept. Where a log
 * shows nothing personal, or too little, gradients learn noise that popularity does not.
 */
export async function trainOrPopularity(
  split: Split,
  settings: TrainSettings,
  options: TrainOptions & WorkOptions = {},
): Promise<Trained<ClickModel>> {
  const trained = await train(split, settings, options)
  const { stopped, best } = trained.training
  if (stopped === 'interrupted' || best.value === null) return trained
  const { unbiased, testLog } = options
  const simplest = await solve(
    split,
    { ...settings, model: 'popularity', loss: bpr.name, regulariser: DEFAULT_SETTINGS.regulariser },
    { ...toTheEnd(options), ...(unbiased && { unbiased }), ...(testLog && { testLog }) },
  )
  return asOneOf([trained, simplest], [], toTheEnd(options), false)
}

/** The best of some models by the validation part, with the others beside it. */
async function asOneOf(
  done: readonly Trained<ClickModel>[],
  notes: readonly string[],
  work: WorkOptions,
  interrupted: boolean,
): Promise<Trained<ClickModel>> {
  const valueOf = ({ training }: Trained<ClickModel>): number => training.best.value ?? -Infinity
  const best = done.reduce((a, b) => (valueOf(b) > valueOf(a) ? b : a))
  const { training } = best
  const { byUser } = await best.judge.compared(best.model, work)
  const ranked = [training.ranked[0]!]
  // Each by its own judge, which has ranked it.
  for (const { model, judge } of done)
    if (model !== best.model)
      ranked.push({ model: model.kind, ...(await besideModel(model, byUser, judge, work)) })
  return {
    ...best,
    training: {
      ...training,
      ...(interrupted && { stopped: 'interrupted' as const }),
      chosenFrom: done.map(({ model, training: { best: of } }) => ({ model: model.kind, value: of.value })),
      ranked,
      notes: [...training.notes, ...notes],
    },
  }
}

/**
 * EASE, or SLIM where one solution of EASE takes longer than all tries may: it is EASE among the neighbours of each item.
 * How long EASE takes follows from the number of items, not from the clock, so that the same log gives the same model.
 */
export const easeOrSlim = (graph: Graph): 'ease' | 'slim' =>
  easeWork(graph).multiplications > TRY_BUDGET ? 'slim' : 'ease'
