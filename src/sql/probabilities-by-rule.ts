import { isSorted, type ScoreRule } from '../policy/score-rule.js'
import type { Dialect } from './dialect.js'

/**
 * A query for the probabilities of items from what a policy lists for them: probabilities that sum to 1 up to rounding, or
 * without a rule, else scores. `listed` selects item_id, listed and, where `by` is given, that column. Ties share equally, as
 * in memory. For a rule that sorts it also has where each item stands: the `first_place` of those with its score, how many
 * are `tied`, and how many `items` there are.
 */
export function probabilitiesByRuleSql(
  dialect: Dialect,
  listed: string,
  by: string | undefined,
  rule: ScoreRule | undefined,
): string {
  const ids = by ? `${by}, item_id` : 'item_id'
  const own = by ? `PARTITION BY ${by}` : ''
  const share = (rows: string, further = ''): string =>
    `SELECT ${ids}, part / ${dialect.sum('part')} OVER (${own}) AS probability${further} FROM (${rows}) AS parts`
  if (!rule)
    return share(
      `SELECT ${ids}, listed AS part FROM (${listed}) AS listed_rows WHERE listed > ${dialect.number(0)}`,
    )
  if (rule.kind === 'softmax') return share(softmaxParts(dialect, listed, ids, own, rule.temperature))
  const number = (value: number): string => dialect.number(value)
  const count = (what: string, over: string): string => `${dialect.double(`${what} OVER (${over})`)}`
  const ties = by ? `PARTITION BY ${by}, listed` : 'PARTITION BY listed'
  const order = `${own} ORDER BY listed DESC`.trim()
  const ranked = `SELECT ${ids}, listed, ${count('row_number()', order)} AS place, ${count('rank()', order)} AS first_place, ${count('count(*)', ties)} AS tied, ${count('count(*)', own)} AS items FROM (${listed}) AS listed_rows`
  const one = number(1)
  const part = {
    // The mean of 1/rank over the places that tied items share.
    rank: () => `avg(${one} / place) OVER (${ties})`,
    top: (k: number) =>
      `CASE WHEN first_place + tied - ${one} <= ${number(k)} THEN ${one} WHEN first_place <= ${number(k)} THEN (${number(k)} - first_place + ${one}) / tied ELSE ${number(0)} END`,
    epsilon: (epsilon: number) =>
      `CASE WHEN first_place = ${one} THEN ${number(1 - epsilon)} / tied ELSE ${number(0)} END + ${number(epsilon)} / items`,
  }
  const made =
    rule.kind === 'rank'
      ? part.rank()
      : rule.kind === 'top'
        ? part.top(rule.k)
        : part.epsilon(rule.kind === 'epsilon' ? rule.epsilon : 0)
  const standing = isSorted(rule) ? `, ${STANDING.join(', ')}` : ''
  return share(`SELECT ${ids}, ${made} AS part${standing} FROM (${ranked}) AS ranked`, standing)
}

/** The columns that say where an item stands. */
export const STANDING = ['first_place', 'tied', 'items'] as const

/** exp(score/T) relative to the best; engines that raise errors do so for what is too small too. */
function softmaxParts(
  dialect: Dialect,
  listed: string,
  ids: string,
  own: string,
  temperature: number,
): string {
  const best = `SELECT ${ids}, (listed - max(listed) OVER (${own})) / ${dialect.number(temperature)} AS below FROM (${listed}) AS listed_rows`
  return `SELECT ${ids}, CASE WHEN below < ${dialect.number(-700)} THEN ${dialect.number(0)} ELSE exp(below) END AS part FROM (${best}) AS scored`
}
