import { isInterruption } from '../error.js'
import type { Graph } from '../graph/graph.js'
import type { Progress } from '../progress.js'
import type { ClickModel } from '../model/model.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { mostJudged } from './judged-rows.js'
import { parametersText } from './parameters-text.js'
import type { TrainSettings } from './settings.js'
import type { Ladder, ParameterName, Parameters, Solver, Solving } from './solvers.js'
import type { Tried } from './training.js'

/** Multiplications that all tries together may take, judging them included: about half a minute on two cores. The clock decides nothing. */
export const TRY_BUDGET = 3e11
/** Tries at most. */
const MOST_TRIES = 9

/** Multiplications that choosing the parameters of a model may take, all tries together. */
export const mostWork = (solver: Solver, graph: Graph, settings: TrainSettings): number => {
  const one = workOfOne(solver, graph, settings)
  return solver.ladders.length === 0 || TRY_BUDGET < 2 * one ? one : Math.min(TRY_BUDGET, MOST_TRIES * one)
}

/** Multiplications of one try and of judging it. */
const workOfOne = (solver: Solver, graph: Graph, settings: TrainSettings): number =>
  solver.work(graph, settings) +
  Math.min(graph.users, mostJudged(graph.items)) * solver.scoring(graph, settings)

/** The parameters a model is solved with, and what was tried to choose them. */
interface Chosen {
  readonly parameters: Parameters
  readonly tried: readonly Tried[]
  readonly notes: readonly string[]
  /** The model of the best try, and what the validation part says of it; undefined where nothing was tried. */
  readonly best?: { readonly model: ClickModel; readonly value: number | null }
  /** Whether the tries were interrupted, and `best` is the best up to then. */
  readonly interrupted?: boolean
}

/**
 * Parameters that were given stay. The others start at their usual values and climb: each ladder is followed from there
 * as long as the validation clicks are ranked better, first up, then down. Where one try costs more than half the
 * budget, the usual values are taken, and a note says so.
 */
export async function chooseParameters(solver: Solver, solving: Solving): Promise<Chosen> {
  const { settings, graph, judge, options } = solving
  const given = givenOf(solver, solving)
  const open = solver.ladders.filter(({ name }) => given[name] === undefined)
  let parameters: Parameters = { ...solver.usual, ...given }
  const { label } = TRAINED_MODELS.named(settings.model)
  const most = Math.min(MOST_TRIES, Math.floor(TRY_BUDGET / workOfOne(solver, graph, settings)))
  if (open.length === 0 || judge.validationClicks === 0) return { parameters, tried: [], notes: [] }
  if (most < 2)
    return {
      parameters,
      tried: [],
      notes: [
        `${label} has its usual ${parametersText(parameters)}: trying others would take long on this log.`,
      ],
    }
  const tried: Tried[] = []
  const attempt = async (tries: Parameters): Promise<NonNullable<Chosen['best']>> => {
    const what = `trying ${label} with ${parametersText(tries)}`
    const { progress } = options
    const told = { ...options, ...(progress && { progress: (at: Progress) => progress({ ...at, what }) }) }
    const model = await solver.attempt(tries, { ...solving, options: told })
    const { value } = await judge.candidate(model, told)
    tried.push({ parameters: tries, value })
    return { model, value }
  }
  const isNew = (next: Parameters): boolean =>
    !tried.some((one) => open.every(({ name }) => one.parameters[name] === next[name]))
  let best: Chosen['best']
  try {
    best = await attempt(parameters)
    for (const ladder of open)
      for (const direction of [1, -1] as const)
        for (;;) {
          const next = stepped(parameters, ladder, direction)
          // What was tried before was no better, or it would have been kept.
          if (!next || tried.length >= most || !isNew(next)) break
          const found = await attempt(next)
          if (found.value === null || best.value === null || found.value <= best.value) break
          ;[parameters, best] = [next, found]
        }
  } catch (error) {
    if (!best || !isInterruption(error)) throw error
    return { parameters, tried, notes: [], best, interrupted: true }
  }
  return { parameters, tried, notes: [], best }
}

const givenOf = (solver: Solver, { settings }: Solving): Parameters =>
  Object.fromEntries(
    (Object.keys(solver.usual) as ParameterName[]).flatMap((name) =>
      settings[name] === undefined ? [] : [[name, settings[name]]],
    ),
  )

/** The parameters one step up or down a ladder; undefined at its end. */
function stepped(
  parameters: Parameters,
  { name, values }: Ladder,
  direction: 1 | -1,
): Parameters | undefined {
  const value = values[values.indexOf(parameters[name]!) + direction]
  return value === undefined ? undefined : { ...parameters, [name]: value }
}
