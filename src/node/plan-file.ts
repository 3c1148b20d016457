import type { Plan } from '../estimate/plan/plan-record.js'
import { planFrom, type PlanSourceOptions } from '../estimate/plan/plan-source.js'
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
  const target = await DuckDbSums.open(log, readings.target)
  try {
    const against = await DuckDbSums.open(log, readings.against)
    try {
      return await planFrom({ target, against }, options)
    } finally {
      against.dispose()
    }
  } finally {
    target.dispose()
  }
}
