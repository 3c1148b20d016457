import { type MendedLog, mendLog } from '$core/doctor/mend.js'
import { bytesInput } from '$core/log/bytes/input.js'
import { csvText } from '$core/log/write/text.js'
import type { ReadLog } from '$core/read/plan.js'
import { readLog } from '$core/read/read-log.js'
import type { Watch } from './call.js'
import { logInput } from './log-input.js'
import type { LogFiles, Reading } from './log-source.js'
import { readOptions } from './read-options.js'

/** The file that mended rows are taken to be in, as `hindcast doctor --fix --out` writes it. */
export const MENDED_FILE = 'mended.csv'

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
export async function readChosen(
  source: LogFiles & { reading: Reading },
  watch: Watch,
  labels: readonly string[] = [],
): Promise<ReadLog> {
  const { reading } = source
  if (!reading.mended)
    return readLog(logInput(source), {
      ...readOptions(reading, watch),
      ...(labels.length > 0 && { labels }),
    })
  const { log } = await mendedLog(source, watch)
  const bytes = new TextEncoder().encode([...csvText(log)].join(''))
  const { propensity } = reading
  return readLog(
    bytesInput(MENDED_FILE, bytes),
    readOptions(propensity === undefined ? {} : { propensity }, watch),
  )
}
