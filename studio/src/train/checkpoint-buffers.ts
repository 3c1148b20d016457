import type { Checkpoint } from '$core/train/checkpoint.js'

/** The tables of a checkpoint, to be handed over instead of copied. */
export function checkpointBuffers(checkpoint: Checkpoint | undefined): ArrayBuffer[] {
  if (!checkpoint) return []
  const { state, best } = checkpoint
  return [state.embeddings, state.mean, state.square, best.embeddings].map(
    ({ buffer }) => buffer as ArrayBuffer,
  )
}
