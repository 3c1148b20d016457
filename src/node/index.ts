// What needs Node: files, DuckDB, data sets on disk, the report as a file.
export { readLogFile } from './read-log.js'
export { compareFile, evaluateFile, evaluateFileBy } from './evaluate-file.js'
export type { InPlaceOptions, LogInPlace } from './sums/open-log.js'
export type { WarehouseLog, WarehouseRows } from './warehouse/warehouse-log.js'
export type { PolicyInWarehouse } from './warehouse/policy-in-warehouse.js'
export { DuckDbSums, type DuckDbSumsOptions } from './sums/duckdb-sums.js'
export type { ItemPredictions } from './sums/item-predictions.js'
export { partBeside, writeLogFile, writeParts } from './write-log.js'
export {
  type LogReport,
  writeComparisonReport,
  writeEvaluationReport,
  writeLogReport,
  writePlanReport,
  writeTrainingReport,
  writeTuningReport,
} from './write-report.js'
export { planFile } from './plan-file.js'
export { readModelFolder, writeModelFolder } from './model-folder.js'
export type { SavedModel } from '../model/model-files.js'
export { readModelPolicy } from './model-policy.js'
export { openPolicyFile } from './open-policy-file.js'
export type { PolicyOnDisk } from './sums/load-policy.js'
export { checkpointFolder, type CheckpointFolder } from './checkpoint-folder.js'
export { kernelOf, trainInFolder, type TrainInFolderOptions } from './train-in-folder.js'
export { type TunedInFolder, tuneInFolder, type TuneInFolderOptions } from './tune-in-folder.js'
export { startNodeThread } from './start-thread.js'
export * from './datasets/index.js'
export { createDocument } from './dom.js'
export { sampleAhead } from './sample-ahead.js'
export { readVersion } from './version.js'
export { writeAtomically } from './write-atomically.js'
export { nodeGpu } from './webgpu-device.js'
