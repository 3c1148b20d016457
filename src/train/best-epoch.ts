import type { EmbeddingsCopy } from '../kernels/kernel.js'
import type { Checkpoint } from './checkpoint.js'

/** The best epoch so far. Its embeddings stay where they were made until somebody reads them. */
export interface BestEpoch extends Pick<Checkpoint['best'], 'epoch' | 'value'> {
  /** The epoch with its embeddings, read once. */
  read(): Promise<Checkpoint['best']>
  /** Gives it up for a better one. */
  drop(): void
}

export function bestEpoch(
  { epoch, value }: Pick<Checkpoint['best'], 'epoch' | 'value'>,
  copy: EmbeddingsCopy,
): BestEpoch {
  let embeddings: Promise<Float32Array> | undefined
  return {
    epoch,
    value,
    read: async () => {
      embeddings ??= copy.read().then((rows) => new Float32Array(rows))
      return { epoch, value, embeddings: await embeddings }
    },
    drop: () => embeddings ?? copy.drop(),
  }
}

/** The best epoch of a resumed training. */
export const bestBefore = ({ best }: Checkpoint): BestEpoch =>
  bestEpoch(best, { read: async () => best.embeddings, drop: () => {} })
