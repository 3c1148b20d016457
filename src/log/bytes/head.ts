import { HindcastError } from '../../error.js'
import { type ByteInput, joined } from './input.js'
import { LONGEST_LINE, lineTooLong } from './lines.js'
import { unwrapped, type Wrap, wrapAround } from './wraps.js'

/** The start of a file: enough to recognise what it is. */
export interface Head {
  /** The file's name, for messages. */
  readonly name: string
  /** What the file is wrapped in, the outermost first. */
  readonly wraps: readonly Wrap[]
  readonly isParquet: boolean
  /** Its first 64 kB as text, or its first line if that is longer, without a character cut off at the end; empty for Parquet. */
  readonly text: string
  /** True when the file holds no more than this. */
  readonly isWhole: boolean
}

const HEAD = 1 << 16

/** How web pages, pictures and other XML begin. */
const MARKUP = /^\uFEFF?\s*<(?:[?!]|[a-z][a-z:]*[\s>])/i

/** Reads the start of a file, whatever it is wrapped in; a file that is empty, or neither text nor Parquet, is an error. */
export async function readHead(input: ByteInput): Promise<Head> {
  const { name } = input
  const start = await input.slice(0, HEAD)
  if (start.length === 0)
    throw new HindcastError('bad-file', `${name} is empty.`, {
      remedy: 'Give a file with at least one row.',
    })
  const wraps: Wrap[] = []
  const inside = (): AsyncIterable<Uint8Array> => unwrapped(name, input.stream(), wraps)
  let first = { bytes: start, isWhole: input.byteLength <= HEAD }
  for (let wrap = wrapAround(start); wrap && !wraps.includes(wrap); wrap = wrapAround(first.bytes)) {
    wraps.push(wrap)
    first = await firstBytes(inside(), HEAD)
  }
  if (startsWith(first.bytes, 'PAR1'))
    return { name, wraps, isParquet: true, text: '', isWhole: first.isWhole }
  refuseOther(name, first.bytes)
  const hasLine = first.isWhole || endOfFirstLine(first.bytes) >= 0
  const { bytes: head, isWhole } = hasLine ? first : await firstBytes(inside(), LONGEST_LINE + 1)
  if (!isWhole && endOfFirstLine(head) < 0) throw lineTooLong(name, 1)
  const text = decodeHead(name, head, isWhole)
  if (MARKUP.test(text))
    throw new HindcastError('bad-file', `${name} is a web page or XML, not a table.`, {
      remedy: 'Use a CSV, TSV, NDJSON or Parquet file. Was it saved from a page that asks for a login?',
    })
  if (text.trim() === '')
    throw new HindcastError('bad-file', `${name} contains only blank lines.`, {
      remedy: 'Give a file with at least one row.',
    })
  return { name, wraps, isParquet: false, text, isWhole }
}

/** Bytes from the start: `enough` of them, or more until the first line is whole, or all there are. */
async function firstBytes(
  chunks: AsyncIterable<Uint8Array>,
  enough: number,
): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const pieces: Uint8Array[] = []
  let length = 0
  let isWhole = true
  for await (const chunk of chunks) {
    pieces.push(chunk)
    length += chunk.length
    const hasLine = enough === HEAD || endOfFirstLine(chunk) >= 0
    if (length > enough || (length > HEAD && hasLine)) {
      isWhole = false
      break
    }
  }
  const bytes = joined(Uint8Array, pieces)
  return { bytes: isWhole ? bytes : bytes.subarray(0, enough), isWhole }
}

/** Where the first line that is not blank ends; -1 if it does not. */
function endOfFirstLine(bytes: Uint8Array): number {
  const start = bytes.findIndex((byte) => byte > 32)
  return start < 0 ? -1 : bytes.subarray(start).findIndex((byte) => byte === 10 || byte === 13)
}

function decodeHead(name: string, head: Uint8Array, isWhole: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole })
  } catch (cause) {
    throw /\.parquet$/i.test(name) ? notParquet(name, cause) : notUtf8(name, cause)
  }
}

const notParquet = (name: string, cause: unknown): HindcastError =>
  new HindcastError('bad-file', `${name} is not a Parquet file: it does not begin with PAR1.`, {
    remedy: 'It is truncated, damaged or another kind of file: export or download it again.',
    cause,
  })

