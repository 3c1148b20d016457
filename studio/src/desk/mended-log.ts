import { type MendedLog, mendLog } from '$core/doctor/mend.js'
import { throwIfAborted } from '$core/error.js'
import { bytesInput } from '$core/log/bytes/input.js'
import { csvText } from '$core/log/write/text.js'
import type { ReadLog } from '$core/read/plan.js'
import { readLog, requireGoodRows, requirePlan } from '$core/read/read-log.js'
import type { Watch } from './call.js'
import { type KeptLabels, labelsToKeep, NO_LABELS } from './kept-labels.js'
import { logInput } from './log-input.js'
import type { LogFiles, Reading } from './log-source.js'
import { type KeptRead, readOnce } from './read-once.js'
import { readOptions } from './read-options.js'

/** The file that mended rows are taken to be in, as `hindcast doctor --fix --out` writes it. */
export const MENDED_FILE = 'repaired.csv'

/** The log of a file without what the doctor can mend in it. */
export const mendedLog = (
  {
    reading: { propensity: _propensity, skipBadRows: _skip, ...reading },
    ...files
  }: LogFiles & { reading: Reading },
  watch: Watch,
): Promise<MendedLog> =>
  mendLog(
    (options) =>
      readLog(logInput(files), { ...readOptions(reading, watch), propensityOptional: true, ...options }),
    reading.columns,
    watch.signal ? { signal: watch.signal } : {},
  )

/** Reads the log of a file; a mended one as commands read what the doctor wrote. */
export async function readChosen(source: LogFiles & { reading: Reading }, watch: Watch): Promise<KeptRead> {
  return source.reading.mended
    ? { read: await readMended(source, watch), labels: NO_LABELS }
    : readGood(source, watch)
}

/** The reading that the doctor looked at, if its rows are good; else without those that are not, or the error about them. */
async function readGood(source: LogFiles & { reading: Reading }, watch: Watch): Promise<KeptRead> {
  const { reading } = source
  const options = readOptions(reading, watch)
  const input = logInput(source)
  const again = async (labels: KeptLabels): Promise<KeptRead> => ({
    labels,
    read: await readLog(input, { ...options, ...(labels.names.length > 0 && { labels: labels.names }) }),
  })
  // The doctor leaves out outcomes that are bad; here they are an error, which only reading them tells.
  if ('decisions' in input || 'events' in input) return again(await labelsToKeep(source))
  // The doctor also looks at logs that lack something.
  await requirePlan(input, options)
  const kept = await readOnce(source, watch)
  throwIfAborted(watch.signal)
  if (kept.read.broken.rows.size === 0) return kept
  if (!reading.skipBadRows) await requireGoodRows(kept.read)
  return again(kept.labels)
}

async function readMended(source: LogFiles & { reading: Reading }, watch: Watch): Promise<ReadLog> {
  const { reading } = source
  const { log } = await mendedLog(source, watch)
  const bytes = new TextEncoder().encode([...csvText(log)].join(''))
  const { propensity } = reading
  return readLog(
    bytesInput(MENDED_FILE, bytes),
    readOptions(propensity === undefined ? {} : { propensity }, watch),
  )
}
