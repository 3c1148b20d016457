import type { Plan } from '../estimate/plan/plan-record.js'
import { planFrom, type PlanSourceOptions } from '../estimate/plan/plan-source.js'
import type { TemperedSource } from '../estimate/plan/temperatures.js'
import { SqlSums } from '../estimate/source/sql-sums.js'
import { whileOpen } from './evaluate-file.js'
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
    const open = async (reading: InPlaceOptions): Promise<SqlSums> => {
      const { engine, table } = await opened.tableFor(reading)
      return new SqlSums(engine, table)
    }
    const [target, against] = [await open(readings.target), await open(readings.against)]
    const tempered = temperedOn(readings.target, open)
    return planFrom({ target, against, ...(tempered && { tempered }) }, options)
  })
}

/** Scores in a file can be taken at any temperature: the log is opened once for each. */
function temperedOn(
  { target, ...reading }: InPlaceOptions,
  open: (reading: InPlaceOptions) => Promise<SqlSums>,
): TemperedSource | undefined {
  const ruled = target.kind === 'file' ? target.file.ruled : undefined
  if (target.kind !== 'file' || ruled?.rule.kind !== 'softmax') return undefined
  return {
    temperature: ruled.rule.temperature,
    at: (temperature) =>
      open({ ...reading, target: { ...target, file: ruled.by({ kind: 'softmax', temperature }) } }),
  }
}
