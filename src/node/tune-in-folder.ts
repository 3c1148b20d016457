import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { CARD_FILE } from '../model/model-files.js'
import type { ClickModel } from '../model/model.js'
import type { Trained } from '../train/train.js'
import { type TrainChoices, trainOnLog } from '../train/train-on-log.js'
import { TRAINING_FILE } from '../train/training-files.js'
import type { TuneChoices } from '../train/tune/plan-tuning.js'
import { tune, type TuneOptions } from '../train/tune/tune.js'
import type { Tested, Tuning } from '../train/tune/tuning.js'
import { checkpointFolder } from './checkpoint-folder.js'
import { whileLocked } from './folder-lock.js'
import {
  KEEP_SHARE,
  machineOptions,
  makeFolder,
  trainInFolder,
  type TrainInFolderOptions,
} from './train-in-folder.js'
import { CHECKPOINTS } from './trained-names.js'
import { TUNING_FILE, type TuningFolder, tuningFolder } from './tuning-folder.js'
import { withoutUnused } from '../train/unused-settings.js'

/** The options of `trainInFolder` for every training, and whom to tell of trials. */
export interface TuneInFolderOptions
  extends TrainInFolderOptions, Pick<TuneOptions, 'onTrial' | 'onMeasure'> {
  /** Called when the choice is made, before the best model is tested and saved. */
  onChosen?: (tuning: Tuning) => void
  /** Which baselines are evaluated beside the best model. */
  baselines?: TrainChoices['baselines']
}

/** A tuning, and its best model; without one where no trial has a value. */
export interface TunedInFolder {
  readonly tuning: Tuning
  readonly trained?: Trained<ClickModel>
}

/**
 * Tunes as `tune` does, with everything saved in a folder: tuning.json after every trial, a checkpoint of each trial
 * that may still win, and at the end the best model, as `trainInFolder` with its settings would write it. The test part
 * is used then, once: for the best model, and for the defaults beside it.
 */
export async function tuneInFolder(
  folder: string,
  log: Log,
  choices: TuneChoices,
  options: TuneInFolderOptions = {},
): Promise<TunedInFolder> {
  const said = { ...options, ...(options.onNote && { onNote: once(options.onNote) }) }
  const saved = tuningFolder(folder)
  const tuning = await searchInFolder(folder, saved, log, choices, said)
  const best = tuning.trials[tuning.best ?? -1]
  if (!best) return { tuning }
  options.onChosen?.(tuning)
  const { onTrial: _, onMeasure: __, onChosen: ___, baselines = 'fast', ...passed } = said
  const split = choices.split && { split: choices.split }
  const trained = await trainInFolder(
    folder,
    log,
    { ...split, settings: withoutUnused(best.settings), baselines },
    { ...passed, resume: true },
  )
  if (trained.training.stopped === 'interrupted' || tuning.test) return { tuning, trained }
  const defaults = await defaultsOf(tuning, trained, async (settings, trial) => {
    const { resume: ____, file: _____, ...options } = passed
    const resume = await saved.trials.newest(trial)
    const given = { ...options, ...machineOptions(passed), ...(resume && { resume }) }
    return trainOnLog(log, { ...split, settings: withoutUnused(settings), baselines: 'none' }, given)
  })
  const done: Tuning = { ...tuning, test: { best: testedOf(trained), ...(defaults && { defaults }) } }
  await saved.write(done)
  await saved.clearTrials()
  return { tuning: done, trained }
}

/** The search, in a folder that nobody else uses; the checkpoint of the best trial is then where training looks for its own. */
async function searchInFolder(
  folder: string,
  saved: TuningFolder,
  log: Log,
  choices: TuneChoices,
  options: TuneInFolderOptions,
): Promise<Tuning> {
  await makeFolder(folder)
  return whileLocked(folder, 'tuning', async () => {
    await refuseToOverwrite(folder, options)
    const checkpoints = checkpointFolder(join(folder, CHECKPOINTS))
    const { resume: goesOn, file: _, ...passed } = options
    const resume = goesOn ? await saved.read() : undefined
    if (!resume) {
      await saved.clear()
      await checkpoints.clear()
    }
    const tuning = await tune(log, choices, {
      ...passed,
      ...machineOptions(options),
      keepShare: KEEP_SHARE,
      store: saved.trials,
      save: (one) => saved.write(one),
      ...(resume && { resume }),
    })
    const best = tuning.best === null ? undefined : await saved.trials.newest(tuning.best)
    if (best && !(await checkpoints.newest())) await checkpoints.keep(best)
    return tuning
  })
}

/** The defaults on the test part: the best model where they are the best, and nothing where they have no value. */
async function defaultsOf(
  { trials, best }: Tuning,
  trained: Trained<ClickModel>,
  train: (settings: Tuning['trials'][number]['settings'], trial: number) => Promise<Trained<ClickModel>>,
): Promise<Tested | undefined> {
  const place = trials.findIndex(({ role }) => role === 'defaults')
  const defaults = trials[place]
  if (!defaults || defaults.reached.at(-1)?.value == null) return undefined
  return testedOf(place === best ? trained : await train(defaults.settings, place))
}

const testedOf = ({ training: { ranked, certificate } }: Trained<ClickModel>): Tested => ({
  ranked: ranked[0]!,
  ...(certificate && { certificate }),
})

/** Says each sentence once: every trial would say it again. */
function once(say: (note: string) => void): (note: string) => void {
  const said = new Set<string>()
  return (note) => {
    if (!said.has(note)) say(note)
    said.add(note)
  }
}

async function refuseToOverwrite(folder: string, { resume, overwrite }: TuneInFolderOptions): Promise<void> {
  const there = await readdir(folder)
  const isTuning = there.includes(TUNING_FILE)
  const isTraining = there.some((name) => [CHECKPOINTS, CARD_FILE, TRAINING_FILE].includes(name))
  if (overwrite || (resume && isTuning) || (!isTuning && !isTraining)) return
  throw new HindcastError(
    'bad-option',
    isTuning ? `${folder} already holds a tuning.` : `${folder} holds a training run, not a tuning.`,
    {
      remedy: isTuning
        ? advice`Continue it (${set('resume')}), replace it (${set('overwrite')}), or choose another folder.`
        : advice`Replace it (${set('overwrite')}), or choose another folder.`,
    },
  )
}
