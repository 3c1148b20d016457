import type { EmbeddingsCopy } from '../kernels/kernel.js'
import type { Checkpoint } from './checkpoint.js'
import { LOSSES } from './losses/index.js'
import type { TrainSettings } from './settings.js'
import type { EpochRecord } from './training.js'

/** The best epoch so far. Its embeddings stay where they were made until somebody reads them. */
interface BestEpoch extends Pick<Checkpoint['best'], 'epoch' | 'value'> {
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

/** The measure of an epoch, null where a verdict refuses or there is none, and the lower bound of its value, refused or not. */
interface EpochWorth {
  readonly value: number | null
  readonly bound: number | null
}

/**
 * Whether an epoch is better than the best by more than the minimum. Where verdicts refuse all, the bound that they
 * refuse decides; as long as nothing at all is known, the last epoch is kept.
 */
export function isBetter(
  { minimumGain }: TrainSettings,
  { value, bound }: EpochWorth,
  best: EpochWorth,
): boolean {
  if (value !== null) return best.value === null || value > best.value + minimumGain
  if (best.value !== null) return false
  return best.bound === null || (bound !== null && bound > best.bound)
}

export const boundAt = (
  records: readonly EpochRecord[],
  { epoch }: { readonly epoch: number },
): number | null => records[epoch - 1]?.snips?.atLeast ?? null

/** Whether the best epoch is too long ago. An objective whose every epoch a verdict refuses has no best one: it has waited from the start. */
export function isOutOfPatience(
  { patience, patienceSteps = 0, evaluateEvery, loss }: TrainSettings,
  epoch: number,
  best: { readonly epoch: number; readonly value: number | null },
  perEpoch: number,
): boolean {
  const waited = epoch - (best.value === null && LOSSES.named(loss).objective ? 0 : best.epoch)
  return waited >= patience * evaluateEvery && waited * perEpoch >= patienceSteps
}
