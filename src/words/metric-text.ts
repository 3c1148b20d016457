import type { Metric } from '../metrics/user-mean.js'
import { BASELINES } from '../model/baselines.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { formatPercent, formatRate } from '../number-text.js'
import { formatEstimate, formatFixed } from './estimate-text.js'

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
