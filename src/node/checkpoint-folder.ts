import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from '../train/checkpoint.js'
import { makeFolderToWrite, removeWhole, writeAtomically } from './write-atomically.js'

/** Checkpoints kept: the newest, and the one before it in case the newest is damaged. */
const KEPT = 2
const NAME = /^epoch-(\d{6,})-([0-9a-f]{16})\.safetensors$/

/** The checkpoints of a training, in a folder of their own. The name of each holds the epoch and a checksum. */
export interface CheckpointFolder {
  /** Writes a checkpoint, whole or not at all, and deletes the oldest. */
  keep(checkpoint: Checkpoint): Promise<void>
  /** The newest checkpoint; undefined where there is none. A damaged one is an error that names it and offers the one before. */
  newest(): Promise<Checkpoint | undefined>
  clear(): Promise<void>
}

export function checkpointFolder(folder: string, most = KEPT): CheckpointFolder {
  /** Names, oldest first. */
  const names = async (): Promise<string[]> =>
    (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).toSorted()
  return {
    async keep(checkpoint) {
      const bytes = encodeCheckpoint(checkpoint)
      const name = `epoch-${String(checkpoint.epoch).padStart(6, '0')}-${checksum(bytes)}.safetensors`
      await makeFolderToWrite(folder)
      await writeAtomically(join(folder, name), [bytes])
      const older = (await names()).filter((one) => one !== name)
      for (const old of older.slice(0, Math.max(0, older.length - most + 1)))
        await removeWhole(join(folder, old))
    },
    async newest() {
      const [name, before] = (await names()).toReversed()
      if (name === undefined) return undefined
      const path = join(folder, name)
      const bytes = await readFile(path)
      if (NAME.exec(name)![2] === checksum(bytes)) return decodeCheckpoint(bytes, path)
      throw new HindcastError('bad-file', `The checkpoint ${path} is damaged.`, {
        remedy:
          before !== undefined
            ? `Delete it and run the same command again: training continues from the previous checkpoint, after epoch ${Number(NAME.exec(before)![1])}.`
            : advice`There is no older checkpoint: start over without ${set('resume')}.`,
      })
    },
    async clear() {
      await removeWhole(folder)
    },
  }
}

const checksum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)
