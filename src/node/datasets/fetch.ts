import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { HindcastError } from '../../error.js'
import type { ProgressListener } from '../../progress.js'
import { archiveName, type Checksum, type Dataset, datasetNamed } from './catalogue.js'
import { compareChecksum, type Fingerprint, fingerprint } from './checksum.js'
import { download, downloadText } from './download.js'
import { exists, holds, locate } from './locate.js'
import { cacheFolder, type Environment } from './places.js'
import { byHand, writeFailed } from './remedy.js'
import { sweepTemporary } from './temporary.js'
import { unpack } from './unpack.js'

export interface FetchOptions {
  /** Called with `downloading`, `checking` and `unpacking`, in bytes. */
  progress?: ProgressListener | undefined
  signal?: AbortSignal | undefined
  /** Default `process.env`. */
  env?: Environment
  /**
   * The address of a folder that holds copies of the archives under their published names, to be used instead of
   * the publisher's; default `HINDCAST_MIRROR`. Checksums that the publisher fixed are still checked.
   */
  mirror?: string | undefined
  /** Milliseconds without a byte after which a connection counts as lost; default 30,000. */
  idleTimeout?: number | undefined
}

/** A data set on disk, and where it came from. */
export interface FetchedDataset {
  name: string
  /** Its folder. */
  path: string
  /** `archive`: unpacked now from a zip in the cache folder; `download`: downloaded and unpacked now. */
  from: 'HINDCAST_DATA' | 'cache' | 'archive' | 'download'
  /** The terms to show to the user. */
  licence: string
  /** The archive it was unpacked from, if that happened now. */
  archive: (Fingerprint & { verified: boolean }) | undefined
  /** A sentence for the user, such as that the archive could not be verified. */
  notice: string | undefined
}

/** Written to the folder of every data set that Hindcast unpacks: where it came from. */
export const sourceFile = 'hindcast-source.json'

/**
 * The folder of a data set: in `HINDCAST_DATA` or the cache folder if it is there, else unpacked from its zip in
 * the cache folder, else downloaded, verified and unpacked into the cache folder. A failure leaves nothing
 * behind; the error then says which file to put where by hand.
 */
export async function fetchDataset(name: string, options: FetchOptions = {}): Promise<FetchedDataset> {
  return fetchDescribed(datasetNamed(name), options)
}

/** `fetchDataset` for any description of a data set. */
export async function fetchDescribed(dataset: Dataset, options: FetchOptions = {}): Promise<FetchedDataset> {
  const env = options.env ?? process.env
  const present = await found(dataset, env)
  if (present) return present
  const address = addressOf(dataset, options.mirror ?? env['HINDCAST_MIRROR'])
  try {
    return await obtain(dataset, address, env, options)
  } catch (error) {
    if (error instanceof HindcastError && error.code === 'interrupted') throw error
    // Meanwhile another process may have fetched it and removed what this one was about to use.
    const meanwhile = await found(dataset, env)
    if (meanwhile) return meanwhile
    throw error
  }
}

async function found(dataset: Dataset, env: Environment): Promise<FetchedDataset | undefined> {
  const located = await locate(dataset, env)
  return (
    located && {
      name: dataset.name,
      ...located,
      licence: dataset.licence,
      archive: undefined,
      notice: undefined,
    }
  )
}

async function obtain(
  dataset: Dataset,
  address: string,
  env: Environment,
  options: FetchOptions,
): Promise<FetchedDataset> {
  const { progress, signal, idleTimeout } = options
  const cache = cacheFolder(env)
  const target = path.join(cache, dataset.folders[0]!)
  const archive = path.join(cache, archiveName(dataset))
  await mkdir(cache, { recursive: true }).catch((error: unknown) => {
    throw writeFailed(cache, error)
  })
  await sweepTemporary(cache)
  await refuseOtherFolder(target, dataset)

  const placed = await exists(archive)
  let expected: Checksum | undefined
  let fingerprints: Fingerprint
  if (placed) {
    expected = await placedChecksum(dataset, archive)
    fingerprints = await fingerprint(archive, { progress, signal })
    const remedy = `Delete ${archive}. ${byHand(dataset, env, expected)}`
    if (expected) compareChecksum(archive, fingerprints, expected, remedy)
  } else {
    const remedy = byHand(dataset, env)
    expected = await publishedChecksum(dataset, address, { signal, idleTimeout, remedy })
    fingerprints = await download(address, archive, {
      checksum: expected,
      progress,
      signal,
      idleTimeout,
      remedy: byHand(dataset, env, expected),
    })
  }

  const from = placed ? 'archive' : 'download'
  const verified = expected !== undefined
  try {
    await unpack(archive, target, {
      keep: dataset.markers,
      progress,
      signal,
      inspect: async (folder) => {
        await inspect(dataset, archive, folder, env)
        await recordSource(folder, { dataset: dataset.name, from, address, ...fingerprints, verified })
      },
    })
  } catch (error) {
    // The next run must not use a bad archive as if the user had put it there.
    const bad =
      error instanceof HindcastError && error.code !== 'write-failed' && error.code !== 'interrupted'
    if (!placed && bad) await rm(archive, { force: true })
    throw error
  }
  // A zip that the user put there stays; a downloaded one is no longer needed.
  if (!placed) await rm(archive, { force: true })
  return {
    name: dataset.name,
    path: target,
    from,
    licence: dataset.licence,
    archive: { ...fingerprints, verified },
    notice: verified ? undefined : unverified(dataset, archive, fingerprints),
  }
}

