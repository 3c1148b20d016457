import type { AsyncBuffer } from 'hyparquet'
import type { PageHeader } from './page-header.js'
import { levelsOf } from './runs.js'
import type { Chunk } from './sound-pages.js'

/**
 * Throws where fields of the records in a list say that it has other lengths: of such lists, readers make different rows.
 */
export async function requireEqualLists(file: AsyncBuffer, chunks: readonly Chunk[]): Promise<void> {
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
