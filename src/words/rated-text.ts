import type { RatedMetrics } from '../metrics/rated-metrics.js'
import type { Metric } from '../metrics/user-mean.js'
import { BASELINES } from '../model/baselines.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { counted, formatCount, formatPercent, formatRate } from '../number-text.js'
import type { OnTestLog, TestLogFacts } from '../train/test-log.js'
import type { RankedModel, Training } from '../train/training.js'
import { formatEstimate, formatFixed, withRange } from './estimate-text.js'

/** The name of a model as papers write it: `ease` gives "EASE"; unknown names stay. */
export const modelLabel = (model: string): string =>
  (TRAINED_MODELS.find(model) ?? BASELINES.find(model))?.label ?? model

/** A name at the beginning of a sentence; one like iALS keeps its small letter. */
export const capitalised = (text: string): string =>
  /^\p{Ll}\p{Lu}/u.test(text) ? text : `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`

/** A score between 0 and 1 that comes without an interval, with three digits that count. */
export const formatScore = (value: number): string =>
  formatFixed(value, value > 0 && value < 0.1 ? Math.min(6, 2 - Math.floor(Math.log10(value))) : 3)

/** A metric as a percentage with its interval, rounded to what that supports. */
export function formatMetricRate({ value, interval }: Metric): { value: string; interval: string | null } {
  if (!interval) return { value: formatPercent(value, 1), interval: null }
  const { rate, interval: between } = formatRate(value, interval)
  return { value: rate, interval: between }
}

/** A metric as a number with its interval; without one, with three digits that count. */
export const formatMetric = ({ value, interval }: Metric): { value: string; interval: string | null } =>
  interval ? formatEstimate(value, interval) : { value: formatScore(value), interval: null }

/** Whether two intervals share a value; false where either is missing. */
export const overlap = (a: Metric, b: Metric): boolean =>
  a.interval !== null &&
  b.interval !== null &&
  a.interval[0] <= b.interval[1] &&
  b.interval[0] <= a.interval[1]

/** A column of a table of metrics on rated items or on a test log. */
export interface RatedColumn {
  readonly label: string
  metric(metrics: OnTestLog): Metric | null | undefined
}

/** The columns that any of these models has. */
export function ratedColumns(judged: readonly (OnTestLog | null | undefined)[], k: number): RatedColumn[] {
  const all: readonly RatedColumn[] = [
    { label: 'MSE', metric: ({ mse }) => mse },
    { label: 'MAE', metric: ({ mae }) => mae },
    { label: 'AUC', metric: ({ auc }) => auc },
    { label: `NDCG@${k}`, metric: ({ ndcg }) => ndcg },
    { label: `recall@${k}`, metric: ({ recall }) => recall },
  ]
  return all.filter(({ metric }) => judged.some((one) => one && metric(one)))
}

/** How far predicted ratings are off, for a loss that learns them. */
export function ratingSentences({ ranked, meanRating, settings }: Training): string {
  const [{ model, rated }] = ranked as [RankedModel]
  if (!rated?.mse) return `There are no test ratings to show how well ${modelLabel(model)} predicts them.`
  return `${capitalised(modelLabel(model))} (${settings.loss}) predicts ratings with a mean squared error of ${said(rated.mse)} on ${counted(rated.ratings, 'test rating')}${orderText(rated)}. These are ratings that users chose to give; the mean rating that predictions start from is ${meanRating!.toPrecision(3)}.`
}

const orderText = ({ auc }: RatedMetrics): string =>
  auc
    ? `, and puts ${said(auc, formatMetricRate)} of pairs of different ratings in the right order (AUC)`
    : ''

const said = (metric: Metric, format = formatMetric): string => withRange(format(metric))

/** How well the model does on a test log of one's own, and which baseline does better. */
export function testLogSentences({ testLog, ranked, settings }: Training): string[] {
  const own = ranked[0]?.testLog
  if (!testLog || ranked[0]?.testLog === undefined) return []
  const name = modelLabel(ranked[0].model)
  if (!own) return [`The test log has nothing to judge ${name} by: ${emptyBecause(testLog)}.`]
  const [label, of] = mainMetric(own, settings.k)
  const metric = of(own)
  if (!metric) return [`On the test log, no user’s ratings differ, so they say nothing about order.`]
  const against = baselineText(ranked, settings.k)
  return [
    `On the test log, ${amongText(testLog)}, ${name} has ${label.startsWith('NDCG') ? 'an' : 'a'} ${label} of ${said(metric)}.${against}`,
  ]
}

/** The baseline that puts the test log in a better order, where one does: by NDCG, or by AUC beside predicted ratings. */
function baselineText([trained, ...baselines]: readonly RankedModel[], k: number): string {
  const own = trained!.testLog!
  const [label, of] = own.mse
    ? (['AUC', ({ auc }: OnTestLog) => auc] as const)
    : ([`NDCG@${k}`, ({ ndcg }: OnTestLog) => ndcg] as const)
  const metric = of(own)
  const best = baselines.reduce<{ model: string; metric: Metric } | undefined>((so, { model, testLog }) => {
    const other = testLog && of(testLog)
    return other && other.value > (so?.metric.value ?? -Infinity) ? { model, metric: other } : so
  }, undefined)
  if (!metric || !best || best.metric.value <= metric.value) return ''
  const close = overlap(metric, best.metric) ? '; their intervals overlap' : ''
  return ` **The baseline ${modelLabel(best.model)} orders items better there**: its ${label} is ${said(best.metric)}, against ${said(metric)}${close}.`
}

/** The metric that a test log is summed up by: the error of predicted ratings, or NDCG. */
const mainMetric = (
  own: OnTestLog,
  k: number,
): readonly [label: string, of: (metrics: OnTestLog) => Metric | null | undefined] =>
  own.mse ? ['mean squared error', ({ mse }) => mse] : [`NDCG@${k}`, ({ ndcg }) => ndcg]

/** Among what items are ranked on a test log. */
export const amongText = ({ among }: TestLogFacts): string =>
  among === 'all' ? 'ranking all items' : 'among the items that each user rated'

const emptyBecause = ({ leftOut, rows }: TestLogFacts): string =>
  rows === 0
    ? `all of its rows were left out (${leftOutText(leftOut) || 'it has none'})`
    : 'it has no click that training has not seen'

/** Which rows of a test log were left out, and why; empty where none were. */
export const leftOutText = ({ unknown, seen }: TestLogFacts['leftOut']): string =>
  [
    ...(unknown > 0 ? [`${formatCount(unknown)} of users or items that the training log does not have`] : []),
    ...(seen > 0 ? [`${formatCount(seen)} of pairs that training has seen`] : []),
  ].join(', ')

/** What a test log holds and what of it was used, in a sentence. */
export function testLogText(facts: TestLogFacts): string {
  const { rows, users, clicks, leftOut } = facts
  const without = leftOutText(leftOut)
  return `The test log has ${counted(rows, 'row')} of ${counted(users, 'user')}, ${counted(clicks, 'pair')} with a reward above 0${without === '' ? '' : `; left out: ${without}`}. It was used once, at the end, and no choice was based on it.`
}
