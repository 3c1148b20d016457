import { HindcastError } from 'hindcast'
import { datasetNamed, fetchDataset, locateDataset, readLogFile } from 'hindcast/node'
import { realRatings, type Ratings, simulatedMovielens } from '../experiments/ratings.js'

/** How long a download may take before simulated ratings stand in, in milliseconds. */
const PATIENCE = 15_000

/**
 * The ratings of a MovieLens data set: those on disk, else those that can be downloaded without ado, else simulated
 * ones of its size, which say what they are.
 */
export async function findRatings(name: 'ml-100k' | 'ml-1m', signal?: AbortSignal): Promise<Ratings> {
  const path = (await locateDataset(name))?.path ?? (await fetchQuietly(name, signal))
  if (path === undefined) return simulatedMovielens(name)
  const { log } = await readLogFile(path, { format: 'movielens', ...(signal && { signal }) })
  return realRatings(log, datasetNamed(name).title)
}

/** The folder of a data set fetched from its publisher; undefined where it cannot be had. */
async function fetchQuietly(name: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const limit = AbortSignal.timeout(PATIENCE)
  try {
    return (await fetchDataset(name, { signal: signal ? AbortSignal.any([signal, limit]) : limit })).path
  } catch (error) {
    if (signal?.aborted || !(error instanceof HindcastError)) throw error
    return undefined
  }
}
