import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import { detect } from '../log/bytes/detect.js'
import { parquetSource } from '../log/bytes/parquet-source.js'
import { textSource } from '../log/bytes/text-source.js'
import { chainedSource } from '../log/chained-source.js'
import type { RowSource } from '../log/source.js'
import { planLogColumns } from '../read/notations.js'
import { formatOf, type ReadOptions } from '../read/plan.js'
import { openNamed } from '../read/plan-shape.js'
import { fileInput, type UnchangedCheck, unchangedCheck } from './file-input.js'
import type { FoundFile } from './find-file.js'

/** Several files that are one log. */
export interface OpenMatched {
  readonly source: RowSource
  readonly origins: ColumnOrigins
  readonly unchanged: UnchangedCheck
}

/** Opens several files of one layout as one log, read from their bytes one after the other. */
export async function openMatched(
  name: string,
  files: readonly FoundFile[],
  options: ReadOptions,
): Promise<OpenMatched> {
  const parts: OpenMatched[] = []
  for (const file of files) parts.push(await openPart(file, options))
  const [first, ...others] = parts
  for (const other of others) refuseOtherLayout(first!, other)
  return {
    source: chainedSource(
      name,
      parts.map(({ source }) => source),
    ),
    origins: first!.origins,
    async unchanged() {
      for (const part of parts) await part.unchanged()
    },
  }
}

async function openPart({ path, name }: FoundFile, options: ReadOptions): Promise<OpenMatched> {
  const unchanged = await unchangedCheck(path, name)
  const input = await fileInput(path, name)
  const container = await detect(input, formatOf(options), options.header)
  if (container.kind === 'parquet') {
    const parquet = await openNamed(input, options, container.wraps)
    const origins = await planLogColumns(input, parquet, options)
    return { source: parquetSource(parquet, origins), origins, unchanged }
  }
  const origins = await planLogColumns(input, container, options)
  return { source: textSource(input, container, origins), origins, unchanged }
}

/** Files that have other columns, or write their numbers otherwise, are not one log. */
function refuseOtherLayout(first: OpenMatched, other: OpenMatched): void {
  const textOf = (origins: ColumnOrigins, column: string): string | undefined =>
    origins[column as 'user']?.join('+')
  for (const column of new Set([...Object.keys(first.origins), ...Object.keys(other.origins)])) {
    const [here, there] = [textOf(first.origins, column), textOf(other.origins, column)]
    if (here === there) continue
    const said = (text: string | undefined): string => (text === undefined ? 'missing' : text)
    throw new HindcastError(
      'bad-file',
      `${other.source.name} is not laid out as ${first.source.name}: ${column} is ${said(there)} there, and ${said(here)} here.`,
      {
        remedy: advice`Read files of one layout together. To say what the columns are, use ${set('columns')}.`,
      },
    )
  }
}
