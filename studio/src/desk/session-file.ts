import { HindcastError } from '$core/error.js'
import { blobInput } from '$core/log/bytes/input.js'
import { CARD_FILE, EMBEDDINGS_FILE } from '$core/model/model-files.js'
import { TRAINING_FILE, trainingFile } from '$core/train/training-files.js'
import { type KeptModel, type KeptSession, SESSION_SCHEMA } from '../kept/kept-session.js'
import type { SessionJson } from '../kept/session-schema.js'

const SESSION_FILE = 'session.json'
/** Files that claim to be larger together are not unpacked. */
const MOST_BYTES = 2 ** 31 - 1

const modelPath = (id: number, file: string): string => `models/${id}/${file}`
const policyPath = (place: number, file: number): string => `policies/${place}/${file}`
const logPath = (place: number): string => `log/${place}`

type Bytes = Uint8Array<ArrayBuffer>

/** A session as one file: a zip with `session.json`, and models, policies and rows beside it. */
export async function packSession(session: KeptSession): Promise<Blob> {
  const { link, notes, models, policies, log } = session
  const json: SessionJson = {
    schema: SESSION_SCHEMA,
    link,
    notes,
    models: models.map(({ id, number, split, machine }) => ({ id, number, split, machine })),
    policies: policies.map(({ fingerprint, files }) => ({
      fingerprint,
      paths: files.map(({ path }) => path),
    })),
    log: log.map(({ name }) => name),
  }
  const files: Record<string, Uint8Array> = {
    [SESSION_FILE]: new TextEncoder().encode(`${JSON.stringify(json, null, 2)}\n`),
  }
  for (const { id, training, files: own } of models)
    for (const { name, bytes } of [...own, trainingFile(training)]) files[modelPath(id, name)] = bytes
  for (const [place, policy] of policies.entries())
    for (const [k, { bytes }] of policy.files.entries()) files[policyPath(place, k)] = bytes
  for (const [place, file] of log.entries()) files[logPath(place)] = await blobInput(file.name, file).slice(0)
  const { zipOf } = await import('../take-away/zip.js')
  return new Blob([await zipOf(files)], { type: 'application/zip' })
}

/** A session again, from its file; whatever else the file is, it is refused in a sentence. */
export async function unpackSession(file: File): Promise<KeptSession> {
  const refuse = (why: string, cause?: unknown): HindcastError =>
    new HindcastError('bad-file', `${file.name} is not a session that this page can open: ${why}.`, {
      remedy: 'Save the session again, with this version of Hindcast, and open that file.',
      ...(cause !== undefined && { cause }),
    })
  const entries = await unzip(await blobInput(file.name, file).slice(0)).catch((cause: unknown) => {
    throw refuse('it cannot be unpacked', cause)
  })
  const [{ sessionSchema }, { trainingSchema }] = await Promise.all([
    import('../kept/session-schema.js'),
    import('$core/schemas/training.js'),
  ])
  const take = (path: string): Bytes => {
    const bytes = entries.get(path)
    if (!bytes) throw refuse(`it has no ${path}`)
    return bytes
  }
  const json = parse(take(SESSION_FILE))
  const { schema } = (json ?? {}) as { schema?: unknown }
  if (typeof schema === 'string' && schema !== SESSION_SCHEMA && /^hindcast\.session\/\d{1,6}$/.test(schema))
    throw refuse(`another version of Hindcast wrote it (${schema}, and this one reads ${SESSION_SCHEMA})`)
  const parsed = sessionSchema.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw refuse(`${[SESSION_FILE, ...issue!.path].join(', ')}: ${issue!.message}`)
  }
  const { link, notes, models, policies, log } = parsed.data
  return {
    link,
    notes,
    models: models.map((model): KeptModel => {
      const training = trainingSchema.safeParse(parse(take(modelPath(model.id, TRAINING_FILE))))
      if (!training.success) throw refuse(`the training of model ${model.number} is not valid`)
      const files = [CARD_FILE, EMBEDDINGS_FILE].map((name) => ({
        name,
        bytes: take(modelPath(model.id, name)),
      }))
      return { ...model, training: training.data, files }
    }),
    policies: policies.map(({ fingerprint, paths }, place) => ({
      fingerprint,
      files: paths.map((path, k) => ({ path, bytes: take(policyPath(place, k)) })),
    })),
    log: log.map((name, place) => new File([take(logPath(place))], name)),
  }
}

async function unzip(zipped: Uint8Array): Promise<ReadonlyMap<string, Bytes>> {
  const { unzipSync } = await import('fflate')
  let total = 0
  const entries = unzipSync(zipped, {
    filter: ({ originalSize }) => {
      total += originalSize
      if (total > MOST_BYTES) throw new Error('It is too large.')
      return true
    },
  })
  return new Map(Object.entries(entries) as [string, Bytes][])
}

/** The JSON in bytes; undefined where there is none. */
function parse(bytes: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
