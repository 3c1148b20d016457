import type { ByteInput } from '../log/bytes/input.js'
import { canonical } from '../log/formats/canonical.js'
import type { Format } from '../log/formats/format.js'
import type { LogParts } from '../log/join/join-options.js'
import { fileInput, type UnchangedCheck, unchangedCheck } from './file-input.js'
import { findFile, type FoundFile } from './find-file.js'

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
