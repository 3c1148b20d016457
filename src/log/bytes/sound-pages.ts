import type { AsyncBuffer, ColumnMetaData, CompressionCodec, Compressors, FileMetaData } from 'hyparquet'
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getSchemaPath } from 'hyparquet/src/schema.js'
import {
  pageHeader,
  type PageHeader,
  PLAIN_DICTIONARY,
  requireFilterHeader,
  RLE,
  RLE_DICTIONARY,
} from './page-header.js'
import { bitsFor, countRuns, levelsOf, shortenRuns, variableInteger } from './runs.js'

/** The pages of one column in one row group. */
interface Chunk {
  readonly column: ColumnMetaData
  readonly compressors: Compressors
  readonly group: number
  readonly start: number
  readonly end: number
  readonly highestRepetition: number
  readonly highestDefinition: number
  /** The innermost list around its values. */
  readonly list?: InnerList
  /** The headers of its pages, by where what may be compressed begins in the chunk. */
  readonly pages: Map<number, PageHeader>
  /** The column as the decoder sees it: once its pages were checked, it ends where the last of them does. */
  decoded?: ColumnMetaData
  checked?: Promise<void>
}

/** The innermost list that the values of a column lie in: its path, and the definition level of its elements. */
interface InnerList {
  readonly path: string
  readonly definition: number
}

/** A Parquet file for a decoder that believes what pages say of themselves. */
export interface SoundPages {
  /** The footer, with decompressors that mend what would keep a decoder busy for ever. */
  readonly metadata: FileMetaData
  /**
   * Goes over the headers of the pages of these columns in the row groups [first, end); throws if one contradicts the
   * footer or itself.
   */
  check(columns: readonly string[], first: number, end: number): Promise<void>
}

/** Stands for no compression: the decoder then gets each page as a copy, and cannot read beyond its end. */
const COPIED = 'COPIED' as CompressionCodec

export function soundPages(file: AsyncBuffer, metadata: FileMetaData, compressors: Compressors): SoundPages {
  const chunks: Chunk[] = []
  const row_groups = metadata.row_groups.map((group, k) => ({
    ...group,
    columns: group.columns.map((one) => {
      const chunk = chunkOf(metadata, k, one.meta_data!, compressors)
      chunks.push(chunk)
      const codec = chunk.column.codec === 'UNCOMPRESSED' ? COPIED : chunk.column.codec
      // The decoder takes the settings of a column before those of the file.
      chunk.decoded = Object.assign({}, chunk.column, { codec, compressors: mending(chunk) })
      return { ...one, meta_data: chunk.decoded }
    }),
  }))
  return {
    metadata: { ...metadata, row_groups },
    async check(columns, first, end) {
      for (let group = first; group < end; group++) {
        const asked = chunks.filter(
          (chunk) => chunk.group === group && columns.includes(chunk.column.path_in_schema[0]!),
        )
        const unchecked = asked.filter(({ checked }) => !checked)
        await Promise.all(asked.map((chunk) => (chunk.checked ??= checkPages(file, chunk))))
        await requireEqualLists(file, unchecked)
      }
    },
  }
}

function chunkOf(
  { schema }: FileMetaData,
  group: number,
  column: ColumnMetaData,
  compressors: Compressors,
): Chunk {
  const path = getSchemaPath(schema, column.path_in_schema)
  const start = Number(column.dictionary_page_offset || column.data_page_offset)
  const list = path.findLastIndex(({ element }) => element.repetition_type === 'REPEATED')
  return {
    column,
    compressors,
    group,
    start,
    end: start + Number(column.total_compressed_size),
    highestRepetition: getMaxRepetitionLevel(path),
    highestDefinition: getMaxDefinitionLevel(path),
    ...(list > 0 && {
      list: {
        path: column.path_in_schema.slice(0, list).join('.'),
        definition: getMaxDefinitionLevel(path.slice(0, list + 1)),
      },
    }),
    pages: new Map(),
  }
}

/** Read at once: the headers of many small pages, little of a large one. */
const WINDOW = 1 << 14
const FILTER_HEADER = 64

