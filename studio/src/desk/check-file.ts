import { diagnose } from '$core/doctor/diagnose.js'
import type { Diagnosis } from '$core/doctor/diagnosis.js'
import { blobInput } from '$core/log/bytes/input.js'
import { readLog } from '$core/read/read-log.js'
import type { Watch } from './call.js'
import { asControls } from './control-words.js'
import type { Reading } from './log-source.js'
import { readOptions } from './read-options.js'

/** What the doctor finds in a file, read as chosen; propensities need no choice for that. */
export async function checkFile(
  { file, reading }: { file: File; reading: Reading },
  watch: Watch,
): Promise<Diagnosis> {
  const read = await readLog(blobInput(file.name, file), {
    ...readOptions(reading, watch),
    onBadRow: 'keep',
  })
  return diagnose(read, { ...watch, words: asControls })
}
