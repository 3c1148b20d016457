import { HindcastError } from '../../error.js'
import { suggest } from '../../suggest.js'

/** A checksum in lower-case hexadecimal. */
export interface Checksum {
  algorithm: 'md5' | 'sha256'
  sum: string
}

/**
 * How the archive of a data set can be verified: against a fixed checksum (`known`), against the `.md5` file
 * that the publisher keeps beside an archive that changes (`beside`), or not at all (`none`).
 */
export type ArchiveChecksum = ({ kind: 'known' } & Checksum) | { kind: 'beside' } | { kind: 'none' }

/** A public data set: what it is, where it lives, its licence, how to recognise it on disk. */
export interface Dataset {
  name: string
  title: string
  /** One sentence. */
  description: string
  /** Who publishes it. */
  publisher: string
  /** Rows of the published set; undefined if they vary between releases. */
  rows: number | undefined
  /** Undefined if they vary, or if the set has no user ids. */
  users: number | undefined
  /** Items that occur in the rows. */
  items: number | undefined
  /** The terms in a line or two, with the paper to cite. */
  licence: string
  /** The page that describes it. */
  page: string
  /** The address of the archive. */
  address: string
  checksum: ArchiveChecksum
  /** Bytes of the archive, about. */
  size: number
  /** Bytes once unpacked, about. */
  unpackedSize: number
  /** The set is present in a folder that holds any one of these files or folders. */
  markers: readonly string[]
  /** Files that never change, to check after unpacking. */
  contents: readonly ({ file: string } & Checksum)[]
  /** The name of its format. */
  format: string
  /** Names its folder may have; the first is the one Hindcast gives it. */
  folders: readonly string[]
}

const harperKonstan =
  'F. M. Harper and J. A. Konstan (2015), The MovieLens Datasets: History and Context, ' +
  'ACM Transactions on Interactive Intelligent Systems 5(4)'

const movielensLicence =
  'Research use only; no commercial use and no redistribution without permission from GroupLens. ' +
  `Cite ${harperKonstan}.`

/** Every data set Hindcast knows by name. */
export const datasets: readonly Dataset[] = [
  {
    name: 'ml-100k',
    title: 'MovieLens 100K',
    description: 'Film ratings in stars, 1997 to 1998; every user rated at least 20 films.',
    publisher: 'GroupLens',
    rows: 100_000,
    users: 943,
    items: 1_682,
    licence: movielensLicence,
    page: 'https://grouplens.org/datasets/movielens/100k/',
    address: 'https://files.grouplens.org/datasets/movielens/ml-100k.zip',
    checksum: { kind: 'known', algorithm: 'md5', sum: '0e33842e24a9c977be4e0107933c0723' },
    size: 4_924_029,
    unpackedSize: 16_000_000,
    markers: ['u.data'],
    contents: [{ file: 'u.data', algorithm: 'md5', sum: '6e47046882bad158b0efbb84cd5cb987' }],
    format: 'movielens',
    folders: ['ml-100k'],
  },
  {
    name: 'ml-1m',
    title: 'MovieLens 1M',
    description: 'Film ratings in stars by users who joined in 2000; every user rated at least 20 films.',
    publisher: 'GroupLens',
    rows: 1_000_209,
    users: 6_040,
    items: 3_706,
    licence: movielensLicence,
    page: 'https://grouplens.org/datasets/movielens/1m/',
    address: 'https://files.grouplens.org/datasets/movielens/ml-1m.zip',
    checksum: { kind: 'known', algorithm: 'md5', sum: 'c4d9eecfca2ab87c1945afe126590906' },
    size: 6_000_000,
    unpackedSize: 25_000_000,
    markers: ['ratings.dat'],
    contents: [],
    format: 'movielens',
    folders: ['ml-1m'],
  },
  {
    name: 'ml-latest-small',
    title: 'MovieLens Latest (small)',
    description:
      'About 100,000 film ratings in stars; changes from time to time, so do not publish results on it.',
    publisher: 'GroupLens',
    rows: undefined,
    users: undefined,
    items: undefined,
    licence:
      'Research use only; no commercial use without permission from GroupLens; redistribution only under the ' +
      `same terms. Cite ${harperKonstan}.`,
    page: 'https://grouplens.org/datasets/movielens/latest/',
    address: 'https://files.grouplens.org/datasets/movielens/ml-latest-small.zip',
    checksum: { kind: 'beside' },
    size: 1_000_000,
    unpackedSize: 3_500_000,
    markers: ['ratings.csv'],
    contents: [],
    format: 'movielens',
    folders: ['ml-latest-small'],
  },
  {
    name: 'open-bandit',
    title: 'Open Bandit Dataset',
    description:
      'Impressions of an online fashion shop: three campaigns, two logging policies, with propensities and clicks.',
    publisher: 'ZOZO',
    rows: 26_703_169,
    users: undefined,
    items: 80,
    licence:
      'CC BY 4.0. Cite Y. Saito, S. Aihara, M. Matsutani and Y. Narita (2020), Open Bandit Dataset and Pipeline: ' +
      'Towards Realistic and Reproducible Off-Policy Evaluation, arXiv:2008.07146.',
    page: 'https://research.zozo.com/data.html',
    address: 'https://research.zozo.com/data_release/open_bandit_dataset.zip',
    checksum: { kind: 'none' },
    size: 412_931_917,
    unpackedSize: 11_000_000_000,
    markers: ['random', 'bts'],
    contents: [],
    format: 'obd',
    folders: ['open-bandit', 'obd', 'open_bandit_dataset'],
  },
]

/** The data set of that name; an `unknown-name` error that suggests the closest name if there is none. */
export function datasetNamed(name: string): Dataset {
  const found = datasets.find((dataset) => dataset.name === name)
  if (found) return found
  const names = datasets.map((dataset) => dataset.name)
  const meant = suggest(name, names)
  throw new HindcastError('unknown-name', `There is no data set ${JSON.stringify(name)}.`, {
    remedy: `${meant ? `Did you mean ${meant}? ` : ''}Choose one of ${names.join(', ')}.`,
  })
}

/** The file name of the archive, the last part of its address. */
export function archiveName(dataset: Dataset): string {
  return dataset.address.slice(dataset.address.lastIndexOf('/') + 1)
}
