import { policyOverContexts } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { originOn, type PartOf } from '../log/stamp.js'
import { counted } from '../number-text.js'
import { withOrigin } from '../policy/origin.js'
import type { Policy } from '../policy/policy.js'
import { matchExploration } from '../estimate/match-exploration.js'
import {
  AS_SCORED,
  type AskedRule,
  BY_RANK,
  BY_RANK_NOTE,
  isMatched,
  ruledName,
  type ScoreRule,
} from '../policy/score-rule.js'
import { ruledPolicy } from '../policy/ruled-policy.js'
import { softmaxFamily } from '../policy/softmax-family.js'
import type { SavedModel } from '../model/saved-model.js'
import { LOSSES } from './losses/index.js'
import { type ContextScores, scoresOnLog } from './scores-on-log.js'

/** What a saved model becomes a policy for. */
export interface ModelPolicyOptions {
  readonly log: Log
  /** What messages and results call the model: the path of its folder. */
  readonly folder: string
  /** The rule by which its scores become probabilities; without one, the usual rule of the model. */
  readonly rule?: AskedRule | undefined
  /** Of which parts the log is one, where it was split. */
  readonly part?: PartOf | undefined
}

/** A policy from a saved model, and notes about it for the user. */
export interface SavedModelPolicy {
  readonly policy: Policy
  readonly notes: readonly string[]
}

/** Scores of this many bytes are kept for other temperatures; more are computed again each time. */
const KEPT_BYTES = 2 ** 29

/**
 * The policy of a saved model for the users and items of a log: by its scores of the items of the log, as the rule says,
 * π(a|u) ∝ exp(score(u, a)/temperature) for the softmax. Without a rule, items are shown in proportion to 1/rank, except by a
 * model that was trained as a policy: that is the policy. Ids are matched as text. Users or items of the log that the model does not know have no
 * score, and none is invented: an error counts them. Items that only the model knows are left out, with a note.
 * A linear policy scores the contexts of the log by their features, and needs no user to be known. Its stamp
 * says whether it was trained on rows of this log.
 */
export function savedModelPolicy(
  saved: SavedModel,
  { log, folder, rule: asked, part }: ModelPolicyOptions,
): SavedModelPolicy {
  const { card } = saved
  const { scores, items } = scoresOnLog(saved, log, folder)
  const usual = usualRule(card)
  const { policy, notes } = policyBy(`model:${folder}`, scores, asked ?? usual.rule, log)
  const leftOut = card.items - items
  return {
    policy: card.made ? withOrigin(policy, originOn(log, card.made, part)) : policy,
    notes: [
      ...(asked ? [] : [`${policy.name}: ${usual.why}`]),
      ...notes,
      ...(leftOut > 0
        ? [
            `${folder} also knows ${counted(leftOut, 'item')} that the log does not have. The policy chooses only among the ${counted(items, 'item')} of the log.`,
          ]
        : []),
    ],
  }
}

/** The rule of a model for which none was given, and why it is that. */
export function usualRule({ settings }: SavedModel['card']): {
  readonly rule: ScoreRule
  readonly why: string
} {
  const { loss, temperature } = settings
  const isPolicy = typeof loss === 'string' && LOSSES.find(loss)?.objective !== undefined
  if (isPolicy && typeof temperature === 'number')
    return {
      rule: { kind: 'softmax', temperature },
      why: 'the model was trained as the policy softmax(scores/T), so it is evaluated at the T it was trained with.',
    }
  return { rule: BY_RANK, why: BY_RANK_NOTE }
}

/** The policy of scores by a rule, or at the temperature that an amount of exploration needs. */
function policyBy(name: string, scores: ContextScores, rule: AskedRule, log: Log): SavedModelPolicy {
  const items = log.itemIds.length
  const overContexts = (policy: Policy): Policy =>
    scores.byFeatures ? policy : policyOverContexts(policy, log)
  const nameAt = (temperature: number): string => ruledName(name, { kind: 'softmax', temperature })
  const by = (one: ScoreRule): Policy => {
    const areKept = scores.count * items * Float32Array.BYTES_PER_ELEMENT <= KEPT_BYTES
    return overContexts(
      one.kind === 'softmax' && areKept
        ? softmaxFamily(name, scores.of, { items, nameAt }).at(one.temperature)
        : ruledPolicy(name, scores.of, one, { items }),
    )
  }
  if (!isMatched(rule)) return { policy: by(rule), notes: [] }
  const softmax = by(AS_SCORED)
  const { policy, note } = matchExploration(softmax, rule, log, ruledName(name, rule))
  return { policy, notes: [note] }
}
