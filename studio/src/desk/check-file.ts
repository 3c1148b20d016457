import { diagnose, plainFinding } from '$core/doctor/diagnose.js'
import { type Diagnosis, DIAGNOSIS_SCHEMA } from '$core/doctor/diagnosis.js'
import { CANONICAL_NAMES } from '$core/log/columns.js'
import { readLog } from '$core/read/read-log.js'
import type { Watch } from './call.js'
import { asControls } from './control-words.js'
import { logInput } from './log-input.js'
import type { LogFiles, Reading } from './log-source.js'
import { mendedLog } from './mended-log.js'
import { readOptions } from './read-options.js'

/** What the doctor finds in a file, and what was mended before. */
export interface CheckedFile {
  readonly diagnosis: Diagnosis
  /** One sentence each. */
  readonly mended: readonly string[]
}

/** What the doctor finds in a file, read as chosen; propensities need no choice for that. */
export async function checkFile(asked: LogFiles & { reading: Reading }, watch: Watch): Promise<CheckedFile> {
  const { reading, ...files } = asked
  if (reading.mended) return checkMended(asked, watch)
  const read = await readLog(logInput(files), {
    ...readOptions(reading, watch),
    onBadRow: 'keep',
  })
  return { diagnosis: await diagnose(read, { ...watch, words: asControls }), mended: [] }
}

/** What is left once the doctor has mended what it can; its rows have no lines in the file. */
async function checkMended(asked: LogFiles & { reading: Reading }, watch: Watch): Promise<CheckedFile> {
  const { log, done, findings } = await mendedLog(asked, watch)
  return {
    mended: done,
    diagnosis: {
      schema: DIAGNOSIS_SCHEMA,
      file: asked.file.name,
      rows: log.rows,
      clean: findings.every(({ level }) => level !== 'problem'),
      findings: findings.map((finding) => ({
        ...plainFinding(finding, CANONICAL_NAMES, asControls),
        lines: [],
      })),
    },
  }
}
