import { HindcastError } from '../../error.js'
import type { Log } from '../../log/log.js'
import type { Split } from '../../log/split.js'
import { TRAINED_MODELS } from '../../model/trained-models.js'
import { formatCount } from '../../number-text.js'
import { mostWork } from '../choose-parameters.js'
import { fingerprintOf } from '../checkpoint.js'
import { clickGraph } from '../events.js'
import { DEFAULT_SETTINGS, type TrainSettings } from '../settings.js'
import { SOLVERS } from '../solvers/index.js'
import type { TrainOptions } from '../train.js'
import type { TrainChoices } from '../train-on-log.js'
import { rungsWithin, SIZES } from './budget.js'
import type { Alternative, DimensionName } from './dimensions.js'
import { defaultTrial, drawTrials, hasGradients, solvedTrials, type Space } from './draw-trials.js'
import { type Rung, rungsOf } from './rungs.js'
import { measureSpeeds, secondsPerStep } from './speed.js'
import { epochsFor, type StepCounter, stepCounter } from './step-counter.js'
import { type Trial, TUNED_BY, type TunedBy, type Tuning, TUNING_SCHEMA } from './tuning.js'

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
const MEASURE_SHARE = 0.05
const MEASURE_SECONDS = 2
/** Share of the time for models that are solved. */
const SOLVED_SHARE = 0.2
/** Multiplications of solvers per second on two slow cores. */
const SOLVED_SPEED = 1e10
/** Epochs, and steps, below which a first rung tells little. */
const LEAST_EPOCHS = 4
const LEAST_STEPS = 100

/** What trials are drawn from. */
export function spaceOf(log: Log, { by, settings = {}, tried = {} }: TuneChoices): Space {
  const hasPropensities = log.propensity !== undefined
  const chosen = by ?? (hasPropensities ? 'unbiased' : 'ndcg')
  if (!TUNED_BY.includes(chosen))
    throw new HindcastError('bad-option', `A tuning cannot choose by ${JSON.stringify(chosen)}.`, {
      remedy: `Choose ${TUNED_BY.join(', ')}.`,
    })
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
  const solved = affordable(split, solvedTrials(space), minutes)
  const planned = hasGradients(space)
    ? await plannedTrials(split, space, { ...choices, within: minutes, forSolved: solved.seconds }, options)
    : { trials: [], rungs: [], speeds: [], notes: [] }
  const trials: Trial[] = [
    ...planned.trials,
    ...solved.trials.map((settings): Trial => ({ role: 'solved', settings, reached: [] })),
  ]
  return {
    schema: TUNING_SCHEMA,
    by: space.ground.by,
    asked: askedText(space, choices),
    fingerprint: fingerprintOf(split),
    rungs: planned.rungs,
    speeds: planned.speeds,
    trials,
    best: null,
    notes: [...planned.notes, ...solved.notes],
  }
}

type Planned = Pick<Tuning, 'trials' | 'rungs' | 'speeds' | 'notes'>

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
  const drawn = drawTrials(space, trials ?? SIZES[0]).filter(
    (one) => JSON.stringify(one) !== JSON.stringify(defaults),
  )
  const epochs = settings?.epochs ?? (minutes === undefined ? USUAL_EPOCHS : DEFAULT_SETTINGS.epochs)
  const most = epochs * perEpoch(defaults)
  if (minutes === undefined || drawn.length === 0) {
    const rungs = rungsOf(Math.max(1, drawn.length), most)
    return { ...withRungs(defaults, drawn, rungs, perEpoch), speeds: [], notes: [] }
  }
  const began = performance.now()
  const kinds = [defaults, ...drawn]
  const speeds = await measureSpeeds(split, kinds, {
    ...options,
    seconds: Math.min(60 * minutes * MEASURE_SHARE, MEASURE_SECONDS * kinds.length),
    perEpoch,
    ...(onMeasure && { onKind: onMeasure }),
  })
  const took = (performance.now() - began) / 1000
  const rungs = rungsWithin({
    seconds: Math.max(0, 60 * minutes * TRIALS_SHARE - took - forSolved),
    defaults: secondsPerStep(defaults, speeds),
    drawn: drawn.map((one) => secondsPerStep(one, speeds)),
    ...(trials !== undefined && { trials: drawn.length }),
    least: Math.max(LEAST_STEPS, LEAST_EPOCHS * perEpoch(defaults)),
    most,
  })
  return {
    ...withRungs(defaults, drawn, rungs, perEpoch),
    speeds,
    notes: shortNotes(rungs, perEpoch(defaults)),
  }
}

/** The trials of rungs, each with the epochs of the last rung as its limit. */
function withRungs(
  defaults: TrainSettings,
  drawn: readonly TrainSettings[],
  rungs: readonly Rung[],
  perEpoch: StepCounter,
): Pick<Planned, 'trials' | 'rungs'> {
  const limited = (settings: TrainSettings): TrainSettings => ({
    ...settings,
    epochs: epochsFor(rungs.at(-1)!.steps, perEpoch(settings), settings.evaluateEvery),
  })
  return {
    rungs,
    trials: [
      { role: 'defaults', settings: limited(defaults), reached: [] },
      ...drawn
        .slice(0, rungs[0]!.trials)
        .map((settings): Trial => ({ role: 'drawn', settings: limited(settings), reached: [] })),
    ],
  }
}

const shortNotes = (rungs: readonly Rung[], perEpoch: number): string[] =>
  rungs[0]!.steps < LEAST_EPOCHS * perEpoch
    ? [
        `The time is short for this log: trials are first compared after ${formatCount(Math.max(1, Math.round(rungs[0]!.steps / perEpoch)))} epochs, which tells little about the best of them.`,
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
    throw new HindcastError('bad-option', `A tuning cannot take ${minutes} minutes.`, {
      remedy: 'Give a number of minutes above 0.',
    })
  if (trials !== undefined && !(Number.isInteger(trials) && trials >= 1 && trials <= MOST_TRIALS))
    throw new HindcastError('bad-option', `A tuning cannot have ${trials} trials.`, {
      remedy: `Give a whole number from 1 to ${formatCount(MOST_TRIALS)}.`,
    })
}

const MOST_TRIALS = 2000
