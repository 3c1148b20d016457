import type { Plan } from '../estimate/plan/plan-record.js'
import { planFrom, type PlanSourceOptions } from '../estimate/plan/plan-source.js'
import type { TemperedSource } from '../estimate/plan/temperatures.js'
import type { LogParts } from '../log/join/join-options.js'
import { DuckDbSums, type DuckDbSumsOptions } from './sums/duckdb-sums.js'

/** How to read a log for the target, and for the policy that it is compared with. */
export interface PlannedReadings {
  readonly target: DuckDbSumsOptions
  readonly against: DuckDbSumsOptions
}

/** Plans with a log that stays on disk: DuckDB computes the sums, so the log may be larger than memory. */
export async function planFile(
  log: string | LogParts<string>,
  readings: PlannedReadings,
  options: PlanSourceOptions,
): Promise<Plan> {
  const opened: DuckDbSums[] = []
  const open = async (reading: DuckDbSumsOptions): Promise<DuckDbSums> => {
    const sums = await DuckDbSums.open(log, reading)
    opened.push(sums)
    return sums
  }
  try {
    const [target, against] = [await open(readings.target), await open(readings.against)]
    const tempered = temperedOn(readings.target, open)
    return await planFrom({ target, against, ...(tempered && { tempered }) }, options)
  } finally {
    for (const sums of opened) sums.dispose()
  }
}

/** Scores in a file can be taken at any temperature: the log is opened once for each. */
function temperedOn(
  { target, ...reading }: DuckDbSumsOptions,
  open: (reading: DuckDbSumsOptions) => Promise<DuckDbSums>,
): TemperedSource | undefined {
  const ruled = target.kind === 'file' ? target.file.ruled : undefined
  if (target.kind !== 'file' || ruled?.rule.kind !== 'softmax') return undefined
  return {
    temperature: ruled.rule.temperature,
    at: (temperature) =>
      open({ ...reading, target: { ...target, file: ruled.by({ kind: 'softmax', temperature }) } }),
  }
}
