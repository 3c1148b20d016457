import type { Plan } from '../estimate/plan/plan-record.js'
import { type PlanSourceOptions, type TemperedSource, planFrom } from '../estimate/plan/plan.js'
import { sqlSums } from '../estimate/source/sql-sums.js'
import type { SumSource } from '../estimate/source/source.js'
import { softerInPlace, whileOpen } from './evaluate-file.js'
import type { InPlaceOptions, LogInPlace } from './sums/open-log.js'

/** How to read a log for the target, and for the policy that it is compared with. */
export interface PlannedReadings {
  readonly target: InPlaceOptions
  readonly against: InPlaceOptions
}

/** Plans with a log that stays where it is: DuckDB computes the sums over files, a warehouse those over its tables. */
export async function planFile(
  log: LogInPlace,
  readings: PlannedReadings,
  options: PlanSourceOptions,
): Promise<Plan> {
  return whileOpen(log, readings.target, async (opened) => {
    const open = async (reading: InPlaceOptions): Promise<SumSource> => {
      const { engine, table } = await opened.tableFor(reading)
      return sqlSums(engine, table)
    }
    const [target, against] = [await open(readings.target), await open(readings.against)]
    const tempered = temperedOn(readings.target, open)
    return planFrom({ target, against, ...(tempered && { tempered }) }, options)
  })
}

/** Scores can be taken at any temperature: the log is opened once for each. */
function temperedOn(
  reading: InPlaceOptions,
  open: (reading: InPlaceOptions) => Promise<SumSource>,
): TemperedSource | undefined {
  const softer = softerInPlace(reading, open)
  if (softer?.temperature === undefined) return undefined
  return {
    temperature: softer.temperature,
    at: (temperature) => softer.by({ kind: 'softmax', temperature }),
  }
}