/** The error for bytes that are not UTF-8 text. */
export const notUtf8 = (name: string, cause: unknown): HindcastError =>
  new HindcastError('bad-file', `${name} is not UTF-8 text.`, {
    remedy: 'Save it as UTF-8, for example with: iconv -f latin1 -t utf-8.',
    cause,
  })

/** A kind of file that is not a log, known by its first bytes, and what makes a log of it. */
interface OtherFile {
  readonly is: string
  /** The bytes it begins with, as text of one character per byte, at `at` (default 0). */
  readonly begins?: string
  readonly at?: number
  /** What else recognises it. */
  readonly matches?: (head: Uint8Array) => boolean
  /** What to do, given the name of the file and that name without its ending. */
  readonly remedy: (file: string, stem: string) => string
}

const unpacking =
  (tool: string, ending: RegExp) =>
  (file: string): string =>
    `Unpack it with: ${tool} ${shellWord(file)}; then use ${file.replace(ending, '')}.`

const byPandas =
  (reading: (file: string) => string, imports = 'pandas as pd') =>
  (file: string, stem: string): string =>
    `Save it as Parquet, for example with: python -c "import ${imports}; ${reading(`'${file}'`)}.to_parquet('${stem}.parquet')".`

/** The first that fits counts: a workbook is a zip archive too. */
const OTHER_FILES: readonly OtherFile[] = [
  {
    is: 'an Excel workbook',
    matches: (head) => isZip(head) && /\[Content_Types\]\.xml|xl\//.test(latin(head)),
    remedy: (file, stem) =>
      `Save the sheet as CSV UTF-8, under File, Save As, or with: python -c "import pandas as pd; pd.read_excel('${file}').to_csv('${stem}.csv', index=False)".`,
  },
  {
    is: 'an old Excel workbook or another Office file',
    begins: '\xD0\xCF\x11\xE0',
    remedy: () => 'Open it and save the sheet as CSV UTF-8.',
  },
  {
    is: 'a NumPy archive (.npz)',
    matches: (head) => isZip(head) && /^[^\0/]*\.npy/.test(latin(head.subarray(30))),
    remedy: byPandas((file) => `pd.DataFrame(dict(np.load(${file})))`, 'numpy as np, pandas as pd'),
  },
  {
    is: 'a NumPy array (.npy)',
    begins: '\x93NUMPY',
    remedy: (_file, stem) =>
      `A log has a name for each column: save it as Parquet, for example with pd.DataFrame(array, columns=['user_id', 'item_id', 'reward', 'propensity']).to_parquet('${stem}.parquet').`,
  },
  {
    is: 'a zip archive',
    matches: isZip,
    remedy: (file, stem) =>
      `Unpack it and use the file inside; if there is only one, with: unzip -p ${shellWord(file)} > ${shellWord(stem)}.csv.`,
  },
  { is: 'a tar archive', begins: 'ustar', at: 257, remedy: unpackingTar },
  { is: 'compressed with bzip2', begins: 'BZh', remedy: unpacking('bunzip2 -k', /\.bz2$/) },
  { is: 'compressed with xz', begins: '\xFD7zXZ\0', remedy: unpacking('unxz -k', /\.xz$/) },
  {
    is: 'compressed with lz4',
    begins: '\x04\x22\x4D\x18',
    remedy: (file) =>
      `Unpack it with: lz4 -d ${shellWord(file)} ${shellWord(file.replace(/\.lz4$/, ''))}; then use ${file.replace(/\.lz4$/, '')}.`,
  },
  { is: 'a 7-Zip archive', begins: '7z\xBC\xAF\x27\x1C', remedy: () => 'Unpack it and use the file inside.' },
  { is: 'a RAR archive', begins: 'Rar!\x1A\x07', remedy: () => 'Unpack it and use the file inside.' },
  {
    is: 'an SQLite database',
    begins: 'SQLite format 3\0',
    remedy: (file, stem) =>
      `Save a table as CSV, for example with: sqlite3 -header -csv ${shellWord(file)} "SELECT * FROM impressions" > ${shellWord(stem)}.csv.`,
  },
  {
    is: 'a DuckDB database',
    begins: 'DUCK',
    at: 8,
    remedy: (file, stem) =>
      `Save a table as Parquet, for example with: duckdb ${shellWord(file)} -c "COPY impressions TO '${stem}.parquet'".`,
  },
  {
    is: 'a PostgreSQL archive (pg_dump)',
    begins: 'PGDMP',
    remedy: () =>
      String.raw`Save a table as CSV, for example in psql with: \copy impressions TO log.csv CSV HEADER.`,
  },
  { is: 'an Arrow file (Feather)', begins: 'ARROW1', remedy: byPandas((file) => `pd.read_feather(${file})`) },
  { is: 'an old Feather file', begins: 'FEA1', remedy: byPandas((file) => `pd.read_feather(${file})`) },
  {
    is: 'an Arrow stream',
    begins: '\xFF\xFF\xFF\xFF',
    remedy: byPandas((file) => `pa.ipc.open_stream(${file}).read_pandas()`, 'pyarrow as pa'),
  },
  {
    is: 'an Avro file',
    begins: 'Obj\x01',
    remedy: byPandas(
      (file) => `pd.DataFrame(fastavro.reader(open(${file}, 'rb')))`,
      'fastavro, pandas as pd',
    ),
  },
  { is: 'an ORC file', begins: 'ORC', remedy: byPandas((file) => `pd.read_orc(${file})`) },
  { is: 'an HDF5 file', begins: '\x89HDF\r\n', remedy: byPandas((file) => `pd.read_hdf(${file})`) },
  {
    is: 'a Python pickle',
    matches: ([first, version]) => first === 0x80 && version! >= 2 && version! <= 5,
    remedy: (file, stem) =>
      `A pickle can run code when it is opened, so Hindcast does not open any. A data frame of yours is saved as Parquet with: python -c "import pandas as pd; pd.read_pickle('${file}').to_parquet('${stem}.parquet')".`,
  },
  {
    is: 'an R data file',
    matches: (head) => /^(RD[AX][23]\n|[XA]\n\0\0\0)/.test(latin(head.subarray(0, 8))),
    remedy: (_file, stem) => `Save it as CSV in R: write.csv(log, "${stem}.csv", row.names = FALSE).`,
  },
  { is: 'a PDF file', begins: '%PDF', remedy: () => 'Use the table it was made from, as CSV or Parquet.' },
  {
    is: 'a picture',
    matches: (head) =>
      startsWith(head, '\x89PNG') || startsWith(head, '\xFF\xD8\xFF') || startsWith(head, 'GIF8'),
    remedy: () => 'Use the table it was made from, as CSV or Parquet.',
  },
]

