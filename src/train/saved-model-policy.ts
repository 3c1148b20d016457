import { policyOverContexts } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { originOn, type PartOf } from '../log/stamp.js'
import { counted } from '../number-text.js'
import { familyOf, ruledPolicy, withOrigin } from '../policy/ruled-policy.js'
import type { Policy, PolicyFamily } from '../policy/policy.js'
import { policyBy } from '../estimate/match-exploration.js'
import { type AskedRule, noRule, type ScoreRule } from '../policy/score-rule.js'
import { policyFamily } from '../policy/policy-family.js'
import type { SavedModel } from '../model/model-files.js'
import { LOSSES } from './losses/index.js'
import { type ContextScores, scoresOnLog } from './scores-on-log.js'

/** What a saved model becomes a policy for. */
export interface ModelPolicyOptions {
  readonly log: Log
  /** What messages and results call the model: the path of its folder. */
  readonly folder: string
  /** The rule by which its scores become probabilities; without one, that of a model that was trained as a policy. */
  readonly rule?: AskedRule | undefined
  /** Of which parts the log is one, where it was split. */
  readonly part?: PartOf | undefined
}

/** A policy from a saved model, and notes about it for the user. */
export interface SavedModelPolicy {
  readonly policy: Policy
  readonly notes: readonly string[]
}

/** Scores of this many bytes are kept for other rules; more are computed again each time. */
const KEPT_BYTES = 2 ** 29

/**
 * The policy of a saved model for the users and items of a log: by its scores of the items of the log, as the rule says.
 * A model that was trained as a policy has a rule of its own; any other needs one. Ids are matched as text. Users or items of the log that the model does not know have no
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
  const rule = asked ?? trainedRule(card)
  const name = `model:${folder}`
  if (!rule) throw noRule(name)
  const { policy, notes } = policyBy(modelFamily(name, scores, log), rule, log)
  const leftOut = card.items - items
  return {
    policy: card.made ? withOrigin(policy, originOn(log, card.made, part)) : policy,
    notes: [
      ...(asked ? [] : [`${policy.name}: ${TRAINED_RULE_NOTE}`]),
      ...notes,
      ...(leftOut > 0
        ? [
            `${folder} also knows ${counted(leftOut, 'item')} that the log does not have. The policy chooses only among the ${counted(items, 'item')} of the log.`,
          ]
        : []),
    ],
  }
}

/** The rule that a model was trained with, as a policy; undefined for one that was trained to rank, whose scores need a rule. */
export function trainedRule({
  settings: { loss, temperature },
}: {
  readonly settings: { readonly loss?: unknown; readonly temperature?: unknown }
}): ScoreRule | undefined {
  const isPolicy = typeof loss === 'string' && LOSSES.find(loss)?.objective !== undefined
  return isPolicy && typeof temperature === 'number' ? { kind: 'softmax', temperature } : undefined
}

/** Why a model has a rule that nobody typed, for the user. */
export const TRAINED_RULE_NOTE =
  'the model was trained as the policy softmax(scores/T), so it is evaluated at the T it was trained with.'

/** The policies of scores, one for each rule. */
function modelFamily(name: string, scores: ContextScores, log: Log): PolicyFamily {
  const items = log.itemIds.length
  const areKept = scores.count * items * Float32Array.BYTES_PER_ELEMENT <= KEPT_BYTES
  const family = areKept
    ? policyFamily(name, scores.of, { items })
    : familyOf((rule) => ruledPolicy(name, scores.of, rule, { items }))
  return {
    by: (rule): Policy => (scores.byFeatures ? family.by(rule) : policyOverContexts(family.by(rule), log)),
  }
}
