import { resolve } from 'node:path'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { isLinked } from '../graph/graph.js'
import { featuresOf, policyOverContexts } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { type EmbeddingModel, scoresOfFeatures } from '../model/embedding-model.js'
import { seenClickShare } from '../model/seen-clicks.js'
import { isLinear } from '../model/trained-models.js'
import { counted, formatCount } from '../number-text.js'
import { withLearnt } from '../policy/learnt.js'
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
import type { Scores } from '../policy/scores.js'
import { LOSSES } from '../train/losses/index.js'
import { readModelFolder, type SavedModel } from './model-folder.js'

/** The log that a policy is built for. */
export interface LogOfPolicy {
  readonly log: Log
  /** Where it was read from. */
  readonly file: string
}

/** A policy from a saved model, and notes about it for the user. */
export interface SavedModelPolicy {
  readonly policy: Policy
  readonly notes: readonly string[]
}

/** From this share of the log's clicks on, the model may have been trained on the log itself. */
const SEEN_SHARE = 0.5

/** Scores of this many bytes are kept while a temperature is searched; others are computed again each time. */
const KEPT_BYTES = 2 ** 29

/**
 * The policy of a saved model for the users and items of a log: by its scores of the items of the log, as the rule says,
 * π(a|u) ∝ exp(score(u, a)/temperature) for the softmax. Without a rule, items are shown in proportion to 1/rank, except by a
 * model that was trained as a policy: that is the policy. Ids are matched as text. Users or items of the log that the model does not know have no
 * score, and none is invented: an error counts them. Items that only the model knows are left out, with a note.
 * A linear policy scores the contexts of the log by their features, and needs no user to be known. A model that was trained on clicks of this log knows so, and is not trusted there.
 */
export async function readModelPolicy(
  folder: string,
  asked: AskedRule | undefined,
  { log, file }: LogOfPolicy,
): Promise<SavedModelPolicy> {
  const saved = await readModelFolder(folder)
  const { card } = saved
  const items = placesOf('item', log.itemIds, card.itemIds, folder, () => true)
  const { scores, seen } = (isLinear(card.kind) ? scoresByFeatures : scoresByUser)(saved, log, items, folder)
  const usual = usualRule(card)
  const { policy, notes } = policyBy(`model:${folder}`, scores, asked ?? usual.rule, log)
  const leftOut = card.items - items.length
  const isSameFile = card.trainedOn !== null && resolve(card.trainedOn.file) === resolve(file)
  const isSameLog = seen > 0 && (isSameFile || (seen >= SEEN_SHARE && card.trainedOn?.rows === log.rows))
  return {
    policy: isSameLog || seen >= SEEN_SHARE ? withLearnt(policy, { share: seen, isSameLog }) : policy,
    notes: [
      ...(asked ? [] : [`${policy.name}: ${usual.why}`]),
      ...notes,
      ...(leftOut > 0
        ? [
            `${folder} also knows ${counted(leftOut, 'item')} that the log does not have. The policy chooses only among the ${counted(items.length, 'item')} of the log.`,
          ]
        : []),
    ],
  }
}

/** The rule of a model for which none was given, and why it is that. */
function usualRule({ settings }: SavedModel['card']): { readonly rule: ScoreRule; readonly why: string } {
  const { loss, temperature } = settings
  const isPolicy = typeof loss === 'string' && LOSSES.find(loss)?.objective !== undefined
  if (isPolicy && typeof temperature === 'number')
    return {
      rule: { kind: 'softmax', temperature },
      why: 'the model was trained as the policy softmax(scores/T), so it is evaluated at the T it was trained with.',
    }
  return { rule: BY_RANK, why: BY_RANK_NOTE }
}

/** Scores of the items of the log for whoever they are chosen for, and the share of its clicks that the model was trained on. */
interface ScoresOnLog {
  readonly scores: ContextScores
  readonly seen: number
}

interface ContextScores {
  /** How many contexts there are, and the scores in each. */
  readonly count: number
  readonly of: (context: number) => Float32Array
  /** Whether contexts are those of the log, not its users. */
  readonly byFeatures: boolean
}

