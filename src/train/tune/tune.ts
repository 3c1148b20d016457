import { advice, set } from '../../advice.js'
import { badOption, HindcastError } from '../../error.js'
import { type Log, takeRows } from '../../log/log.js'
import type { Split } from '../../log/split.js'
import type { WorkOptions } from '../../model/long-work.js'
import { isLinear } from '../../model/trained-models.js'
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint, fingerprintOf } from '../checkpoint.js'
import type { TrainSettings } from '../settings.js'
import { solve } from '../solve.js'
import { splitFor } from '../train-on-log.js'
import { train, type TrainOptions } from '../train.js'
import type { Space } from './draw-trials.js'
import {
  askedText,
  type PlanOptions,
  planTuning,
  secondsUsed,
  spaceOf,
  type TuneChoices,
  withNextBracket,
} from './plan-tuning.js'
import { stepsOf } from './rungs.js'
import { epochsFor, stepCounter } from './speed.js'
import { bestTrial, type Reached, type Trial, trialsIn, type Tuning } from './tuning.js'

export interface TuneOptions extends Omit<PlanOptions, 'keep' | 'resume'>, WorkOptions {
  /** Where checkpoints of trials are kept; default in memory. */
  store?: TrialStore
  /** Receives the tuning after its plan and after every trial; it waits for it to be saved. */
  save?: (tuning: Tuning) => Promise<void>
  /** Continues a tuning that was saved, to the same choice. */
  resume?: Tuning
  /** Called before each trial of a rung. */
  onTrial?: (at: TrialProgress) => void
}

/** Which trial trains, and how far the tuning is. */
export interface TrialProgress {
  readonly tuning: Tuning
  readonly number: number
  /** Counted from 0; the rung is null for the defaults and for a model that is solved. */
  readonly bracket: number
  readonly rung: number | null
  /** The place of the trial among those of its rung, counted from 0, and how many those are. */
  readonly place: number
  readonly of: number
  /** Epochs after which it ends, or its rung does. */
  readonly epochs: number
  /** Share of all work that is done. */
  readonly share: number
}

/**
 * Chooses settings by successive halving: drawn trials train for a few steps, the best third for three times as many,
 * and so on; time that is left goes to further brackets of new trials. Trials are trained on the training part and compared on the validation part of the split that `trainOnLog`
 * makes with the same seed; the test part is not there. Minutes become steps before the first trial and never again: the
 * same log and choices, with the same measured speeds, give the same trials, values and choice, at one go or resumed.
 */
export async function tune(log: Log, choices: TuneChoices = {}, options: TuneOptions = {}): Promise<Tuning> {
  const space = spaceOf(log, choices)
  requireMeasure(space, options)
  const { seed, fixed } = space
  const split = withoutTest(splitFor(log, choices, { seed, ...(fixed.model && { model: fixed.model }) }))
  const { resume, ...others } = options
  const begun = resume
    ? sameTuning(resume, askedText(space, choices), split)
    : await planTuning(split, space, choices, others)
  return search(split, begun, { ...others, space, choices })
}

/** What corrects for exposure needs to know it. */
function requireMeasure(
  { ground: { by, hasPropensities }, fixed: { model } }: Space,
  { unbiased }: TuneOptions,
): void {
  if (model !== undefined && isLinear(model) && by !== 'lower-bound')
    throw badOption(
      `A tuning of policies over features cannot choose by ${by}.`,
      'They do not rank items for a user: choose by lower-bound.',
    )
  if (hasPropensities || by === 'ndcg' || (by === 'unbiased' && unbiased)) return
  throw new HindcastError(
    'missing-propensity',
    `A tuning cannot choose by ${by} on this log: it has no propensities.`,
    {
      remedy: advice`Choose by ndcg${by === 'unbiased' ? advice`, give a log of uniform exposure (${set('unbiased', 'FILE')})` : ''}, or have propensities estimated (${set('propensity')}).`,
    },
  )
}

