import { type FitColumns, type LogFitter, logFitter } from '$core/estimate/log-fit.js'
import { callWorker, type Calls } from './call.js'
import type { FitService } from './fit-service.js'

/** Fewer rows are fitted sooner than another thread is told of them. */
const WORTH_A_THREAD = 100_000

let calls: Calls<FitService> | undefined
/** The log that the worker holds, the latest that was asked about, and its number. */
let held: FitColumns | undefined
let number = 0
/** Whether the worker failed: it would not answer again. */
let hasFailed = false

/** The fitter of a log: in a thread of its own where the rows are many, so that the desk sums them meanwhile. */
export function fitterAside(log: FitColumns): LogFitter {
  const here = logFitter(log)
  if (log.reward.length < WORTH_A_THREAD || typeof Worker === 'undefined') return here
  return async (weights, withUsers) => {
    if (hasFailed) return here(weights, withUsers)
    try {
      const worker = workerWith(log)
      // A copy that is handed over: a message would make two.
      const copy = weights.slice()
      return await worker.fit({ number, weights: copy, withUsers }, {}, [copy.buffer])
    } catch {
      // A browser may have no workers in workers, or no memory for one.
      hasFailed = true
      return here(weights, withUsers)
    }
  }
}

function workerWith(log: FitColumns): Calls<FitService> {
  calls ??= callWorker<FitService>(
    new Worker(new URL('./fit.worker.ts', import.meta.url), { type: 'module' }),
  )
  if (held !== log) {
    held = log
    number++
    // If it does not arrive, the worker says so when it is asked.
    calls.hold({ number, log: columnsOf(log) }).catch(() => {})
  }
  return calls
}

/** What crosses to the worker: no ids, which may be many texts. */
const columnsOf = ({ user, item, reward, propensity, userIds, itemIds }: FitColumns): FitColumns => ({
  user,
  item,
  reward,
  propensity,
  userIds: { length: userIds.length },
  itemIds: { length: itemIds.length },
})
