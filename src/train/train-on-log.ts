import type { Log } from '../log/log.js'
import { type Split, splitByRow, splitByTime } from '../log/split.js'
import type { WorkOptions } from '../model/long-work.js'
import { rankBaselines } from './baselines.js'
import type { TrainSettings } from './settings.js'
import { settingsFor } from './settings-for.js'
import { train, type Trained, type TrainOptions } from './train.js'

/** The choices for training on a log; those left out follow from the log, or are the defaults. */
export interface TrainChoices {
  readonly settings?: Partial<TrainSettings>
  /** How rows are held out: each by chance (default), or the newest; and which shares of them, 0.1 and 0.1. */
  readonly split?: {
    readonly by?: 'row' | 'time'
    readonly validation?: number
    readonly test?: number
  }
  /** Evaluates baselines beside the model (default true). */
  readonly baselines?: boolean
}

export interface TrainOnLogOptions extends TrainOptions, WorkOptions {
  /** Receives the model before the baselines are made, which may take long; they wait for it. */
  onTrained?: (trained: Trained) => Promise<void>
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
): Promise<Trained> {
  const settings = settingsFor(log.propensity !== undefined, choices.settings)
  const trained = await train(splitFor(log, choices, settings), settings, options)
  await options.onTrained?.(trained)
  const { baselines = true } = choices
  if (!baselines || trained.training.stopped === 'interrupted') return trained
  return { ...trained, training: await rankBaselines(trained, options) }
}

function splitFor(log: Log, { split = {} }: TrainChoices, { seed }: TrainSettings): Split {
  const { by = 'row', ...shares } = split
  return (by === 'time' ? splitByTime : splitByRow)(log, { ...shares, seed })
}