/** Throws for a file that is neither text nor Parquet: what it is, and what makes a log of it. */
export function refuseOther(name: string, head: Uint8Array): void {
  // The first letters of a header may be those of a file of another kind.
  if (!head.subarray(0, 4096).some((byte) => byte < TAB)) return
  const other = OTHER_FILES.find(
    ({ begins, at = 0, matches }) =>
      matches?.(head) ?? (begins !== undefined && startsWith(head.subarray(at), begins)),
  )
  if (other)
    throw new HindcastError('bad-file', `${name} is ${other.is}.`, {
      remedy: other.remedy(name, name.replace(/(\.[a-z][a-z0-9]{0,8})+$/i, '')),
    })
  if (head.subarray(0, 4096).includes(0))
    throw new HindcastError('bad-file', `${name} is neither text nor Parquet.`, {
      remedy:
        'Use a CSV, TSV, JSON or Parquet file, compressed with gzip or zstd or not at all. If it is text, it has characters of code 0, or is UTF-16 without its mark: save it as UTF-8.',
    })
}

/** Bytes below it are in no text. */
const TAB = 9

/** Whether bytes begin with a text of one character per byte. */
const startsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((letter, k) => bytes[k] === letter.charCodeAt(0))

function isZip(head: Uint8Array): boolean {
  return startsWith(head, 'PK\x03\x04')
}

/** The first bytes as text of one character per byte. */
const latin = (head: Uint8Array): string => String.fromCharCode(...head.subarray(0, 2048))

function unpackingTar(file: string): string {
  return `Unpack it with: tar -xf ${shellWord(file)}; then use the file inside.`
}

/** A name as a shell takes it. */
const shellWord = (name: string): string =>
  /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`
