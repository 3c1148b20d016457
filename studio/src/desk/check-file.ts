import { diagnose, plainFinding } from '$core/doctor/diagnose.js'
import { type Diagnosis, DIAGNOSIS_SCHEMA } from '$core/doctor/finding.js'
import { throwIfAborted } from '$core/error.js'
import { CANONICAL_NAMES, isLabelColumn } from '$core/log/columns.js'
import type { ReadLog } from '$core/read/plan.js'
import type { Watch } from './call.js'
import { asControls } from './control-words.js'
import type { LogFiles, Reading } from './log-source.js'
import { type MappedRows, mappedRows } from './mapped-rows.js'
import { mendedLog } from './mended-log.js'
import { readOnce } from './read-once.js'

/** What the doctor finds in a file, and what was mended before. */
export interface CheckedFile {
  readonly diagnosis: Diagnosis
  /** One sentence each. */
  readonly mended: readonly string[]
  /** Its first rows, as the log has them. */
  readonly mapped: MappedRows
}

/** What the doctor finds in a file, read as chosen; propensities need no choice for that. */
export async function checkFile(asked: LogFiles & { reading: Reading }, watch: Watch): Promise<CheckedFile> {
  if (asked.reading.mended) return checkMended(asked, watch)
  const { read } = await readOnce(asked, watch)
  throwIfAborted(watch.signal)
  return {
    diagnosis: await diagnose(withoutLabels(read), { ...watch, words: asControls }),
    mended: [],
    mapped: mappedRows(read.log),
  }
}

/** The doctor looks at the columns of a log, not at further ones that rows can be divided by. */
function withoutLabels(read: ReadLog): ReadLog {
  const { labels: _, ...log } = read.log
  const origins = Object.entries(read.origins).filter(([column]) => !isLabelColumn(column))
  return { ...read, log, origins: Object.fromEntries(origins) }
}

/** What is left once the doctor has mended what it can; its rows have no lines in the file. */
async function checkMended(asked: LogFiles & { reading: Reading }, watch: Watch): Promise<CheckedFile> {
  const { log, done, findings } = await mendedLog(asked, watch)
  return {
    mended: done,
    mapped: mappedRows(log),
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
