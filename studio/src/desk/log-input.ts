import { blobInput, type ByteInput } from '$core/log/bytes/input.js'
import type { LogParts } from '$core/log/join/join-options.js'
import type { LogFiles } from './log-source.js'

/** What the reader of logs reads: a file, or decisions and their outcomes. */
export function logInput({ file, outcomes }: LogFiles): ByteInput | LogParts<ByteInput> {
  const input = blobInput(file.name, file)
  if (!outcomes) return input
  return 'kinds' in outcomes
    ? { events: input, kinds: outcomes.kinds }
    : { decisions: input, outcomes: blobInput(outcomes.file.name, outcomes.file) }
}