function addressOf(dataset: Dataset, mirror: string | undefined): string {
  if (!mirror) return dataset.address
  if (!URL.canParse(mirror) || !/^https?:$/.test(new URL(mirror).protocol))
    throw new HindcastError('bad-option', `The mirror '${mirror}' is not an http or https address.`, {
      remedy: 'Set HINDCAST_MIRROR to an address such as https://example.org/datasets, or unset it.',
    })
  return `${mirror.replace(/\/+$/, '')}/${archiveName(dataset)}`
}

async function publishedChecksum(
  dataset: Dataset,
  address: string,
  options: { signal: AbortSignal | undefined; idleTimeout: number | undefined; remedy: string },
): Promise<Checksum | undefined> {
  const { checksum } = dataset
  if (checksum.kind === 'none') return undefined
  if (checksum.kind === 'known') return { algorithm: checksum.algorithm, sum: checksum.sum }
  const found = md5In(await downloadText(`${address}.md5`, options))
  if (found) return found
  throw new HindcastError('data-unavailable', `${address}.md5 does not contain an md5 checksum.`, {
    remedy: options.remedy,
  })
}

/** The checksum for a zip that the user put there; for an archive that changes, from the `.md5` file beside it. */
async function placedChecksum(dataset: Dataset, archive: string): Promise<Checksum | undefined> {
  const { checksum } = dataset
  if (checksum.kind === 'none') return undefined
  if (checksum.kind === 'known') return { algorithm: checksum.algorithm, sum: checksum.sum }
  return md5In(await readFile(`${archive}.md5`, 'utf8').catch(() => ''))
}

/** The checksum in a `.md5` file, written either as `sum  name` or as `MD5 (name) = sum`. */
function md5In(text: string): Checksum | undefined {
  const sum = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/i.exec(text)?.[0]
  return sum === undefined ? undefined : { algorithm: 'md5', sum: sum.toLowerCase() }
}

function unverified(dataset: Dataset, archive: string, { sha256 }: Fingerprint): string {
  const name = path.basename(archive)
  const why =
    dataset.checksum.kind === 'beside'
      ? `${name}.md5 is not beside it`
      : `${dataset.publisher} publishes no checksum for it`
  return `${name} could not be verified, because ${why}. Its sha256 is ${sha256}.`
}

/** Checks that the archive was the right one. */
async function inspect(dataset: Dataset, archive: string, folder: string, env: Environment): Promise<void> {
  const remedy = `Delete ${archive}. ${byHand(dataset, env)}`
  if (!(await holds(folder, dataset))) {
    const markers = dataset.markers.join(' or ')
    throw new HindcastError(
      'bad-file',
      `${archive} does not contain ${dataset.title}: there is no ${markers} in it.`,
      {
        remedy,
      },
    )
  }
  for (const { file, ...expected } of dataset.contents)
    compareChecksum(`${file} in ${archive}`, await fingerprint(path.join(folder, file)), expected, remedy)
}

async function recordSource(folder: string, source: Record<string, unknown>): Promise<void> {
  const file = path.join(folder, sourceFile)
  const record = { schema: 'hindcast-dataset-source/1', ...source, unpacked: new Date().toISOString() }
  await writeFile(file, `${JSON.stringify(record, undefined, 2)}\n`).catch((error: unknown) => {
    throw writeFailed(file, error)
  })
}

/** Finds a folder that is in the way before a long download, not after. */
async function refuseOtherFolder(target: string, dataset: Dataset): Promise<void> {
  if (!(await exists(target))) return
  const names = await readdir(target).catch(() => ['?'])
  if (names.length === 0 || (await holds(target, dataset))) return
  throw new HindcastError(
    'write-failed',
    `${target} is in the way: it exists, but does not contain ${dataset.markers.join(' or ')}.`,
    { remedy: `Move or delete ${target}, and run the command again.` },
  )
}
