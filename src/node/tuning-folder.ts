import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { TrialStore } from '../train/tune/tune.js'
import type { Tuning } from '../train/tune/tuning.js'
import { checkpointFolder, type CheckpointFolder } from './checkpoint-folder.js'
import { removeWhole, writeAtomically } from './write-atomically.js'

/** The file with everything about a tuning, the page about it, and the folder of its trials while it runs. */
export const TUNING_FILE = 'tuning.json'
export const TUNING_PAGE = 'tuning.html'
export const TRIALS = 'trials'

/** What a tuning keeps in its folder. */
export interface TuningFolder {
  readonly trials: TrialStore
  read(): Promise<Tuning | undefined>
  write(tuning: Tuning): Promise<void>
  /** Deletes the trials, whose checkpoints are large. */
  clearTrials(): Promise<void>
  clear(): Promise<void>
}

export function tuningFolder(folder: string): TuningFolder {
  const path = join(folder, TUNING_FILE)
  const remove = (name: string): Promise<void> => removeWhole(join(folder, name))
  // One checkpoint each: there are many trials, and one that is damaged can be trained again.
  const of = (trial: number): CheckpointFolder =>
    checkpointFolder(join(folder, TRIALS, String(trial).padStart(4, '0')), 1)
  return {
    trials: {
      newest: (trial) => of(trial).newest(),
      keep: (trial, checkpoint) => of(trial).keep(checkpoint),
      drop: (trial) => of(trial).clear(),
    },
    async read() {
      const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') return undefined
        throw unreadable(path, cause)
      })
      return text === undefined ? undefined : parsed(path, text)
    },
    async write(tuning) {
      await mkdir(folder, { recursive: true })
      await writeAtomically(path, [`${JSON.stringify(tuning, null, 2)}\n`])
    },
    clearTrials: () => remove(TRIALS),
    async clear() {
      await remove(TRIALS)
      await remove(TUNING_FILE)
    },
  }
}

async function parsed(path: string, text: string): Promise<Tuning> {
  const { tuningSchema } = await import('../schemas/training.js')
  try {
    return tuningSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

const unreadable = (path: string, cause: unknown): HindcastError =>
  new HindcastError('bad-file', `${path} does not hold a tuning that can be continued.`, {
    remedy: advice`Start over (${set('overwrite')}), or choose another folder.`,
    cause,
  })
