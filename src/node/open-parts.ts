import type { ByteInput } from '../log/bytes/input.js'
import { canonical } from '../log/formats/canonical.js'
import type { Format } from '../log/formats/format.js'
import type { LogParts } from '../log/join/join-options.js'
import { fileInput, type UnchangedCheck, unchangedCheck } from './file-input.js'
import { findFile, type FoundFile } from './find-file.js'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import { chainedSource } from '../log/chained-source.js'
import type { RowSource } from '../log/source.js'
import type { ReadOptions } from '../read/plan.js'
import { openRows } from '../read/read-log.js'

/** Decisions and outcomes on disk. */
interface OpenParts {
  readonly paths: { readonly decisions: string; readonly outcomes: string }
  readonly inputs: LogParts<ByteInput>
  /** Throws if either file has changed since. */
  readonly unchanged: UnchangedCheck
}

/** Finds the files of a log of two parts; either may be standard input (`-`). */
export async function openParts(
  log: LogParts<string>,
  format: Format,
  signal?: AbortSignal,
): Promise<OpenParts> {
  const open = async (
    name: string,
    layout: Format,
  ): Promise<{ file: FoundFile; input: ByteInput; unchanged: UnchangedCheck }> => {
    const file = await findFile(name, layout, signal)
    const unchanged = await unchangedCheck(file.path, file.name)
    return { file, unchanged, input: await fileInput(file.path, file.name) }
  }
  if ('events' in log) {
    const { file, input, unchanged } = await open(log.events, format)
    return {
      paths: { decisions: file.path, outcomes: file.path },
      inputs: { events: input, kinds: log.kinds },
      unchanged,
    }
  }
  const decisions = await open(log.decisions, format)
  const outcomes = await open(log.outcomes, canonical)
  return {
    paths: { decisions: decisions.file.path, outcomes: outcomes.file.path },
    inputs: { decisions: decisions.input, outcomes: outcomes.input },
    unchanged: async () => {
      await decisions.unchanged()
      await outcomes.unchanged()
    },
  }
}

/** Several files that are one log. */
interface OpenMatched {
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
  const { source, origins } = await openRows(await fileInput(path, name), options)
  return { source, origins, unchanged }
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
