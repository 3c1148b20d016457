import type { MetricsAtK } from '../metrics/ranking-metrics-of.js'
import type { Metric } from '../metrics/user-mean.js'
import { LOSSES } from '../train/losses/index.js'
import { STOPPING_MEASURES } from '../train/stopping-measures.js'
import type { RankedModel } from '../train/training.js'
import { formatScore } from './rated-text.js'

export {
  capitalised,
  formatMetric,
  formatMetricRate,
  formatScore,
  modelLabel,
  overlap,
} from './rated-text.js'

/** Held-out clicks: those that chose the epoch, and those that nothing was chosen on. */
export type HeldOutPart = 'validation' | 'test'

/** What decides which epoch is best, in words: `ndcg` gives "NDCG@10". */
export function measureLabel(measure: string, k: number): string {
  const known = STOPPING_MEASURES.find(measure.replace(/@\d+$/, ''))
  return known ? known.label.replace('@k', `@${k}`) : measure
}

/** The value of a measure as it is said: an error without its sign. */
export const measureText = (measure: string, value: number): string =>
  formatScore(STOPPING_MEASURES.find(measure)?.isError ? -value : value)

/** What the validation part holds, in the words of a loss. */
export function heldOutRows(loss: string): string {
  const { objective, form } = LOSSES.named(loss)
  if (form === 'squared') return 'ratings'
  return objective ? 'impressions' : 'clicks'
}

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
