import { HindcastError } from '../error.js'
import { sharesByRank } from './by-rank.js'
import { epsilonGreedyOf } from './epsilon-greedy.js'
import { softmaxOf } from './softmax.js'
import { topKOf } from './top-k.js'

/**
 * How scores become probabilities: softmax(score/temperature); the best item, or with probability ε any scored one; the
 * k best equally often; or in proportion to 1/rank. All but the first depend on the order of the scores alone, whatever
 * their scale.
 */
export type ScoreRule =
  | { readonly kind: 'softmax'; readonly temperature: number }
  | { readonly kind: 'greedy'; readonly epsilon: number }
  | { readonly kind: 'top'; readonly k: number }
  | { readonly kind: 'rank' }

/**
 * How much a policy is to explore: softmax at the temperature at which its effective sample size is a share of a log's rows,
 * or at which its mean entropy is a share of the largest possible. Such a rule needs the log to become a policy.
 */
export type MatchedRule = { readonly kind: 'ess' | 'entropy'; readonly share: number }

/** What can be asked of scores: a rule, or an amount of exploration. */
export type AskedRule = ScoreRule | MatchedRule

export const isMatched = (rule: AskedRule): rule is MatchedRule =>
  rule.kind === 'ess' || rule.kind === 'entropy'

/** The scores as they are: softmax at temperature 1. */
export const AS_SCORED = { kind: 'softmax', temperature: 1 } satisfies ScoreRule

/** What a model does unless a rule is given, since its scores have no scale of their own: only their order counts. */
export const BY_RANK: ScoreRule = { kind: 'rank' }

/** Why, for the user. */
export const BY_RANK_NOTE =
  'the model’s scores have no scale of their own, so it shows items in proportion to 1/rank unless a rule is given.'

/** What can be typed for a rule, in words. */
const SCORE_RULES =
  'a temperature above 0 (0.5, or Infinity for uniform), rank (in proportion to 1/rank), topk=K (the K best equally often), greedy (the best item) or greedy:E (any item with probability E)'

const MATCHED_RULES =
  'ess=SHARE (the temperature at which the effective sample size is that share of the rows) or entropy=SHARE (of the largest entropy)'

/** Reads `0.5`, `infinity`, `rank`, `topk=5`, `top:5`, `greedy` or `greedy:0.1`; `remedy` ends the error about anything else. */
export function parseScoreRule(typed: string, remedy = ''): ScoreRule {
  const rule = parseAskedRule(typed, remedy)
  if (!isMatched(rule)) return rule
  throw new HindcastError(
    'bad-option',
    `Scores alone cannot become probabilities by ${JSON.stringify(typed)}: it takes a log to choose the temperature.`,
    { remedy: `Give ${SCORE_RULES}. ${remedy}`.trim() },
  )
}

/** Reads what `parseScoreRule` does, and `ess=0.2` or `entropy=0.5`. */
export function parseAskedRule(typed: string, remedy = ''): AskedRule {
  const [kind, argument] = typed.trim().toLowerCase().split(/[:=]/, 2) as [string, string | undefined]
  const number = Number(argument === undefined || argument.trim() === '' ? NaN : argument)
  switch (kind) {
    case 'greedy':
      if (argument === undefined) return { kind, epsilon: 0 }
      if (number >= 0 && number <= 1) return { kind, epsilon: number }
      throw noRule(typed, `${JSON.stringify(argument)} is not a probability from 0 to 1`, remedy)
    case 'top':
    case 'topk':
      if (Number.isSafeInteger(number) && number >= 1) return { kind: 'top', k: number }
      throw noRule(typed, `${kind} needs a whole number of items from 1 on`, remedy)
    case 'rank':
      if (argument === undefined) return { kind }
      throw noRule(typed, 'rank takes no number', remedy)
    case 'ess':
    case 'entropy':
      if (number > 0 && number < 1) return { kind, share: number }
      throw noRule(typed, `${kind} needs a share above 0 and below 1`, remedy)
    default:
      return parseTemperatureRule(typed, kind, argument, remedy)
  }
}

function parseTemperatureRule(
  typed: string,
  kind: string,
  argument: string | undefined,
  remedy: string,
): ScoreRule {
  const temperature = kind === 'infinity' ? Infinity : kind === '' ? NaN : Number(kind)
  if (argument !== undefined) throw noRule(typed, 'there is no such rule', remedy)
  if (temperature > 0) return { kind: 'softmax', temperature }
  throw new HindcastError('bad-option', `The temperature ${JSON.stringify(typed)} is not a number above 0.`, {
    remedy: allRules(remedy),
  })
}

const allRules = (remedy: string): string => `Give ${SCORE_RULES}; or ${MATCHED_RULES}. ${remedy}`.trim()

const noRule = (typed: string, why: string, remedy: string): HindcastError =>
  new HindcastError('bad-option', `Scores cannot become probabilities by ${JSON.stringify(typed)}: ${why}.`, {
    remedy: allRules(remedy),
  })

/** As it is typed: `0.5`, `rank`, `greedy:0.1`, `top:5`, `ess=0.2`. */
export function scoreRuleText(rule: AskedRule): string {
  switch (rule.kind) {
    case 'softmax':
      return String(rule.temperature)
    case 'top':
      return `top:${rule.k}`
    case 'greedy':
      return rule.epsilon === 0 ? 'greedy' : `greedy:${rule.epsilon}`
    case 'rank':
      return 'rank'
    default:
      return `${rule.kind}=${rule.share}`
  }
}

/**
 * What results call a policy that follows scores by a rule: the rule is left out where it takes scores as they are. Those of a
 * model have no scale of their own, so there it is always said.
 */
export const ruledName = (scores: string, rule: AskedRule): string =>
  scoreRuleText(rule) === scoreRuleText(AS_SCORED) && !scores.startsWith('model:')
    ? scores
    : `${scores}@${scoreRuleText(rule)}`

/** The name of a policy less its rule: the scores that it follows. An @ that no rule follows belongs to the name. */
export function withoutRule(name: string): string {
  const [, scores, typed] = /^(.+)@([^@/\\]*)$/.exec(name) ?? []
  return scores === undefined || !RULE.test(typed!) ? name : scores
}

/** The temperature in the name of a policy that follows scores: 1 where it has no rule; NaN where it has another rule. */
export function temperatureNamed(name: string): number {
  const scores = withoutRule(name)
  return name === scores ? AS_SCORED.temperature : Number(name.slice(scores.length + 1))
}

/** What `scoreRuleText` writes. */
const RULE = /^([\d.]+(e[+-]?\d+)?|Infinity|rank|top:\d+|greedy(:[\d.e-]+)?|(ess|entropy)=[\d.e-]+)$/

/**
 * The probabilities of scored items. Of fewer than k items, top:k shows all; an item with a score of −Infinity is never
 * shown, and one must have another. `whose` starts the error message.
 */
export function probabilitiesByRule(rule: ScoreRule, scores: Float64Array, whose: string): Float64Array {
  if (!scores.some((score) => score > -Infinity))
    throw new HindcastError('bad-option', `${whose}: no item can be shown.`, {
      remedy: 'Give at least one item a finite score.',
    })
  switch (rule.kind) {
    case 'softmax':
      return softmaxOf(scores, rule.temperature, whose)
    case 'greedy':
      return epsilonGreedyOf(scores, rule.epsilon)
    case 'top':
      return topKOf(scores, rule.k)
    case 'rank':
      return sharesByRank(scores)
  }
}
