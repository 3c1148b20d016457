import type { Log } from '../log/log.js'
import { type Split, splitByRow, splitByTime, splitByUser } from '../log/split.js'
import { toTheEnd, type WorkOptions } from '../model/long-work.js'
import type { ClickModel } from '../model/model.js'
import { isLinear, isSolved } from '../model/trained-models.js'
import { solveBest, trainOrPopularity } from './best-solved.js'
import { type BaselineChoice, rankBaselines, withPolicyValue } from './baselines.js'
import type { TrainSettings } from './settings.js'
import { parametersOf } from './parameters-text.js'
import { settingsFor } from './settings-for.js'
import { solve } from './solve.js'
import { train, type Trained, type TrainOptions } from './train.js'
import { asksForGradients, asksForSweeps, requireUsed } from './unused-settings.js'

/** The choices for training on a log; those left out follow from the log, or are the defaults. */
export interface TrainChoices {
  readonly settings?: Partial<TrainSettings>
  /** How rows are held out: each by chance (default), or the newest; and which shares of them, 0.1 and 0.1. */
  readonly split?: {
    readonly by?: 'row' | 'time'
    readonly validation?: number
    readonly test?: number
  }
  /** Which baselines are evaluated beside the model: `fast` (default) those that take no longer than the training, all or none; true is `fast`. */
  readonly baselines?: BaselineChoice | boolean
}

export interface TrainOnLogOptions extends TrainOptions, WorkOptions {
  /** Receives the model before it is valued and baselines are made, which may take long; they wait for it. */
  onTrained?: (trained: Trained<ClickModel>) => Promise<void>
}

/**
 * Trains on a log as `hindcast train` does: the log is split by the seed of the settings, the model is trained, and
 * unless it was interrupted the baselines are judged beside it. The same choices on the same log give the same bits on
 * the command line, in a program and in a page.
 */
export async function trainOnLog(
  log: Log,
  choices: TrainChoices = {},
  options: TrainOnLogOptions = {},
): Promise<Trained<ClickModel>> {
  requireUsed(choices.settings ?? {})
  const settings = settingsFor(log.propensity !== undefined, choices.settings)
  const split = splitFor(log, choices, settings)
  const made = await trainerOf(settings, choices)(split, settings, options)
  await options.onTrained?.(made)
  // Baselines know users, not features.
  if (made.training.stopped === 'interrupted' || isLinear(settings.model)) return made
  const trained = await withPolicyValue(made, toTheEnd(options))
  const which = baselineChoice(choices)
  if (which === 'none') return trained
  return { ...trained, training: await rankBaselines(trained, { ...options, which }) }
}

/** What makes the model: gradients, or a solution; the best of several where no model was chosen. */
function trainerOf(
  { model }: TrainSettings,
  { settings = {} }: TrainChoices,
): (split: Split, settings: TrainSettings, options: TrainOnLogOptions) => Promise<Trained<ClickModel>> {
  const isOpen =
    settings.model === undefined &&
    !asksForGradients(settings) &&
    Object.keys(parametersOf(settings)).length === 0
  if (isSolved(model)) return isOpen ? solveBest : solve
  return isOpen && !asksForSweeps(settings) ? trainOrPopularity : train
}

/** The baselines that were chosen. */
export const baselineChoice = ({ baselines = 'fast' }: Pick<TrainChoices, 'baselines'>): BaselineChoice =>
  typeof baselines === 'boolean' ? (baselines ? 'fast' : 'none') : baselines

/** The three parts of a log, by the seed of the settings. A policy over features is for new users, so whole users are held out. */
export function splitFor(
  log: Log,
  { split = {} }: Pick<TrainChoices, 'split'>,
  { seed, model }: Pick<TrainSettings, 'seed'> & Partial<Pick<TrainSettings, 'model'>>,
): Split {
  const { by = 'row', ...shares } = split
  const byChance = model !== undefined && isLinear(model) ? splitByUser : splitByRow
  return (by === 'time' ? splitByTime : byChance)(log, { ...shares, seed })
}
