import type { Metric } from '../metrics/user-mean.js'
import { formatCount } from '../number-text.js'
import type { RankedOnPart } from './ranking-finding.js'
import { bestBaseline, formatMetricRate, modelLabel, overlap } from './training-text.js'

/** What the trained model finds in the last popularity bucket, against the best baseline there. */
export function bucketFinding({ ranked, k, part }: RankedOnPart): string {
  const inTail = ranked.flatMap(({ model, [part]: metrics }) => {
    const last = metrics?.buckets.at(-1)
    return last ? [{ model, metrics: { recall: last.recall }, bucket: last.bucket }] : []
  })
  const { bucket } = inTail[0]!
  const trained = inTail.find(({ model }) => model === ranked[0]!.model)
  const best = bestBaseline(
    inTail.filter((each) => each !== trained),
    'recall',
  )
  const written = (metric: Metric): string => formatMetricRate(metric).value
  if (!trained)
    return `The best baseline in the ${bucket} is ${modelLabel(best!.model)}: it finds ${written(best!.metrics.recall)}`
  const name = modelLabel(trained.model)
  const own = trained.metrics.recall
  const found = `finds ${written(own)} of the clicks on ${bucket} items in its first ${formatCount(k)}`
  if (!best) return `${name} ${found}`
  const other = best.metrics.recall
  const close = overlap(own, other) ? ', with overlapping intervals' : ''
  return own.value >= other.value
    ? `${name} ${found}; the best baseline there, ${modelLabel(best.model)}, finds ${written(other)}${close}`
    : `${name} ${found}; the baseline ${modelLabel(best.model)} finds more, ${written(other)}${close}`
}
