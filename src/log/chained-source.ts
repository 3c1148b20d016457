import type { CodedColumn } from './columns.js'
import { type Batch, MISSING, type RawRow, type RowSource } from './source.js'

/** An id that several files have keeps one code. */
interface CommonCodes {
  readonly codeOf: Map<string, number>
  readonly texts: string[]
}

/**
 * The rows of several files, one file after the other, as one source. Its lines are row numbers over all files;
 * each raw row also says in which file and at which line of it the row is.
 */
export function chainedSource(name: string, sources: readonly RowSource[]): RowSource {
  const common = new Map<CodedColumn, CommonCodes>()
  /** Rows of each file, known once it has been read. */
  const rows: number[] = []
  return {
    name,
    lineUnit: 'row',
    async *batches(signal) {
      rows.length = 0
      for (const source of sources) {
        const recode = recoder(source, common)
        rows.push(0)
        for await (const batch of source.batches(signal)) {
          rows[rows.length - 1]! += batch.rows
          yield { ...batch, ids: recode(batch) }
        }
        if (signal?.aborted) return
      }
    },
    codes: (column) => ({ count: common.get(column)?.texts.length ?? 0, ordered: false }),
    idText: (column, code) => common.get(column)!.texts[code]!,
    async rawRows(places, signal) {
      const found: RawRow[] = []
      let start = 0
      for (const [k, source] of sources.entries()) {
        const end = start + (rows[k] ?? 0)
        const here = places.filter((place) => place >= start && place < end)
        const raw =
          here.length === 0
            ? []
            : await source.rawRows(
                here.map((place) => place - start),
                signal,
              )
        raw.forEach(({ line, cells }, r) =>
          found.push({
            line: here[r]! + 1,
            cells,
            within: { file: source.name, line, lineUnit: source.lineUnit },
          }),
        )
        start = end
      }
      return found
    },
  }
}

/** Turns the codes of one file into those of all. Each code is looked up once, in the batch that brings it. */
function recoder(source: RowSource, common: Map<CodedColumn, CommonCodes>): (batch: Batch) => Batch['ids'] {
  const known = new Map<CodedColumn, number[]>()
  const recoded = (column: CodedColumn, codes: Uint32Array): Uint32Array => {
    const all = common.get(column) ?? { codeOf: new Map(), texts: [] }
    common.set(column, all)
    const own = known.get(column) ?? []
    known.set(column, own)
    return codes.map((code) =>
      code === MISSING ? MISSING : (own[code] ??= commonCode(all, source.idText(column, code))),
    )
  }
  return ({ ids, rows }) =>
    Object.fromEntries(
      Object.entries(ids).map(([column, codes]) => [
        column,
        recoded(column as CodedColumn, codes!.subarray(0, rows)),
      ]),
    )
}

function commonCode({ codeOf, texts }: CommonCodes, id: string): number {
  const known = codeOf.get(id)
  if (known !== undefined) return known
  codeOf.set(id, texts.length)
  return texts.push(id) - 1
}