function scoresByUser(
  { model, card }: SavedModel,
  log: Log,
  items: Uint32Array,
  folder: string,
): ScoresOnLog {
  const occurs = new Uint8Array(log.userIds.length)
  for (const user of log.user) occurs[user] = 1
  const users = placesOf('user', log.userIds, card.userIds, folder, (user) => occurs[user] === 1)
  const of = (user: number): Float32Array => {
    const all = model.scores(users[user]!)
    return Float32Array.from(items, (item) => all[item]!)
  }
  return {
    scores: { count: log.userIds.length, of, byFeatures: false },
    seen: seenShare(log, users, items, model),
  }
}

/** A linear policy scores contexts by the features it was trained on, new users too. */
function scoresByFeatures({ model }: SavedModel, log: Log, items: Uint32Array, folder: string): ScoresOnLog {
  const linear = model as EmbeddingModel
  const { names } = linear.features!
  const { contexts } = log
  const columns = names.map((name) => contexts?.names.indexOf(name) ?? -1)
  if (!contexts || columns.includes(-1))
    throw new HindcastError(
      'bad-option',
      `The model ${folder} scores items by ${counted(names.length, 'feature')}: ${names.join(', ')}.`,
      {
        remedy: advice`Name the columns of the log that hold them: ${set('features', names.join(','))}.`,
      },
    )
  const of = (context: number): Float32Array => {
    const features = featuresOf(contexts, context)
    const all = scoresOfFeatures(
      linear,
      columns.map((column) => features[column]!),
    )
    return Float32Array.from(items, (item) => all[item]!)
  }
  return {
    scores: { count: contexts.user.length, of, byFeatures: true },
    seen: seenClickShare(log, linear.seenClicks!, columns),
  }
}

/** The policy of scores by a rule, or at the temperature that an amount of exploration needs. */
function policyBy(name: string, scores: ContextScores, rule: AskedRule, log: Log): SavedModelPolicy {
  const items = log.itemIds.length
  const overContexts = (policy: Policy): Policy =>
    scores.byFeatures ? policy : policyOverContexts(policy, log)
  if (!isMatched(rule))
    return { policy: overContexts(ruledPolicy(name, scores.of, rule, { items })), notes: [] }
  const softmax = overContexts(ruledPolicy(name, kept(scores, items), AS_SCORED, { items }))
  const { policy, note } = matchExploration(softmax, rule, log, ruledName(name, rule))
  return { policy, notes: [note] }
}

/** The same scores, computed once for each user or context where they fit. */
function kept({ count, of }: ContextScores, items: number): Scores {
  if (count * items * Float32Array.BYTES_PER_ELEMENT > KEPT_BYTES) return of
  const rows: Float32Array[] = []
  return (context) => (rows[context] ??= of(context))
}

/** The model's index of each id of the log. Ids that need none and have none get an index past the end. */
function placesOf(
  what: 'user' | 'item',
  ids: readonly string[],
  known: readonly string[],
  folder: string,
  isNeeded: (index: number) => boolean,
): Uint32Array {
  const places = new Map(known.map((id, place) => [id, place]))
  const unknown = ids.filter((id, index) => isNeeded(index) && !places.has(id))
  if (unknown.length > 0) {
    const named = unknown.slice(0, 3).map((id) => JSON.stringify(id))
    throw new HindcastError(
      'bad-option',
      `The model ${folder} does not know ${formatCount(unknown.length)} of the log’s ${counted(ids.length, what)}: ${named.join(', ')}${unknown.length > 3 ? ', …' : ''}.`,
      {
        remedy:
          what === 'user'
            ? 'Train it on a log that has these users, or remove their rows from this log.'
            : advice`Train it on a log that has these items (${set('catalogue')} adds items that were never shown), or remove them from this log.`,
      },
    )
  }
  return Uint32Array.from(ids, (id) => places.get(id) ?? known.length)
}

/** Share of the log's clicks that the model was trained on. */
function seenShare(log: Log, users: Uint32Array, items: Uint32Array, { graph }: SavedModel['model']): number {
  let clicks = 0
  let seen = 0
  for (let row = 0; row < log.rows; row++) {
    if (!(log.reward[row]! > 0)) continue
    clicks++
    if (isLinked(graph.byUser, users[log.user[row]!]!, items[log.item[row]!]!)) seen++
  }
  return clicks === 0 ? 0 : seen / clicks
}
