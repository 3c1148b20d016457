import { badOption } from '../../error.js'
import type { Log } from '../../log/log.js'
import type { Split } from '../../log/split.js'
import { TRAINED_MODELS } from '../../model/trained-models.js'
import { formatCount } from '../../number-text.js'
import { mostWork } from '../choose-parameters.js'
import { fingerprintOf } from '../checkpoint.js'
import { easeOrSlim } from '../best-solved.js'
import { clickGraph } from '../events.js'
import { DEFAULT_SETTINGS, type TrainSettings } from '../settings.js'
import { SOLVERS } from '../solvers.js'
import type { TrainOptions } from '../train.js'
import type { TrainChoices } from '../train-on-log.js'
import { type Rung, rungsOf, rungsWithin, SIZES } from './rungs.js'
import type { Alternative, DimensionName } from './dimensions.js'
import { defaultTrial, drawTrials, hasGradients, solvedTrials, type Space } from './draw-trials.js'
import { measureSpeeds, secondsPerStep, speedKind } from './speed.js'
import { epochsFor, type StepCounter, stepCounter } from './speed.js'
import { type Pace, type Trial, TUNED_BY, type TunedBy, type Tuning, TUNING_SCHEMA } from './tuning.js'

/** The choices for a tuning; those left out follow from the log. */
export interface TuneChoices extends Pick<TrainChoices, 'split'> {
  /** What trials are chosen by; default `unbiased` where the log has propensities, else `ndcg`. */
  readonly by?: TunedBy
  /** What the whole tuning may take, turned into steps once, at the speed of this machine; default 10, unless trials are given. */
  readonly minutes?: number
  /** Trials to draw, beside the defaults and models that are solved; default as many as there is time for. */
  readonly trials?: number
  /** Settings that all trials share. */
  readonly settings?: Partial<TrainSettings>
  /** What is tried instead of the usual values, by setting. */
  readonly tried?: Readonly<Partial<Record<DimensionName, readonly Alternative[]>>>
}

const USUAL_MINUTES = 10
/** Epochs of the last rung where no time is given. */
const USUAL_EPOCHS = 200
/** Share of the time for trials: the rest is for models that are solved, the last test and what a busy machine takes. */
const TRIALS_SHARE = 0.85
/** Share of the time for the measurement, and seconds of it per kind of trial at most. */
const MEASURE_SHARE = 0.06
const MEASURE_SECONDS = 2
/** Share of the time for models that are solved. */
const SOLVED_SHARE = 0.2
/** Share of the trials’ time that the defaults may take. */
const DEFAULTS_SHARE = 0.25
/** Multiplications of solvers per second on two slow cores. */
const SOLVED_SPEED = 1e10
/** Epochs, and steps, below which a first rung tells little. */
const LEAST_EPOCHS = 4
const LEAST_STEPS = 100
/** Share of the time that must be left for a further bracket. */
const LEAST_LEFT = 0.1

/** What trials are drawn from. */
export function spaceOf(log: Log, { by, settings = {}, tried = {} }: TuneChoices): Space {
  const hasPropensities = log.propensity !== undefined
  const chosen = by ?? (hasPropensities ? 'unbiased' : 'ndcg')
  if (!TUNED_BY.includes(chosen))
    throw badOption(`A tuning cannot choose by ${JSON.stringify(chosen)}.`, `Choose ${TUNED_BY.join(', ')}.`)
  const { stopOn: _, epochs: __, ...fixed } = settings
  return {
    ground: { by: chosen, hasPropensities, items: log.itemIds.length },
    fixed,
    tried,
    seed: settings.seed ?? DEFAULT_SETTINGS.seed,
  }
}

/** What was asked for, as one text. */
export const askedText = ({ ground, fixed, tried, seed }: Space, choices: TuneChoices): string =>
  JSON.stringify({
    by: ground.by,
    minutes: choices.minutes,
    trials: choices.trials,
    epochs: choices.settings?.epochs,
    split: choices.split,
    seed,
    fixed,
    tried,
  })

export interface PlanOptions extends TrainOptions {
  /** Called before each kind of trial is measured. */
  onMeasure?: (kind: string) => void
}

