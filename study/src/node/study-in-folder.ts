import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readVersion, startNodeThread, writeAtomically } from 'hindcast/node'
import { wasmKernel } from 'hindcast/train'
import type { StudyResults } from '../results.js'
import { runStudy, type StudyProgress, type StudyRequest } from '../run-study.js'
import type { StudySettings } from '../settings.js'
import { findRatings } from './find-ratings.js'
import { stepFolder } from './step-folder.js'

export interface StudyInFolderOptions {
  readonly parts: StudyResults['parts']
  readonly settings: StudySettings
  /** Default: as many as the machine has cores. */
  readonly threads?: number
  /** Ratings to use instead of those of MovieLens. */
  readonly ratings?: StudyRequest['ratings']
  readonly progress?: (progress: StudyProgress) => void
  readonly signal?: AbortSignal
}

/**
 * Runs a study and keeps it in a folder: every finished step in `steps/`, so that an interrupted study goes on where
 * it was, and the whole in `results.json`.
 */
export async function studyInFolder(folder: string, options: StudyInFolderOptions): Promise<StudyResults> {
  const { parts, settings, signal, progress, threads = availableParallelism() } = options
  await mkdir(folder, { recursive: true })
  const ratings = parts.includes('movielens') ? (options.ratings ?? (await findBoth(signal))) : undefined
  const results = await runStudy(
    { parts, settings, ...(ratings && { ratings }) },
    {
      version: readVersion(),
      store: stepFolder(join(folder, 'steps')),
      threads,
      engine: `node ${process.version}`,
      makeKernel: (chosen) => wasmKernel(chosen, { threads, startThread: startNodeThread }),
      ...(progress && { progress }),
      ...(signal && { signal }),
    },
  )
  await writeAtomically(join(folder, 'results.json'), [`${JSON.stringify(results, null, 1)}\n`], signal)
  return results
}

/** The ratings of the world and those to describe; looked for at once, since a slow network makes each wait. */
async function findBoth(signal: AbortSignal | undefined): Promise<NonNullable<StudyRequest['ratings']>> {
  const [world, description] = await Promise.all([
    findRatings('ml-100k', signal),
    findRatings('ml-1m', signal),
  ])
  return { world, description }
}
