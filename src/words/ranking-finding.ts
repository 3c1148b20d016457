import type { RankedModel } from '../train/training.js'
import {
  bestBaseline,
  formatMetric,
  type HeldOutPart,
  measuredBaselines,
  modelLabel,
  overlap,
} from './training-text.js'

/** The trained model and the baselines on the held-out clicks that they are compared on. */
export interface RankedOnPart {
  /** The trained model first, then baselines. */
  readonly ranked: readonly RankedModel[]
  readonly k: number
  readonly part: HeldOutPart
  /** Whether NDCG is that under uniform exposure; default as logged. */
  readonly isCorrected?: boolean
}

/** NDCG@k of the trained model against that of the best baseline. */
export function rankingFinding(input: RankedOnPart): string {
  const { ranked, k, part, isCorrected = false } = input
  const measure = `NDCG@${k}${isCorrected ? ' under uniform exposure' : ''}`
  const trained = ranked[0]!
  const name = modelLabel(trained.model)
  const own = (isCorrected ? trained[part]?.ips : trained[part])?.ndcg
  const best = bestBaseline(measuredBaselines(ranked, part, isCorrected), 'ndcg')
  if (!own) return `${name} was not measured; the best baseline is ${modelLabel(best!.model)}`
  const { value, interval } = formatMetric(own)
  const range = interval === null ? value : `${value} (95 % CI ${interval})`
  if (!best) return `${name} reaches an ${measure} of ${range}`
  const other = best.metrics.ndcg
  const label = modelLabel(best.model)
  const close = overlap(own, other) ? ', with overlapping intervals' : ''
  return own.value >= other.value
    ? `${name} reaches an ${measure} of ${range}; the best baseline, ${label}, reaches ${formatMetric(other).value}${close}`
    : `The baseline ${label} beats ${name}: ${measure} ${formatMetric(other).value} against ${range}${close}`
}
