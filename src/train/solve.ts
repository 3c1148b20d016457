import { advice, set } from '../advice.js'
import { badOption, HindcastError, isInterruption } from '../error.js'
import type { Split } from '../log/split.js'
import { toTheEnd, type WorkOptions } from '../model/long-work.js'
import type { ClickModel } from '../model/model.js'
import { formatCount } from '../number-text.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { checkSettings } from './check-settings.js'
import { clickGraph, eventsOf } from './events.js'
import { type Judge, judgeOf } from './judge.js'
import { loggedParts, type Training, TRAINING_SCHEMA, type Tried } from './training.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'
import { chooseParameters } from './choose-parameters.js'
import { type Parameters, type Solution, type Solver, type Solving, SOLVERS } from './solvers.js'
import type { Trained, TrainOptions } from './train.js'
import { weightsReport } from './weights-report.js'

/** What solving takes of the options of a training. */
export type SolveOptions = WorkOptions & Pick<TrainOptions, 'onEpoch' | 'resume' | 'unbiased' | 'testLog'>

/**
 * Solves a model from the training clicks of a split: popularity, item kNN, EASE or iALS. Parameters that were not given
 * are chosen on the validation part, by the measure that training stops on, within a budget of multiplications; the test
 * part is used once, at the end. The same split and settings give the same bits, on any number of threads.
 */
export async function solve(
  split: Split,
  chosen: Partial<TrainSettings>,
  options: SolveOptions = {},
): Promise<Trained<ClickModel>> {
  const settings = checkSettings({ ...DEFAULT_SETTINGS, ...chosen })
  if (options.resume)
    throw badOption(
      'The checkpoint was made by training another model.',
      advice`Give the same settings as before, or start again without ${set('resume')}.`,
    )
  const graph = clickGraph(split.train)
  const { count } = eventsOf(split.train, graph, settings.loss)
  const judge = judgeOf(split, graph, settings, options)
  const solver = SOLVERS[settings.model]!
  const solving: Solving = { graph, settings, judge, options }
  const { parameters, tried, notes, solution } = await solved(solver, solving)
  const { model, epochs, best, interrupted } = solution
  const ranked = await judge.ranked(model, toTheEnd(options))
  const ones = new Float64Array(count).fill(1)
  return {
    model,
    judge,
    training: {
      schema: TRAINING_SCHEMA,
      log: loggedParts(split, graph, judge),
      settings: { ...settings, ...parameters },
      weights: weightsReport({ raw: ones, effective: ones, counts: ones }, settings),
      epochs,
      best: {
        epoch: best.epoch,
        value: judge.keptValue(best.value, ranked),
        measure: settings.stopOn,
      },
      stopped: interrupted ? 'interrupted' : 'solved',
      ...(tried.length > 0 && { tried }),
      ...(judge.testLog && { testLog: judge.testLog }),
      ranked: [
        {
          model: model.kind,
          ...ranked,
          ...(await judge.atLast(model, false, toTheEnd(options))),
        },
      ],
      notes: [
        ...notes,
        ...(tried.length + epochs.length > 0 ? sampleNotes(settings, judge) : []),
        ...judge.unbiasedNotes(best.value),
        ...notesOn(split, settings, judge, parameters),
      ],
    },
  }
}

/**
 * The model in earnest, or the best that was tried where it was interrupted before. Without either, an interruption is
 * an error that says so.
 */
async function solved(
  solver: Solver,
  solving: Solving,
): Promise<
  Pick<Training, 'notes'> & { parameters: Parameters; tried: readonly Tried[]; solution: Solution }
> {
  const { label } = TRAINED_MODELS.named(solving.settings.model)
  try {
    const { best, interrupted = false, ...chosen } = await chooseParameters(solver, solving)
    const asTried = (): Promise<Solution> => solutionOf(best, chosen.parameters, solver, solving)
    if (interrupted) return { ...chosen, solution: { ...(await asTried()), interrupted } }
    const solution = await (solver.solve?.(chosen.parameters, named(solving)) ?? asTried()).catch(
      async (error: unknown) => {
        if (!best || !isInterruption(error)) throw error
        return { ...(await asTried()), interrupted: true }
      },
    )
    return { ...chosen, solution }
  } catch (error) {
    if (!isInterruption(error)) throw error
    throw new HindcastError('interrupted', `${label} was interrupted before a first model was solved.`, {
      remedy: 'Nothing is saved, since an unfinished solution cannot rank: start again.',
      cause: error,
    })
  }
}

/** With the name of the model in what is said of the progress. */
const named = (solving: Solving): Solving => {
  const { progress } = solving.options
  const { label } = TRAINED_MODELS.named(solving.settings.model)
  return progress
    ? {
        ...solving,
        options: { ...solving.options, progress: (at) => progress({ ...at, what: `${at.what} ${label}` }) },
      }
    : solving
}

/** The best model that was tried, or one that is made now and judged. */
async function solutionOf(
  tried: { readonly model: ClickModel; readonly value: number | null } | undefined,
  parameters: Parameters,
  solver: Solver,
  solving: Solving,
): Promise<Solution> {
  const { judge, options } = solving
  const model = tried?.model ?? (await solver.attempt(parameters, named(solving)))
  const value = tried ? tried.value : (await judge.candidate(model, toTheEnd(options))).value
  return { model, epochs: [], best: { epoch: 0, value } }
}

/** That candidates were judged on some users, where they were. */
const sampleNotes = ({ model }: TrainSettings, { sample }: Judge): string[] =>
  sample
    ? [
        `To save time, candidates for ${TRAINED_MODELS.named(model).label} were judged on ${formatCount(sample.users)} of ${formatCount(sample.of)} users with validation clicks, drawn by the seed. The final numbers are of all users.`,
      ]
    : []

function notesOn(
  { train }: Split,
  { model, stopOn }: TrainSettings,
  judge: Judge,
  parameters: Parameters,
): Training['notes'] {
  const { label } = TRAINED_MODELS.named(model)
  return [
    ...(train.propensity
      ? [
          `The model (${label}) does not weight clicks by propensity, so it learns what was shown along with what is liked.`,
        ]
      : []),
    ...(judge.validationClicks === 0 && stopOn !== 'snips' && Object.keys(parameters).length > 0
      ? [`The validation part has no click that training has not seen, so nothing was chosen by it.`]
      : []),
  ]
}
