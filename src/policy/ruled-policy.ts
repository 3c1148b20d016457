import { badOption } from '../error.js'
import type { Origin, Policy, PolicyFamily } from './policy.js'
import { risingOrder, type SortedPages, type Standing, standingOf } from './sorted-pages.js'
import { isSorted, ruledName, type ScoreRule, type SortedRule } from './score-rule.js'
import { fromScores, scoredPolicy, type ScoreOptions, type Scores } from './scores.js'
import { requireTemperature, softmaxOf } from './softmax-powers.js'

/** The policies of one thing by every rule: each knows its rule, and itself by any other. */
export const familyOf = (make: (rule: ScoreRule) => Policy): PolicyFamily => ({
  by: (rule) => ({ ...make(rule), ruled: { rule, ...temperatureOf(rule), ...familyOf(make) } }),
})

const temperatureOf = (rule: ScoreRule): { readonly temperature?: number } =>
  rule.kind === 'softmax' ? { temperature: rule.temperature } : {}

/** A policy made from another by `adapt`, by whatever rule it follows scores. */
export function adaptRuled(policy: Policy, adapt: (policy: Policy) => Policy): Pick<Policy, 'ruled'> {
  const { ruled } = policy
  return ruled ? { ruled: { ...ruled, by: (rule) => adapt(ruled.by(rule)) } } : {}
}

/** The policy, by every rule, with where it comes from. */
export const withOrigin = (policy: Policy, origin: Origin): Policy => ({
  ...policy,
  origin,
  ...adaptRuled(policy, (other) => withOrigin(other, origin)),
})

/** The policy that scores become by a rule, which its name ends with. */
export const ruledPolicy = (
  name: string,
  scores: Scores,
  rule: ScoreRule,
  options: ScoreOptions = {},
): Policy =>
  familyOf((one) => {
    if (one.kind === 'softmax') requireTemperature(name, one.temperature)
    const policy = {
      ...scoredPolicy(name, scores, options, (row, whose) => probabilitiesByRule(one, row, whose)),
      name: ruledName(name, one),
    }
    return isSorted(one) ? { ...policy, sorted: sortedBy(one, standings(name, scores, options)) } : policy
  }).by(rule)

/** How a rule that sorts fills pages, by where items stand in each context. */
export const sortedBy = (rule: SortedRule, standing: SortedPages['standing']): SortedPages => ({
  epsilon: rule.kind === 'epsilon' ? rule.epsilon : 0,
  standing,
})

const standings = (name: string, scores: Scores, options: ScoreOptions): ((context: number) => Standing) =>
  fromScores(name, scores, options, standingOf).of

/** The same under a name of one's own. */
const namedPolicy = (name: string, scores: Scores, rule: ScoreRule, options: ScoreOptions): Policy => ({
  ...ruledPolicy(name, scores, rule, options),
  name,
})

/**
 * π(a|u) ∝ exp(score(u, a) / temperature) over the candidates, 0 elsewhere. Temperature → ∞ is uniform (and
 * `Infinity` is allowed), → 0 shows only the best item, or those tied for best equally often. An
 * item more than 745 temperatures below the best has probability 0, since the true value underflows.
 */
export const softmaxPolicy = (
  name: string,
  scores: Scores,
  temperature: number,
  options: ScoreOptions = {},
): Policy => namedPolicy(name, scores, { kind: 'softmax', temperature }, options)

/**
 * The best item with probability 1 − ε, any candidate with probability ε:
 * π(a|u) = (1 − ε)·[a is best]/(number of best) + ε/(number of candidates).
 * Items tied for best share equally; the best are candidates too.
 *
 * @param epsilon from 0 (only the best) to 1 (uniform over the candidates)
 */
export function epsilonGreedyPolicy(
  name: string,
  scores: Scores,
  epsilon: number,
  options: ScoreOptions = {},
): Policy {
  if (!(epsilon >= 0 && epsilon <= 1))
    throw badOption(
      `Policy ${name}: an epsilon of ${epsilon} is not a probability.`,
      'Use a number from 0 to 1.',
    )
  const rule: ScoreRule = epsilon === 0 ? { kind: 'best' } : { kind: 'epsilon', epsilon }
  return namedPolicy(name, scores, rule, options)
}