/** A tuning before its first trial: which trials there are, and how long they train. The only use of the clock is here. */
export async function planTuning(
  split: Split,
  space: Space,
  choices: TuneChoices,
  options: PlanOptions,
): Promise<Tuning> {
  checkAmounts(choices)
  const minutes = choices.minutes ?? (choices.trials === undefined ? USUAL_MINUTES : undefined)
  const solved = affordable(
    split,
    solvedTrials(space, [easeOrSlim(clickGraph(split.train)), 'ials']),
    minutes,
  )
  const planned = hasGradients(space)
    ? await plannedTrials(split, space, { ...choices, within: minutes, forSolved: solved.seconds }, options)
    : { trials: [], brackets: [], pace: null, notes: [] }
  const trials: Trial[] = [
    ...planned.trials,
    ...solved.trials.map((settings): Trial => ({ role: 'solved', bracket: 0, settings, reached: [] })),
  ]
  return {
    schema: TUNING_SCHEMA,
    by: space.ground.by,
    asked: askedText(space, choices),
    fingerprint: fingerprintOf(split),
    brackets: planned.brackets,
    pace: planned.pace,
    trials,
    best: null,
    notes: [...planned.notes, ...solved.notes],
  }
}

type Planned = Pick<Tuning, 'trials' | 'brackets' | 'pace' | 'notes'>

/** The defaults and what is drawn beside them. */
async function plannedTrials(
  split: Split,
  space: Space,
  {
    within: minutes,
    forSolved,
    trials,
    settings,
  }: TuneChoices & { readonly within: number | undefined; readonly forSolved: number },
  { onMeasure, ...options }: PlanOptions,
): Promise<Planned> {
  const perEpoch = stepCounter(split.train)
  const defaults = defaultTrial(space)
  const drawn = newTrials(space, defaults, 0, trials ?? SIZES[0])
  const epochs = settings?.epochs ?? (minutes === undefined ? USUAL_EPOCHS : DEFAULT_SETTINGS.epochs)
  const most = epochs * perEpoch(defaults)
  // As many as training by itself would take at most.
  const own = (settings?.epochs ?? DEFAULT_SETTINGS.epochs) * perEpoch(defaults)
  const withDefaults = (rungs: readonly Rung[], pace: Pace | null, ownSteps: number): Planned => ({
    trials: [
      { role: 'defaults', bracket: 0, settings: limited(defaults, ownSteps, perEpoch), reached: [] },
      ...drawnTrials(drawn, rungs, 0, perEpoch),
    ],
    brackets: [rungs],
    pace,
    notes: pace ? shortNotes(rungs, perEpoch(defaults)) : [],
  })
  if (minutes === undefined || drawn.length === 0)
    return withDefaults(rungsOf(Math.max(1, drawn.length), most), null, own)
  const began = performance.now()
  const all = [defaults, ...drawn]
  const kinds = new Set(all.map(speedKind)).size
  const speeds = await measureSpeeds(split, all, {
    ...options,
    seconds: Math.min(60 * minutes * MEASURE_SHARE, MEASURE_SECONDS * kinds),
    perEpoch,
    ...(onMeasure && { onKind: onMeasure }),
  })
  const took = (performance.now() - began) / 1000
  const pace: Pace = {
    seconds: Math.max(0, 60 * minutes * TRIALS_SHARE - took - forSolved),
    speeds,
    least: Math.max(LEAST_STEPS, LEAST_EPOCHS * perEpoch(defaults)),
    most,
  }
  const perStep = secondsPerStep(defaults, speeds)
  const ownSteps = Math.min(own, (pace.seconds * DEFAULTS_SHARE) / perStep)
  const rungs = rungsWithin({
    ...pace,
    seconds: pace.seconds - ownSteps * perStep,
    drawn: drawn.map((one) => secondsPerStep(one, speeds)),
    ...(trials !== undefined && { trials: drawn.length }),
  })
  return withDefaults(rungs, pace, ownSteps)
}

/** So many trials after those that were drawn before, without the defaults. */
function newTrials(space: Space, defaults: TrainSettings, before: number, count: number): TrainSettings[] {
  const own = JSON.stringify(defaults)
  return drawTrials(space, before + count + 1)
    .filter((one) => JSON.stringify(one) !== own)
    .slice(before, before + count)
}

/** Settings with the epochs that so many steps are as their limit. */
const limited = (settings: TrainSettings, steps: number, perEpoch: StepCounter): TrainSettings => ({
  ...settings,
  epochs: epochsFor(steps, perEpoch(settings), settings.evaluateEvery),
})

