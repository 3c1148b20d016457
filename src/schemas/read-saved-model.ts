import { HindcastError } from '../error.js'
import type { ModelCard } from '../model/model-card.js'
import { CARD_FILE, EMBEDDINGS_FILE, INCOMING_FILE, sha256Of } from '../model/model-files.js'
import { modelFromTensors } from '../model/model-files.js'
import { decodeSafetensors } from '../model/safetensors.js'
import type { SavedModel } from '../model/model-files.js'
import { modelSchema } from './model.js'

/** Where the files of a saved model are: in a folder, an archive, or a page. */
export interface ModelFolder {
  /** What messages call it. */
  readonly name: string
  /** What messages call a file in it. */
  pathOf(file: string): string
  /** The bytes of a file in it; throws where it cannot be read. */
  read(file: string): Promise<Uint8Array<ArrayBuffer>>
}

/** Reads a model that was saved; the error about a damaged file names it and says what to do. */
export async function readSavedModel(folder: ModelFolder): Promise<SavedModel> {
  const path = folder.pathOf(CARD_FILE)
  const bytes = await folder.read(CARD_FILE).catch((cause: unknown) => {
    throw new HindcastError(
      'not-found',
      `${folder.name} does not contain a saved model: ${path} cannot be read.`,
      {
        remedy: 'Name a folder written by training; it contains model.json and embeddings.safetensors.',
        cause,
      },
    )
  })
  const card = parseCard(path, new TextDecoder().decode(bytes))
  const found = await readEmbeddings(folder, card)
  const { tensors } = decodeSafetensors(found.bytes, found.path)
  return { card, model: modelFromTensors(card, tensors, found.path) }
}

function parseCard(path: string, text: string): ModelCard {
  const refuse = (reason: string, cause: unknown): HindcastError =>
    new HindcastError('bad-file', `${path} does not describe a model: ${reason}.`, {
      remedy:
        'It was edited, or written by another version. Copy the folder again, or train the model again.',
      cause,
    })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw refuse('it is not JSON', cause)
  }
  const parsed = modelSchema.safeParse(withoutFileName(json))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw refuse(`${issue!.path.join('.') || 'the file'}: ${issue!.message}`, parsed.error)
  }
  const card = parsed.data
  if (card.userIds.length !== card.users || card.itemIds.length !== card.items)
    throw refuse(
      `it lists ${card.userIds.length} of ${card.users} users and ${card.itemIds.length} of ${card.items} items`,
      undefined,
    )
  return card
}

/** Earlier versions wrote the name of the log, which says nothing of its rows. */
const withoutFileName = (json: unknown): unknown =>
  typeof json === 'object' && json !== null
    ? Object.fromEntries(Object.entries(json).filter(([name]) => name !== 'trainedOn'))
    : json

/** The embeddings that model.json refers to, under their final or their temporary name. */
async function readEmbeddings(
  folder: ModelFolder,
  { embeddings }: ModelCard,
): Promise<{ path: string; bytes: Uint8Array<ArrayBuffer> }> {
  const remedy = 'Copy the folder again from an intact copy, or train the model again.'
  let failure: HindcastError | undefined
  for (const name of [EMBEDDINGS_FILE, INCOMING_FILE]) {
    const path = folder.pathOf(name)
    try {
      const bytes = await folder.read(name)
      if ((await sha256Of(bytes)) === embeddings.sha256) return { path, bytes }
      failure ??= new HindcastError(
        'bad-file',
        `${path} is damaged: it has ${bytes.length} of ${embeddings.bytes} bytes and does not match the checksum in model.json.`,
        { remedy },
      )
    } catch (cause) {
      failure ??=
        cause instanceof HindcastError
          ? cause
          : new HindcastError('bad-file', `${path} cannot be read.`, { remedy, cause })
    }
  }
  throw failure!
}
