import type { Metric, MetricsAtK } from '../metrics/ranking-metrics.js'
import { BASELINES } from '../model/baselines.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { formatPercent, formatRate } from '../number-text.js'
import { STOPPING_MEASURES } from '../train/stopping-measures.js'
import type { RankedModel } from '../train/training.js'
import { formatEstimate, formatFixed } from './estimate-text.js'

/** Held-out clicks: those that chose the epoch, and those that nothing was chosen on. */
export type HeldOutPart = 'validation' | 'test'

/** The name of a model as papers write it: `ease` gives "EASE"; unknown names stay. */
export const modelLabel = (model: string): string =>
  (TRAINED_MODELS.find(model) ?? BASELINES.find(model))?.label ?? model

/** A name at the beginning of a sentence; one like iALS keeps its small letter. */
export const capitalised = (text: string): string =>
  /^\p{Ll}\p{Lu}/u.test(text) ? text : `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`

/** What decides which epoch is best, in words: `ndcg` gives "NDCG@10". */
export function measureLabel(measure: string, k: number): string {
  const known = STOPPING_MEASURES.find(measure.replace(/@\d+$/, ''))
  return known ? known.label.replace('@k', `@${k}`) : measure
}

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

/** The part to speak about: the test clicks where the trained model was measured on them, else validation; null where on neither. */
export function measuredPart([trained]: readonly RankedModel[]): HeldOutPart | null {
  if (trained?.test) return 'test'
  return trained?.validation ? 'validation' : null
}

/** A model with what was measured on one part. */
export interface MeasuredModel<Name extends keyof MetricsAtK = keyof MetricsAtK> {
  readonly model: string
  readonly metrics: Readonly<Record<Name, Metric>>
}

/** The baseline with the largest value of a metric; undefined where none was measured. */
export function bestBaseline<Name extends keyof MetricsAtK>(
  baselines: readonly MeasuredModel<Name>[],
  name: Name,
): MeasuredModel<Name> | undefined {
  return baselines.reduce<MeasuredModel<Name> | undefined>(
    (best, baseline) => (best && best.metrics[name].value >= baseline.metrics[name].value ? best : baseline),
    undefined,
  )
}

/** Whether two intervals share a value; false where either is missing. */
export const overlap = (a: Metric, b: Metric): boolean =>
  a.interval !== null &&
  b.interval !== null &&
  a.interval[0] <= b.interval[1] &&
  b.interval[0] <= a.interval[1]

/** Baselines that were measured on a part, as logged or under uniform exposure. */
export const measuredBaselines = (
  ranked: readonly RankedModel[],
  part: HeldOutPart,
  isCorrected = false,
): MeasuredModel[] =>
  ranked.slice(1).flatMap(({ model, [part]: all }) => {
    const metrics = isCorrected ? all?.ips : all
    return metrics ? [{ model, metrics }] : []
  })
