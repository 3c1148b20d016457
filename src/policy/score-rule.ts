import { HindcastError } from '../error.js'
import { epsilonGreedyOf } from './epsilon-greedy.js'
import { softmaxOf } from './softmax.js'
import { topKOf } from './top-k.js'

/**
 * How scores become probabilities: softmax(score/temperature); the best item, or with probability ε any scored one; or the
 * k best equally often.
 */
export type ScoreRule =
  | { readonly kind: 'softmax'; readonly temperature: number }
  | { readonly kind: 'greedy'; readonly epsilon: number }
  | { readonly kind: 'top'; readonly k: number }

/** The scores as they are: softmax at temperature 1. */
export const AS_SCORED: ScoreRule = { kind: 'softmax', temperature: 1 }

/** What can be typed for a rule, in words. */
const SCORE_RULES =
  'a temperature above 0 (0.5, or Infinity for uniform), greedy (the best item), greedy:E (any item with probability E), or top:K (the K best equally often)'

/** Reads `0.5`, `infinity`, `greedy`, `greedy:0.1` or `top:5`; `remedy` ends the error about anything else. */
export function parseScoreRule(typed: string, remedy = ''): ScoreRule {
  const [kind, argument] = typed.trim().toLowerCase().split(':', 2) as [string, string | undefined]
  const number = Number(argument === undefined || argument.trim() === '' ? NaN : argument)
  if (kind === 'greedy') {
    if (argument === undefined) return { kind, epsilon: 0 }
    if (number >= 0 && number <= 1) return { kind, epsilon: number }
    throw noRule(typed, `${JSON.stringify(argument)} is not a probability from 0 to 1`, remedy)
  }
  if (kind === 'top') {
    if (Number.isSafeInteger(number) && number >= 1) return { kind, k: number }
    throw noRule(typed, `top needs a whole number of items from 1 on`, remedy)
  }
  const temperature = kind === 'infinity' ? Infinity : kind === '' ? NaN : Number(kind)
  if (argument === undefined && temperature > 0) return { kind: 'softmax', temperature }
  if (argument === undefined)
    throw new HindcastError(
      'bad-option',
      `The temperature ${JSON.stringify(typed)} is not a number above 0.`,
      {
        remedy: `Give ${SCORE_RULES}. ${remedy}`.trim(),
      },
    )
  throw noRule(typed, 'there is no such rule', remedy)
}

const noRule = (typed: string, why: string, remedy: string): HindcastError =>
  new HindcastError('bad-option', `Scores cannot become probabilities by ${JSON.stringify(typed)}: ${why}.`, {
    remedy: `Give ${SCORE_RULES}. ${remedy}`.trim(),
  })

/** As it is typed: `0.5`, `greedy:0.1`, `top:5`. */
export function scoreRuleText(rule: ScoreRule): string {
  if (rule.kind === 'softmax') return String(rule.temperature)
  return rule.kind === 'top' ? `top:${rule.k}` : rule.epsilon === 0 ? 'greedy' : `greedy:${rule.epsilon}`
}

/** What results call a policy that follows scores by a rule: the rule is left out where it takes them as they are. */
export const ruledName = (scores: string, rule: ScoreRule): string =>
  scoreRuleText(rule) === scoreRuleText(AS_SCORED) ? scores : `${scores}@${scoreRuleText(rule)}`

/**
 * The probabilities of scored items. Of fewer than k items, top:k shows all; an item with a score of −Infinity is never
 * shown, and one must have another. `whose` starts the error message.
 */
export function probabilitiesByRule(rule: ScoreRule, scores: Float64Array, whose: string): Float64Array {
  if (!scores.some((score) => score > -Infinity))
    throw new HindcastError('bad-option', `${whose}: no item can be shown.`, {
      remedy: 'Give at least one item a finite score.',
    })
  if (rule.kind === 'softmax') return softmaxOf(scores, rule.temperature, whose)
  return rule.kind === 'greedy' ? epsilonGreedyOf(scores, rule.epsilon) : topKOf(scores, rule.k)
}
