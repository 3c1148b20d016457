// What needs Node: files, DuckDB, data sets on disk, the report as a file.
export { readLogFile } from './read-log.js'
export { writeLogFile } from './write-log.js'
export { writeLogReport } from './log-report.js'
export type { LogReport } from './log-report.js'
export { writeComparisonReport, writeEvaluationReport } from './evaluation-report.js'
export type { EvaluationReport } from './evaluation-report.js'
export { createDocument } from './dom.js'
export * from './datasets/index.js'