async function checkPages(file: AsyncBuffer, chunk: Chunk): Promise<void> {
  const { column, start, end } = chunk
  const filter = Number(column.bloom_filter_offset ?? 0)
  if (filter > 0) requireFilterHeader(new Uint8Array(await file.slice(filter, filter + FILTER_HEADER)))
  let at = start
  let left = Number(column.num_values)
  let hasDictionary = false
  let window = { start, bytes: new Uint8Array(0) }
  const bytesAt = async (from: number, size: number): Promise<Uint8Array> => {
    const to = Math.min(end, from + size)
    if (from < window.start || to > window.start + window.bytes.length)
      window = {
        start: from,
        bytes: new Uint8Array(await file.slice(from, Math.min(end, from + Math.max(size, WINDOW)))),
      }
    return window.bytes.subarray(from - window.start)
  }
  while (left > 0) {
    const bytes = await bytesAt(at, Math.min(WINDOW / 4, end - at))
    const { header, next } = await headerIn(bytes, () => bytesAt(at, end - at))
    const body = at + next
    at = body + header.size
    if (at > end) throw new Error(`A page of ${column.path_in_schema[0]} ends outside it.`)
    if (header.kind === 'dictionary') {
      hasDictionary = true
      if (column.codec === 'UNCOMPRESSED' && column.type === 'BYTE_ARRAY')
        requireTexts(await bytesAt(body, header.size), header)
    } else {
      left -= header.values
      if (isCoded(header) && !hasDictionary) throw new Error('A page has indices into no dictionary.')
      if (header.encoding === RLE && column.type !== 'BOOLEAN') throw new Error('Runs of no truths.')
    }
    if (left < 0) throw new Error(`Column ${column.path_in_schema[0]} has more values than rows.`)
    const { repetitionSize = 0, definitionSize = 0 } = header.second ?? {}
    const levels = repetitionSize + definitionSize
    if (header.second) checkSecond(chunk, header, await bytesAt(body, levels))
    // What is not compressed is decoded where it is, and cannot be mended.
    if (header.second?.isCompressed === false) {
      const values = await bytesAt(body + levels, header.size - levels)
      if (mend(values.slice(0, header.size - levels), header, chunk)) throw new Error('A run is too long.')
    }
    const isCompressed = header.second?.isCompressed !== false
    if (column.codec === 'GZIP' && isCompressed)
      await requireGzip(await bytesAt(body + levels, header.size - levels), header.size - levels)
    chunk.pages.set(body + levels - start, header)
  }
  // Of lists and records, the decoder would read on as long as there are bytes.
  chunk.decoded!.total_compressed_size = BigInt(at - start)
}

/** Throws where a page is not what its checksum says: of damaged ones, engines decompress what was never in the file. */
async function requireGzip(bytes: Uint8Array, size: number): Promise<void> {
  const page = new Blob([bytes.slice(0, size)])
  await new Response(page.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
}

const isCoded = ({ encoding }: Pick<PageHeader, 'encoding'>): boolean =>
  encoding === PLAIN_DICTIONARY || encoding === RLE_DICTIONARY

/** The texts of a dictionary must end where it does; once decompressed, every reader notices. */
function requireTexts(bytes: Uint8Array, { size, values }: PageHeader): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, size)
  let at = 0
  for (let k = 0; k < values; k++) at += 4 + view.getUint32(at, true)
  if (at > size) throw new Error('A dictionary ends too early.')
}

/** The header that the bytes begin with; more of them are read where they end too early. */
async function headerIn(
  bytes: Uint8Array,
  more: () => Promise<Uint8Array>,
): Promise<ReturnType<typeof pageHeader>> {
  try {
    return pageHeader(bytes, 0)
  } catch (error) {
    const all = await more()
    if (all.length <= bytes.length) throw error
    return pageHeader(all, 0)
  }
}

/** Levels of a page of the second version must be as many as it has values, with as many nulls as it says. */
function checkSecond(chunk: Chunk, { values, second }: PageHeader, bytes: Uint8Array): void {
  const { nulls, rows, repetitionSize, definitionSize } = second!
  const { highestRepetition, highestDefinition } = chunk
  if (highestRepetition > 0) levelsOf(bytes.subarray(0, repetitionSize), highestRepetition, values)
  else if (rows !== values) throw new Error(`A page has ${rows} rows of ${values} values.`)
  const definitions = bytes.subarray(repetitionSize, repetitionSize + definitionSize)
  const found =
    highestDefinition > 0
      ? levelsOf(definitions, highestDefinition, values).filter((level) => level === highestDefinition).length
      : values
  if (found !== values - nulls) throw new Error(`A page has ${values - found} nulls, not ${nulls}.`)
}

