import { HindcastError } from '$core/error.js'
import { CARD_FILE, EMBEDDINGS_FILE, modelFromTensors, sha256Of } from '$core/model/model-files.js'
import { decodeSafetensors } from '$core/model/safetensors.js'
import { isLinear } from '$core/model/trained-models.js'
import type { NamedFile } from '$core/named-file.js'
import { held } from './held.js'
import { holdModel } from './models.js'

/** Keeps a model that was trained on the open log before, from its two files; an error where they are not that. */
export async function returnModel({ id, files }: { id: number; files: readonly NamedFile[] }): Promise<void> {
  const refuse = (why: string): HindcastError =>
    new HindcastError('bad-file', `A model of the session cannot be opened: ${why}.`, {
      remedy: 'Train it again.',
    })
  const bytesOf = (file: string): Uint8Array<ArrayBuffer> => files.find(({ name }) => name === file)!.bytes
  const { modelSchema } = await import('$core/schemas/model.js')
  const parsed = modelSchema.safeParse(JSON.parse(new TextDecoder().decode(bytesOf(CARD_FILE))))
  if (!parsed.success) throw refuse(`its ${CARD_FILE} does not describe one`)
  const { data: card } = parsed
  const { log } = held()
  if (!isSame(card.userIds, log.userIds) || !isSame(card.itemIds, log.itemIds))
    throw refuse('its users or items differ from those of this log')
  const bytes = bytesOf(EMBEDDINGS_FILE)
  if ((await sha256Of(bytes)) !== card.embeddings.sha256) throw refuse(`its ${EMBEDDINGS_FILE} is damaged`)
  const model = modelFromTensors(card, decodeSafetensors(bytes, EMBEDDINGS_FILE).tensors, EMBEDDINGS_FILE)
  if (isLinear(card.kind)) throw refuse('it is of a kind that is not trained here')
  holdModel(id, model)
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, k) => id === b[k])
