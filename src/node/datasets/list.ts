import { datasets } from './catalogue.js'
import { locate, type LocateOptions } from './locate.js'

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
