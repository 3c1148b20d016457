import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from '../checkpoint.js'

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