/** The parts that trials see. */
const withoutTest = (split: Split): Split => ({ ...split, test: takeRows(split.test, new Uint32Array(0)) })

/** The saved tuning, if it answers the same question on the same log. */
function sameTuning(saved: Tuning, asked: string, split: Split): Tuning {
  const remedy = advice`Give what was given before, or start again without ${set('resume')}.`
  if (saved.asked !== asked) throw badOption('The tuning was begun with other choices.', remedy)
  if (saved.fingerprint !== fingerprintOf(split))
    throw badOption('The tuning comes from another log, or another split of it.', remedy)
  return saved
}

/** Runs the trials of a tuning, one after the other. What was done before is in the tuning, and is not done again. */
async function search(
  split: Split,
  begun: Tuning,
  {
    space,
    choices,
    ...options
  }: Omit<TuneOptions, 'resume'> & { readonly space: Space; readonly choices: TuneChoices },
): Promise<Tuning> {
  const { store = trialsInMemory(), ...passed } = options
  const perEpoch = stepCounter(split.train)
  let tuning = begun
  const save = async (next: Tuning): Promise<void> => {
    tuning = next
    await options.save?.(next)
  }
  const record = (number: number, trial: Trial): Promise<void> =>
    save({ ...tuning, trials: tuning.trials.with(number, trial) })
  const tell = (
    number: number,
    at: Pick<TrialProgress, 'bracket' | 'rung' | 'place' | 'of' | 'epochs'>,
  ): void => options.onTrial?.({ ...at, tuning, number, share: shareDone(tuning) })

  const runDefaults = async (): Promise<void> => {
    const number = tuning.trials.findIndex(({ role }) => role === 'defaults')
    const trial = tuning.trials[number]
    if (!trial || trial.reached.length > 0) return
    const { settings } = trial
    tell(number, { bracket: 0, rung: null, place: 0, of: 1, epochs: settings.epochs })
    const reached = await runTrial(split, { number, settings, epochs: settings.epochs }, { ...passed, store })
    await record(number, { ...trial, reached: [reached] })
  }

  const solveAll = async (): Promise<void> => {
    const solved = tuning.trials.flatMap(({ role }, number) => (role === 'solved' ? [number] : []))
    for (const [place, number] of solved.entries()) {
      const trial = tuning.trials[number]!
      if (trial.reached.length > 0) continue
      tell(number, { bracket: 0, rung: null, place, of: solved.length, epochs: 0 })
      const { settings, reached } = await runSolved(split, trial.settings, passed)
      await record(number, { ...trial, settings, reached: [reached] })
    }
  }

  /** Takes the trials of a rung to its end, and forgets each as soon as enough others are better. */
  const climb = async (bracket: number, rung: number): Promise<void> => {
    const rungs = tuning.brackets[bracket]!
    const members = trialsIn({ bracket, rung }, tuning)
    for (const [place, number] of members.entries()) {
      const trial = tuning.trials[number]!
      if (trial.reached.length > rung) continue
      const { settings, reached } = trial
      const epochs = epochsFor(rungs[rung]!.steps, perEpoch(settings), settings.evaluateEvery)
      tell(number, { bracket, rung, place, of: members.length, epochs })
      const before = reached.at(-1)
      const next =
        before && before.stopped !== 'rung'
          ? { ...before, seconds: 0 }
          : await runTrial(split, { number, settings, epochs }, { ...passed, store })
      await record(number, { ...trial, reached: [...reached, next] })
      if (rung + 1 === rungs.length) continue
      const ahead = trialsIn({ bracket, rung: rung + 1 }, tuning)
      for (const done of members.slice(0, place + 1)) if (!ahead.includes(done)) await store.drop(done)
    }
  }

  await save(tuning)
  await solveAll()
  await runDefaults()
  for (let bracket = 0; bracket < tuning.brackets.length; bracket++) {
    for (let rung = 0; rung < tuning.brackets[bracket]!.length; rung++) await climb(bracket, rung)
    const isLast = bracket + 1 === tuning.brackets.length
    const further =
      isLast && tuning.best === null ? withNextBracket(tuning, space, choices, perEpoch) : undefined
    if (further) await save(further)
  }
  await save({ ...tuning, best: bestTrial(tuning) })
  return tuning
}

