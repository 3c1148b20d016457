import type { Certificate } from '../certificate.js'
import type { TrainSettings } from '../settings.js'
import type { StoppingMeasure } from '../stopping-measures.js'
import type { RankedModel } from '../training.js'
import type { Rung } from './rungs.js'

export const TUNING_SCHEMA = 'hindcast.tuning/1'

/** What trials are chosen by, on the validation part: measures that a training can stop on. */
export const TUNED_BY = ['ndcg', 'unbiased', 'lower-bound'] as const satisfies readonly StoppingMeasure[]

export type TunedBy = (typeof TUNED_BY)[number]

/** What a trial had reached when a rung ended. */
export interface Reached {
  /** Epochs and steps done; 0 for a model that is solved. */
  readonly epochs: number
  readonly steps: number
  /** The best epoch so far and its value on the validation part; null where that is undefined, or training diverged. */
  readonly epoch: number
  readonly value: number | null
  /** Why it ended: at the rung or its last epoch, out of patience, diverged, or solved. */
  readonly stopped: 'rung' | 'patience' | 'diverged' | 'solved'
  readonly seconds: number
}

/** One choice of settings, and how far it came. */
export interface Trial {
  /** The defaults, trained by themselves until they stop or their share of the time ends; settings that were drawn; or a model that is solved. */
  readonly role: 'defaults' | 'drawn' | 'solved'
  /** The bracket it was drawn for; that of the defaults and of solved models is the first. */
  readonly bracket: number
  /** As `train` takes them, with the epochs that they may take at most. */
  readonly settings: TrainSettings
  /** One per rung, in order; a single one for the defaults and for models that are solved. */
  readonly reached: readonly Reached[]
}

/** A model on the part of the log that chose nothing. */
export interface Tested {
  readonly ranked: RankedModel
  readonly certificate?: Certificate
}

/** A tuning, complete or under way: what `hindcast tune` writes as JSON. From it and the same log, it continues to the same choice. */
export interface Tuning {
  readonly schema: typeof TUNING_SCHEMA
  readonly by: TunedBy
  /** What was asked for, as one text: a tuning continues only where it is the same. */
  readonly asked: string
  /** Stands for the training and the validation part of the log. */
  readonly fingerprint: string
  /** For each bracket of trials, how many of them train for how many steps, first to last. Fixed before the first of them. */
  readonly brackets: readonly (readonly Rung[])[]
  /** What turned minutes into steps; null where no time was given. */
  readonly pace: Pace | null
  readonly trials: readonly Trial[]
  /** Number of the best trial; null until all rungs are done, or where none has a value. */
  readonly best: number | null
  /** What the user should know, as sentences. */
  readonly notes: readonly string[]
  /** The best trial and the defaults on the test part, once the best is trained. */
  readonly test?: { readonly best: Tested; readonly defaults?: Tested }
}

/** The time for trials, at the speeds that were measured before the first of them. */
export interface Pace {
  /** Seconds for all trials. */
  readonly seconds: number
  readonly speeds: readonly Speed[]
  /** Steps below which a first rung tells little, and of a last rung at most. */
  readonly least: number
  readonly most: number
}

/** How fast some settings train. */
export interface Speed {
  /** What is alike in settings whose steps differ only by their size. */
  readonly kind: string
  /** Seconds per step, evaluation included, for one unit of `stepSize`. */
  readonly seconds: number
}

type Trials = Pick<Tuning, 'brackets' | 'trials'>

/** The value that a trial had reached when a rung ended; null where it has none. */
const valueAt = ({ reached }: Trial, rung: number): number | null => reached[rung]?.value ?? null

/** Numbers of the trials of a bracket that train in a rung: all in the first, then the best of the rung before, of equals those drawn first. */
export function trialsIn({ bracket, rung }: { bracket: number; rung: number }, tuning: Trials): number[] {
  const { trials } = tuning
  const drawn = trials.flatMap((trial, number) =>
    trial.bracket === bracket && trial.role === 'drawn' ? [number] : [],
  )
  if (rung === 0) return drawn
  const value = (number: number): number | null => valueAt(trials[number]!, rung - 1)
  return drawn
    .filter((number) => value(number) !== null)
    .toSorted((a, b) => value(b)! - value(a)! || a - b)
    .slice(0, tuning.brackets[bracket]![rung]!.trials)
}

/**
 * The best of the trials that went all the way. A trial never falls below what it had, and those that were left out
 * were below those promoted: so it is the best of all.
 */
export function bestTrial({ brackets, trials }: Trials): number | null {
  const last = ({ role, bracket }: Trial): number => (role === 'drawn' ? brackets[bracket]!.length - 1 : 0)
  const done = trials.flatMap((trial, number) => {
    const value = valueAt(trial, last(trial))
    return value === null ? [] : [{ number, value }]
  })
  return done.toSorted((a, b) => b.value - a.value || a.number - b.number)[0]?.number ?? null
}
