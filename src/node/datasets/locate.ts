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

/** What a list says of a data set, in this order. */
const LISTED = [
  'name',
  'title',
  'description',
  'rows',
  'users',
  'items',
  'licence',
  'size',
  'format',
  'page',
] as const satisfies readonly (keyof Dataset)[]

/** An entry in the list of data sets. */
export interface DatasetListing extends Pick<Dataset, (typeof LISTED)[number]> {
  /** Its folder, if it is on disk. */
  present: string | undefined
}

/** Every known data set, with its folder if it is on disk. */
export async function listDatasets({ env = process.env }: LocateOptions = {}): Promise<DatasetListing[]> {
  return Promise.all(
    datasets.map(async (dataset) => {
      const listed = Object.fromEntries(LISTED.map((name) => [name, dataset[name]])) as Omit<
        DatasetListing,
        'present'
      >
      return { ...listed, present: (await locate(dataset, env))?.path }
    }),
  )
}
