import type { Log } from '../../log/log.js'
import { EVALUATE_DEFAULTS } from '../defaults.js'
import type { EvaluateOptions } from '../evaluate.js'
import { itemMean } from '../reward/item-mean.js'
import { memorySums } from '../source/memory-sums.js'
import { PreparedLog } from '../source/prepared-log.js'
import type { SumSource } from '../source/source.js'
import { requireTarget, type Target } from '../target.js'
import type { Plan } from './plan-record.js'
import { planFrom, type PlanSourceOptions } from './plan-source.js'

export interface PlanOptions
  extends PlanSourceOptions, Pick<EvaluateOptions, 'target' | 'rewardModel' | 'categories'> {
  /** The policy to compare with (default: the logging policy), with its log: the same rows, though a target may need a column of its own. */
  against?: { readonly target: Target; readonly log?: Log }
}

/**
 * How many more rows, users and days until the difference between a target and the logging policy, or another, is
 * decided, or an interval has a width; what more exploration would buy; and, where the target has a temperature, what the
 * log says about a softer one.
 */
export async function plan(
  log: Log,
  { target, against, rewardModel = itemMean, categories, ...options }: PlanOptions,
): Promise<Plan> {
  requireTarget(target)
  const { target: other, log: othersLog = log } = against ?? { target: { kind: 'logging' } as const }
  const prepared = new PreparedLog(log)
  const { seed = EVALUATE_DEFAULTS.seed } = options
  const seen = { seed, rewardModel, ...(categories && { categories }) }
  const seenBy = (by: Target): SumSource => memorySums(log, { ...seen, target: by }, prepared)
  const ruled = target.kind === 'policy' ? target.policy.ruled : undefined
  return planFrom(
    {
      target: seenBy(target),
      ...(ruled?.temperature !== undefined && {
        tempered: {
          temperature: ruled.temperature,
          at: (temperature) => seenBy({ kind: 'policy', policy: ruled.by({ kind: 'softmax', temperature }) }),
        },
      }),
      against: memorySums(
        othersLog,
        { ...seen, target: other },
        othersLog === log ? prepared : new PreparedLog(othersLog),
      ),
    },
    options,
  )
}
