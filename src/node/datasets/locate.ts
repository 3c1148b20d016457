import { stat } from 'node:fs/promises'
import path from 'node:path'
import { type Dataset, datasetNamed, datasets } from './catalogue.js'
import { cacheFolder, dataFolder, type Environment } from './places.js'

/** Where a data set was found. */
export interface LocatedDataset {
  /** Its folder. */
  path: string
  /** Which of the two places holds that folder. */
  from: 'HINDCAST_DATA' | 'cache'
}

export interface LocateOptions {
  /** Default `process.env`. */
  env?: Environment
}

/**
 * The folder of a data set that is on disk already: in the folder `HINDCAST_DATA` names, else in the cache
 * folder; undefined when it is in neither. Throws `unknown-name` for a name that is not in the catalogue.
 */
export async function locateDataset(
  name: string,
  options: LocateOptions = {},
): Promise<LocatedDataset | undefined> {
  return locate(datasetNamed(name), options.env ?? process.env)
}

/** `locateDataset` for any description of a data set. */
export async function locate(dataset: Dataset, env: Environment): Promise<LocatedDataset | undefined> {
  const data = dataFolder(env)
  const places = [
    ...(data === undefined ? [] : [{ root: data, from: 'HINDCAST_DATA' as const }]),
    { root: cacheFolder(env), from: 'cache' as const },
  ]
  for (const { root, from } of places)
    for (const folder of dataset.folders) {
      const candidate = path.join(root, folder)
      if (await holds(candidate, dataset)) return { path: candidate, from }
    }
  return undefined
}

/** Whether a folder holds the data set, judged by its marker files. */
export async function holds(folder: string, dataset: Dataset): Promise<boolean> {
  for (const marker of dataset.markers) if (await exists(path.join(folder, marker))) return true
  return false
}

/** Whether a file or folder of that name is readable. */
export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

/** An entry in the list of data sets. */
export interface DatasetListing {
  name: string
  title: string
  /** One sentence. */
  description: string
  /** Rows, users and items of the published set; undefined if they vary or are not given. */
  rows: number | undefined
  users: number | undefined
  items: number | undefined
  licence: string
  /** Bytes to download, about. */
  size: number
  /** The name of its format. */
  format: string
  /** The page that describes it. */
  page: string
  /** Its folder, if it is on disk. */
  present: string | undefined
}

/** Every known data set, with its folder if it is on disk. */
export async function listDatasets(options: LocateOptions = {}): Promise<DatasetListing[]> {
  const env = options.env ?? process.env
  return Promise.all(
    datasets.map(async (dataset) => ({
      name: dataset.name,
      title: dataset.title,
      description: dataset.description,
      rows: dataset.rows,
      users: dataset.users,
      items: dataset.items,
      licence: dataset.licence,
      size: dataset.size,
      format: dataset.format,
      page: dataset.page,
      present: (await locate(dataset, env))?.path,
    })),
  )
}