/**
 * Uniform over the k best candidates: 1/k each. Items tied with the k-th share equally what the
 * better ones leave, as if ties were broken at random: with m items above and t tied, each of the
 * tied has (k − m)/(k·t). A user with fewer than k candidates is shown all of them equally often.
 *
 * @param k from 1 (only the best item) to the number of items (uniform)
 */
export function topKPolicy(name: string, scores: Scores, k: number, options: ScoreOptions = {}): Policy {
  const policy = namedPolicy(name, scores, { kind: 'top', k }, options)
  if (!Number.isInteger(k) || k < 1 || k > policy.items)
    throw badOption(
      `Policy ${name}: there is no top ${k} of ${policy.items} items.`,
      `Use a whole number from 1 to ${policy.items}.`,
    )
  return policy
}

/**
 * π(a|u) ∝ 1/rank(a) over the candidates, the best first; items with equal scores share equally what their ranks
 * receive. Only the order of the scores counts, so that models of any scale explore equally: of 1,000 items the
 * best is shown 13 % of the time, one of the first ten 39 %, and none less than 0.01 %.
 */
export const byRankPolicy = (name: string, scores: Scores, options: ScoreOptions = {}): Policy =>
  namedPolicy(name, scores, { kind: 'rank' }, options)

/**
 * The probabilities of scored items. Of fewer than k items, top=k shows all; an item with a score of −Infinity is never
 * shown, and one must have another. `whose` starts the error message.
 */
export function probabilitiesByRule(rule: ScoreRule, scores: Float64Array, whose: string): Float64Array {
  if (!scores.some((score) => score > -Infinity))
    throw badOption(`${whose}: no item can be shown.`, 'Give at least one item a finite score.')
  switch (rule.kind) {
    case 'best':
      return epsilonGreedyOf(scores, 0)
    case 'top':
      return topKOf(scores, rule.k)
    case 'epsilon':
      return epsilonGreedyOf(scores, rule.epsilon)
    case 'softmax':
      return softmaxOf(scores, rule.temperature, whose)
    case 'rank':
      return sharesByRank(scores)
  }
}

/** The best item with probability 1 − ε, ties sharing, and any item with probability ε; those with a score of −Infinity are no candidates. */
function epsilonGreedyOf(scores: Float64Array, epsilon: number): Float64Array {
  let best = -Infinity
  let ties = 0
  let candidates = 0
  for (const score of scores) {
    if (score === -Infinity) continue
    candidates++
    if (score > best) [best, ties] = [score, 0]
    if (score === best) ties++
  }
  const explore = epsilon / candidates
  const exploit = (1 - epsilon) / ties + explore
  return scores.map((score) => (score === best ? exploit : score === -Infinity ? 0 : explore))
}

/** 1/k for each of the k best, ties sharing what the better ones leave; items with a score of −Infinity are no candidates. */
function topKOf(row: Float64Array, k: number): Float64Array {
  const rising = row.filter((score) => score > -Infinity).sort()
  const shown = Math.min(k, rising.length)
  const threshold = rising[rising.length - shown]!
  let above = 0
  let tied = 0
  for (const score of rising) {
    if (score > threshold) above++
    else if (score === threshold) tied++
  }
  const shared = (shown - above) / (shown * tied)
  return row.map((score) => (score > threshold ? 1 / shown : score === threshold ? shared : 0))
}

/** 1/rank divided by Σ 1/rank, its mean if scores tie; 0 for scores of −Infinity. */
export function sharesByRank(row: Float64Array): Float64Array {
  const items = row.length
  const order = risingOrder(row)
  const probabilities = new Float64Array(items)
  let first = 0
  while (row[order[first]!] === -Infinity) first++
  let total = 0
  // From the smallest, so that no digits are lost.
  for (let rank = items - first; rank >= 1; rank--) total += 1 / rank
  while (first < items) {
    const score = row[order[first]!]!
    let end = first
    let sum = 0
    while (end < items && row[order[end]!] === score) sum += 1 / (items - end++)
    const share = sum / (end - first) / total
    for (; first < end; first++) probabilities[order[first]!] = share
  }
  return probabilities
}