/** The trials of a bracket. */
const drawnTrials = (
  drawn: readonly TrainSettings[],
  rungs: readonly Rung[],
  bracket: number,
  perEpoch: StepCounter,
): Trial[] =>
  drawn.slice(0, rungs[0]!.trials).map((settings) => ({
    role: 'drawn',
    bracket,
    settings: limited(settings, rungs.at(-1)!.steps, perEpoch),
    reached: [],
  }))

/** Seconds that the steps of all trials took, at the speeds that were measured: the clock is not asked again. */
export function secondsUsed({ trials }: Pick<Tuning, 'trials'>, { speeds }: Pace): number {
  return trials.reduce((sum, { role, settings, reached }) => {
    const steps = Math.max(0, ...reached.map((one) => one.steps))
    return role === 'solved' ? sum : sum + steps * secondsPerStep(settings, speeds)
  }, 0)
}

/**
 * The tuning with a further bracket of new trials, where those before ended early enough to leave time for one; else
 * undefined. A number of trials that was asked for is not exceeded.
 */
export function withNextBracket(
  tuning: Tuning,
  space: Space,
  choices: TuneChoices,
  perEpoch: StepCounter,
): Tuning | undefined {
  const { pace, brackets, trials } = tuning
  if (!pace || choices.trials !== undefined) return undefined
  const before = trials.filter(({ role }) => role === 'drawn').length
  const isMeasured = (settings: TrainSettings): boolean =>
    pace.speeds.some(({ kind }) => kind === speedKind(settings))
  const drawn = newTrials(space, defaultTrial(space), before, SIZES[0]).filter(isMeasured)
  const seconds = pace.seconds - secondsUsed(tuning, pace)
  if (drawn.length < 3 || seconds < LEAST_LEFT * pace.seconds) return undefined
  const speed = (settings: TrainSettings): number => secondsPerStep(settings, pace.speeds)
  const rungs = rungsWithin({ ...pace, seconds, drawn: drawn.map(speed) })
  if (rungs[0]!.steps < pace.least) return undefined
  return {
    ...tuning,
    brackets: [...brackets, rungs],
    trials: [...trials, ...drawnTrials(drawn, rungs, brackets.length, perEpoch)],
  }
}

const shortNotes = (rungs: readonly Rung[], perEpoch: number): string[] =>
  rungs[0]!.steps < LEAST_EPOCHS * perEpoch
    ? [
        `The time is short for this log: trials are first compared after ${formatCount(Math.max(1, Math.round(rungs[0]!.steps / perEpoch)))} epochs, which says little about the best of them.`,
      ]
    : []

/** The models to solve that take their share of the time at most, and how long they take together. */
function affordable(
  split: Split,
  solved: readonly TrainSettings[],
  minutes: number | undefined,
): { trials: readonly TrainSettings[]; seconds: number; notes: readonly string[] } {
  if (solved.length === 0) return { trials: [], seconds: 0, notes: [] }
  const graph = clickGraph(split.train)
  const most = minutes === undefined ? Infinity : (60 * minutes * SOLVED_SHARE) / solved.length
  const costs = solved.map((settings) => {
    const seconds = mostWork(SOLVERS[settings.model]!, graph, settings) / SOLVED_SPEED
    return { settings, seconds, fits: seconds <= most }
  })
  return {
    trials: costs.flatMap(({ settings, fits }) => (fits ? [settings] : [])),
    seconds: costs.reduce((sum, { seconds, fits }) => sum + (fits ? seconds : 0), 0),
    notes: costs
      .filter(({ fits }) => !fits)
      .map(
        ({ settings }) =>
          `${TRAINED_MODELS.named(settings.model).label} was not tried: on this log it would take too much of the time.`,
      ),
  }
}

function checkAmounts({ minutes, trials }: TuneChoices): void {
  if (minutes !== undefined && !(minutes > 0 && minutes < Infinity))
    throw badOption(`A tuning cannot take ${minutes} minutes.`, 'Give a number of minutes above 0.')
  if (trials !== undefined && !(Number.isInteger(trials) && trials >= 1 && trials <= MOST_TRIALS))
    throw badOption(
      `A tuning cannot have ${trials} trials.`,
      `Give a whole number from 1 to ${formatCount(MOST_TRIALS)}.`,
    )
}

const MOST_TRIALS = 2000
