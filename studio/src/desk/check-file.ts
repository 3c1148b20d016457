import { diagnose } from '$core/doctor/diagnose.js'
import type { Diagnosis } from '$core/doctor/diagnosis.js'
import { readLog } from '$core/read/read-log.js'
import type { Watch } from './call.js'
import { asControls } from './control-words.js'
import { logInput } from './log-input.js'
import type { LogFiles, Reading } from './log-source.js'
import { readOptions } from './read-options.js'

/** What the doctor finds in a file, read as chosen; propensities need no choice for that. */
export async function checkFile(
  { reading, ...files }: LogFiles & { reading: Reading },
  watch: Watch,
): Promise<Diagnosis> {
  const read = await readLog(logInput(files), {
    ...readOptions(reading, watch),
    onBadRow: 'keep',
  })
  return diagnose(read, { ...watch, words: asControls })
}
