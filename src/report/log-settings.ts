import type { ReadLog } from '../read/plan.js'

/** How the log of a page was read: the file, its layout, the columns behind those of the log, rows left out. */
export const logSettings = ({
  file,
  format,
  origins,
  skipped,
}: Pick<ReadLog, 'file' | 'format' | 'origins' | 'skipped'>): Readonly<Record<string, unknown>> => ({
  log: file,
  format,
  columns: origins,
  leftOut: skipped,
})
