import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { EVALUATE_DEFAULTS } from './defaults.js'
import { type EvaluateSourceOptions, type Evaluated, evaluateSource } from './evaluate-source.js'
import { type LoggersChoice, markedLog } from './loggers/loggers-choice.js'
import { type SofterSources, withNearest } from './nearest.js'
import { type RewardModel, itemMean } from './reward/reward-model.js'
import type { SlatePropensities } from './slate/slate-term.js'
import { memorySums } from './source/memory-sums.js'
import { PreparedLog } from './source/prepared-log.js'
import type { SumSource } from './source/source.js'
import { type Target, requireTarget } from './target.js'

export interface EvaluateOptions extends EvaluateSourceOptions {
  target: Target
  /** For the estimators that need one, cross-fitted by user (default: smoothed item means). Columns q and v of the log take precedence. */
  rewardModel?: RewardModel
  /** Category of each item, for mips, snmips and offcem. */
  categories?: readonly string[]
  /** Which kind of propensities pages have: given the items above, or whatever stands above (default: as the log shows). */
  slatePropensities?: SlatePropensities
  /** Which column says which of several logging policies drew each row, and which have the probabilities of all of them. */
  loggers?: LoggersChoice
  /** Whether a softer rule is looked for where the log does not cover that of the target (default: it is). */
  nearest?: boolean
}

/** Evaluates one target after another on one log. */
export interface Evaluator {
  /** The result of `evaluate` for this target, to the bit. */
  evaluate(target: Target, changed?: Pick<EvaluateOptions, 'loggerShares' | 'nearest'>): Promise<Evaluated>
  /** The log as the target sees it. */
  source(target: Target): SumSource
  /** The log as other rules for the scores of a target see it, where it follows some. */
  softer(target: Target): SofterSources | undefined
}

/** What a target policy would have earned, from the log of another: estimates, intervals, diagnostics, a verdict. */
export async function evaluate(log: Log, { target, ...options }: EvaluateOptions): Promise<Evaluated> {
  return evaluatorOf(log, options).evaluate(target)
}

/**
 * Evaluates many targets on one log: all that depends on the log alone, its clusters, its sums of rewards, the
 * cross-fitted reward model, the draws of the bootstrap, is made for the first target that needs it and kept.
 * The log must not change meanwhile.
 */
export function evaluatorOf(log: Log, options: Omit<EvaluateOptions, 'target'> = {}): Evaluator {
  const { seed = EVALUATE_DEFAULTS.seed, rewardModel = itemMean, categories, slatePropensities } = options
  if (log.rows === 0)
    throw new HindcastError('bad-file', 'The log has no rows.', {
      remedy: 'Give a log with at least one impression.',
    })
  const marked = options.loggers && markedLog(log, options.loggers)
  const prepared = new PreparedLog(marked?.log ?? log)
  const source = (target: Target): SumSource => {
    requireTarget(target)
    const seen = {
      target,
      seed,
      rewardModel,
      ...(categories && { categories }),
      ...(slatePropensities && { slatePropensities }),
      ...(marked && { loggers: marked }),
    }
    return memorySums(prepared.log, seen, prepared)
  }
  const softer = (target: Target): SofterSources | undefined => {
    const ruled = target.kind === 'policy' ? target.policy.ruled : undefined
    return ruled && { ...ruled, by: (rule) => source({ kind: 'policy', policy: ruled.by(rule) }) }
  }
  return {
    source,
    softer,
    evaluate: async (target, changed) => {
      const { nearest = true, ...asked } = { ...options, ...changed }
      const evaluated = await evaluateSource(source(target), asked)
      return nearest ? withNearest(evaluated, softer(target), asked) : evaluated
    },
  }
}