/** Share of the time that is used, at the speeds that were measured; without a time, of the steps of all rungs, trials that ended early counting as if they had taken theirs. */
function shareDone(tuning: Pick<Tuning, 'brackets' | 'pace' | 'trials'>): number {
  const { brackets, pace, trials } = tuning
  if (pace) return Math.min(1, secondsUsed(tuning, pace) / Math.max(pace.seconds, Number.MIN_VALUE))
  const rungs = brackets[0]
  if (!rungs) return 0
  const done = trials.reduce(
    (sum, { role, reached }) => sum + (role === 'drawn' ? (rungs[reached.length - 1]?.steps ?? 0) : 0),
    0,
  )
  return Math.min(1, done / stepsOf(rungs))
}

/** Keeps the newest checkpoint of each trial, by its number. */
export interface TrialStore {
  newest(trial: number): Promise<Checkpoint | undefined>
  keep(trial: number, checkpoint: Checkpoint): Promise<void>
  /** Forgets a trial that is not continued. */
  drop(trial: number): Promise<void>
}

/** Checkpoints in memory, for as long as the tuning takes; as bytes, because the kernel goes on with its arrays. */
export function trialsInMemory(): TrialStore {
  const kept = new Map<number, Uint8Array>()
  return {
    newest: async (trial) => {
      const bytes = kept.get(trial)
      return bytes && decodeCheckpoint(bytes, `trial ${trial}`)
    },
    keep: async (trial, checkpoint) => void kept.set(trial, encodeCheckpoint(checkpoint)),
    drop: async (trial) => void kept.delete(trial),
  }
}

interface RunTrialOptions extends TrainOptions, WorkOptions {
  readonly store: TrialStore
}

/**
 * Trains a trial from where it was until so many epochs are done, by the same steps as a training in one go: at the end
 * of the last rung it has the bits that `train` gives with its settings. A trial that diverges is out.
 */
async function runTrial(
  split: Split,
  { number, settings, epochs }: { number: number; settings: TrainSettings; epochs: number },
  { store, ...options }: RunTrialOptions,
): Promise<Reached> {
  const began = performance.now()
  const resume = await store.newest(number)
  try {
    const { training } = await train(
      split,
      { ...settings, epochs },
      { ...options, keep: (checkpoint) => store.keep(number, checkpoint), ...(resume && { resume }) },
    )
    if (training.stopped === 'interrupted')
      throw new HindcastError('interrupted', 'The trial was interrupted.', { cause: options.signal?.reason })
    const last = training.epochs.at(-1)!
    return {
      epochs: last.epoch,
      steps: last.steps,
      epoch: training.best.epoch,
      value: training.best.value,
      stopped: training.stopped === 'patience' ? 'patience' : 'rung',
      seconds: secondsSince(began),
    }
  } catch (error) {
    if (!(error instanceof HindcastError && error.code === 'diverged')) throw error
    const seconds = secondsSince(began)
    return { epochs: 0, steps: 0, epoch: 0, value: null, stopped: 'diverged', seconds }
  }
}

/** Solves a model, which chooses its own numbers on the validation part; the settings then have them. */
async function runSolved(
  split: Split,
  settings: TrainSettings,
  options: WorkOptions & Pick<TrainOptions, 'unbiased'>,
): Promise<{ settings: TrainSettings; reached: Reached }> {
  const began = performance.now()
  const { training } = await solve(split, settings, options)
  return {
    settings: training.settings,
    reached: {
      epochs: 0,
      steps: 0,
      epoch: training.best.epoch,
      value: training.best.value,
      stopped: 'solved',
      seconds: secondsSince(began),
    },
  }
}

const secondsSince = (began: number): number => (performance.now() - began) / 1000