/** Decompressors whose pages have no run longer than the page. */
function mending(chunk: Chunk): Compressors {
  const all = { ...chunk.compressors, [COPIED]: (bytes: Uint8Array) => bytes.slice() }
  return Object.fromEntries(
    Object.entries(all).map(([codec, decompress]) => [
      codec,
      (bytes: Uint8Array, size: number) => {
        if (codec === 'SNAPPY') requireSnappySize(bytes, size)
        const given = decompress(bytes, size)
        const page = given.length === given.buffer.byteLength ? given : given.slice()
        const header = chunk.pages.get(bytes.byteOffset)
        if (!header) throw new Error('A page is not where it should be.')
        mend(page, header, chunk)
        return page
      },
    ]),
  )
}

/** Snappy begins with the size of what it holds; the decompressor fills up what is missing with zeros. */
function requireSnappySize(bytes: Uint8Array, size: number): void {
  const [found] = variableInteger(bytes, 0)
  if (found !== size) throw new Error(`A page has ${found} bytes, not ${size}.`)
}

/** Shortens the runs of a page that are too long; returns whether one of its values was. */
function mend(page: Uint8Array, { kind, values, encoding }: PageHeader, chunk: Chunk): boolean {
  if (kind === 'dictionary') return false
  const view = new DataView(page.buffer)
  let at = 0
  for (const highest of kind === 'first' ? [chunk.highestRepetition, chunk.highestDefinition] : []) {
    if (highest === 0) continue
    const end = at + 4 + view.getUint32(at, true)
    const levels = page.subarray(at + 4, end)
    shortenRuns(levels, bitsFor(highest), values)
    if (countRuns(levels, bitsFor(highest), values) < values)
      throw new Error('A page has fewer levels than values.')
    at = end
  }
  const { type } = chunk.column
  if (encoding === RLE && type === 'BOOLEAN') return shortenRuns(page.subarray(at + 4), 1, values)
  return isCoded({ encoding }) && shortenRuns(page.subarray(at + 1), page[at] ?? 0, values)
}

/**
 * Throws where fields of the records in a list say that it has other lengths: of such lists, readers make different rows.
 */
async function requireEqualLists(file: AsyncBuffer, chunks: readonly Chunk[]): Promise<void> {
  const lists = chunks.filter(({ list }) => list)
  for (const path of new Set(lists.map(({ list }) => list!.path))) {
    const [first, ...others] = lists.filter(({ list }) => list!.path === path)
    if (others.length === 0) continue
    const expected = await elementsOf(file, first!)
    for (const other of others)
      if (!isEqual(await elementsOf(file, other), expected))
        throw new Error(`Fields of ${path} disagree on how many elements it has.`)
  }
}

/** Each value of a column as the step it takes in its lists: which list it continues, and whether it is an element. */
async function elementsOf(file: AsyncBuffer, chunk: Chunk): Promise<Uint8Array> {
  const { column, start, list, highestRepetition, highestDefinition, pages } = chunk
  const steps = new Uint8Array(Number(column.num_values))
  let at = 0
  for (const [place, header] of pages) {
    if (header.kind === 'dictionary') continue
    const [repetitions, definitions] = await levelBytes(file, start + place, header, chunk)
    const { values } = header
    const repetition = levelsOf(repetitions, highestRepetition, values)
    const definition = levelsOf(definitions, highestDefinition, values)
    for (let k = 0; k < values; k++)
      steps[at + k] = 16 * repetition[k]! + Math.min(definition[k]!, list!.definition)
    at += values
  }
  return steps
}

/** The encoded levels of a page: repetitions and definitions. Those of the second version come before what is compressed. */
async function levelBytes(
  file: AsyncBuffer,
  place: number,
  { second, size, decompressed }: PageHeader,
  { column, compressors }: Chunk,
): Promise<[repetitions: Uint8Array, definitions: Uint8Array]> {
  if (second) {
    const { repetitionSize, definitionSize } = second
    const levels = new Uint8Array(await file.slice(place - repetitionSize - definitionSize, place))
    return [levels.subarray(0, repetitionSize), levels.subarray(repetitionSize)]
  }
  const bytes = new Uint8Array(await file.slice(place, place + size))
  const page = column.codec === 'UNCOMPRESSED' ? bytes : compressors[column.codec]!(bytes, decompressed)
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  const first = 4 + view.getUint32(0, true)
  return [page.subarray(4, first), page.subarray(first + 4, first + 4 + view.getUint32(first, true))]
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((value, k) => value === b[k])
