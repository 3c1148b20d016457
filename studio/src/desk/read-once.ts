import type { ProgressListener } from '$core/progress.js'
import type { ReadLog } from '$core/read/plan.js'
import { readLog } from '$core/read/read-log.js'
import type { Watch } from './call.js'
import { type KeptLabels, labelsToKeep } from './kept-labels.js'
import { logInput } from './log-input.js'
import type { LogFiles, Reading } from './log-source.js'
import { readOptions } from './read-options.js'

/** A file as it was read, bad rows and all, with the further columns that were kept. */
export interface KeptRead {
  readonly read: ReadLog
  readonly labels: KeptLabels
}

/** The reading that was asked for last: the doctor looks at it, and then it is opened. */
let latest:
  | {
      readonly key: string
      readonly kept: Promise<KeptRead>
      readonly listeners: Set<ProgressListener>
      readonly end: AbortController
    }
  | undefined

/**
 * Reads a file once, whoever asks for it and how often. Asked for another file or for another way to read it, the reading
 * under way ends. The signal of a watch does not end it: others may wait for it.
 */
export async function readOnce(
  asked: LogFiles & { reading: Reading },
  { progress }: Watch,
): Promise<KeptRead> {
  const key = keyOf(asked)
  if (latest?.key !== key) {
    latest?.end.abort()
    const [listeners, end] = [new Set<ProgressListener>(), new AbortController()]
    const watch = { progress: tellAll(listeners), signal: end.signal }
    latest = { key, kept: readKept(asked, watch), listeners, end }
    // What failed may work once it is asked for again.
    latest.kept.catch(() => latest?.key === key && (latest = undefined))
  }
  const { kept, listeners } = latest
  if (progress) listeners.add(progress)
  try {
    return await kept
  } finally {
    if (progress) listeners.delete(progress)
  }
}

const tellAll =
  (listeners: ReadonlySet<ProgressListener>): ProgressListener =>
  (progress) => {
    for (const tell of listeners) tell(progress)
  }

async function readKept(asked: LogFiles & { reading: Reading }, watch: Watch): Promise<KeptRead> {
  const { reading, ...files } = asked
  const labels = await labelsToKeep(asked)
  const read = await readLog(logInput(files), {
    ...readOptions(reading, watch),
    ...(labels.names.length > 0 && { labels: labels.names }),
    onBadRow: 'keep',
  })
  return { read, labels }
}

/** Files come anew with every question: what tells them apart here is their name, size and time. */
function keyOf({ file, outcomes, reading }: LogFiles & { reading: Reading }): string {
  const about = ({ name, size, lastModified }: File): unknown => [name, size, lastModified]
  const { skipBadRows: _, ...rest } = reading
  return JSON.stringify([
    about(file),
    outcomes && ('file' in outcomes ? about(outcomes.file) : outcomes.kinds),
    rest,
  ])
}
