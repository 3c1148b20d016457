import type { Progress } from '../progress.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { parametersText } from './parameters-text.js'
import type { Ladder, ParameterName, Parameters, Solver, Solving } from './solvers/solver.js'
import type { Tried } from './training.js'

/** Multiplications that all tries together may take: about half a minute on two cores. The clock decides nothing. */
const BUDGET = 3e11
/** Tries at most. */
const MOST_TRIES = 9

/** The parameters a model is solved with, and what was tried to choose them. */
interface Chosen {
  readonly parameters: Parameters
  readonly tried: readonly Tried[]
  readonly notes: readonly string[]
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
  const most = Math.min(MOST_TRIES, Math.floor(BUDGET / solver.work(graph, settings)))
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
  const valueAt = async (tries: Parameters): Promise<number | null> => {
    const known = tried.find((one) => open.every(({ name }) => one.parameters[name] === tries[name]))
    if (known) return known.value
    const what = `trying ${label} with ${parametersText(tries)}`
    const { progress } = options
    const told = { ...options, ...(progress && { progress: (at: Progress) => progress({ ...at, what }) }) }
    const model = await solver.attempt(tries, { ...solving, options: told })
    const { value } = await judge.candidate(model, told)
    tried.push({ parameters: tries, value })
    return value
  }
  let best = await valueAt(parameters)
  for (const ladder of open)
    for (const direction of [1, -1] as const)
      for (;;) {
        const next = stepped(parameters, ladder, direction)
        if (!next || tried.length >= most) break
        const value = await valueAt(next)
        if (value === null || best === null || value <= best) break
        ;[parameters, best] = [next, value]
      }
  return { parameters, tried, notes: [] }
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
