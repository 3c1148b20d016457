import { isSorted, type ScoreRule } from '../policy/score-rule.js'
import { exp } from '../portable-math.js'
import { POPULARITY_SEED } from '../propensity/user-folds.js'
import type { Dialect } from './dialect.js'
import { probabilitiesByRuleSql, STANDING } from './probabilities-by-rule.js'
import { idOf } from './relation.js'
import { byFold, FOLD_PLACES, ofFold } from './user-fold.js'
import { POPULARITY_FOLD, type SqlTarget, type SqlView, weighedRows } from './weighed-rows.js'

/** What others clicked, as a target. */
export type SqlPopularity = Extract<SqlTarget, { kind: 'popularity' }>

/** The view of the same rows for a target that shows what others clicked. */
export const withPopularity = (view: SqlView, target: SqlPopularity): SqlView => ({
  ...view,
  folds: [...(view.folds ?? []), FOLD],
  popularity: probabilitiesQuery(view, target),
})

const FOLD = { name: POPULARITY_FOLD, seed: POPULARITY_SEED }

/** A query for the clicks of each fold of users that has some: the fold, and how many. */
export const clicksByFoldQuery = (view: SqlView, target: SqlPopularity): string =>
  `SELECT ${view.dialect.double('fold')}, ${view.dialect.sum('number_of')} FROM (${clickedRows(view, target)}) AS clicked_rows WHERE r > ${view.dialect.number(0)} GROUP BY fold`

function clickedRows(view: SqlView, { whole = view.relation }: SqlPopularity): string {
  const plain: SqlView = {
    ...view,
    relation: whole,
    target: { kind: 'logging' },
    folds: [FOLD],
    model: undefined,
    categories: undefined,
    loggers: undefined,
  }
  return weighedRows(plain, idOf(whole, 'user')!, {
    further: ['in_item AS item_id', `in_${POPULARITY_FOLD} AS fold`],
  })
}

/** Below this many temperatures under the best, a probability is too small for a number. */
const LEAST = -744

/**
 * A query for the probability y of each item that was clicked, for the users of each fold k, from the clicks of others; for a
 * rule that sorts also where it stands there. Of softmax it is (clicks of others)^(1/T), relative to the most clicked item, so
 * that no power is too large, divided by their sum.
 */
function probabilitiesQuery(view: SqlView, target: SqlPopularity): string {
  const { dialect } = view
  const { rule } = target
  const [zero, one] = [dialect.number(0), dialect.number(1)]
  const clicks = `SELECT item_id, fold, ${dialect.sum('number_of')} AS clicked FROM (${clickedRows(view, target)}) AS clicked_rows WHERE r > ${zero} GROUP BY item_id, fold`
  const others = `SELECT item_id, ${byFold('c', (k) => dialect.sum(`CASE WHEN fold <> ${k} THEN clicked ELSE ${zero} END`))} FROM (${clicks}) AS item_clicks GROUP BY item_id`
  if (rule.kind !== 'softmax') return byRuleInFolds(dialect, others, rule)
  const { temperature } = rule
  const relative = `SELECT item_id, ${byFold('x', (k) => `c${k} / nullif(max(c${k}) OVER (), ${zero})`)} FROM (${others}) AS clicks_of_others`
  const least = dialect.number(temperature === Infinity ? 0 : exp(LEAST * temperature))
  const power = (k: number): string =>
    temperature === Infinity ? one : `power(x${k}, ${dialect.number(1 / temperature)})`
  const powers = `SELECT item_id, ${byFold('z', (k) => `CASE WHEN x${k} > ${least} THEN ${power(k)} ELSE ${zero} END`)} FROM (${relative}) AS relative_clicks`
  return `SELECT item_id, ${byFold('y', (k) => `z${k} / nullif(${dialect.sum(`z${k}`)} OVER (), ${zero})`)} FROM (${powers}) AS powers`
}

/** The same by a rule that goes by the order of the clicks, in each fold by itself. */
function byRuleInFolds(dialect: Dialect, others: string, rule: ScoreRule): string {
  const zero = dialect.number(0)
  const folds = FOLD_PLACES.map((k) => `SELECT ${k} AS fold`).join(' UNION ALL ')
  const inAll = `SELECT fold, item_id, ${ofFold('fold', (k) => `c${k}`)} AS listed FROM (${others}) AS clicks_of_others CROSS JOIN (${folds}) AS folds`
  const listed = `SELECT fold, item_id, listed FROM (${inAll}) AS clicks_in_folds WHERE listed > ${zero}`
  const inFolds = (letter: string, column: string): string =>
    byFold(letter, (k) => `max(CASE WHEN fold = ${k} THEN ${column} ELSE ${zero} END)`)
  const standing = isSorted(rule) ? STANDING.map((column) => inFolds(`${column}_`, column)) : []
  const columns = [inFolds('y', 'probability'), ...standing].join(', ')
  return `SELECT item_id, ${columns} FROM (${probabilitiesByRuleSql(dialect, listed, 'fold', rule)}) AS shares_of_folds GROUP BY item_id`
}
