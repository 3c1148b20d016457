import type { Metric } from '../metrics/user-mean.js'
import { formatCount } from '../number-text.js'
import type { RankedModel } from '../train/training.js'
import { formatEstimate, rangeText, withRange } from './estimate-text.js'
import {
  bestBaseline,
  capitalised,
  formatMetric,
  formatMetricRate,
  type HeldOutPart,
  measuredBaselines,
  modelLabel,
  overlap,
} from './training-text.js'

/** Whether a lead is beyond noise, and for whom. Without an interval, as with a single user, nobody can say. */
export function outcomeOf({ interval }: Metric): 'ahead' | 'behind' | 'open' {
  if (!interval) return 'open'
  const [low, high] = interval
  return low > 0 ? 'ahead' : high < 0 ? 'behind' : 'open'
}

/** A lead and its interval, of the sign that is asked for. */
export function signedLead({ value, interval }: Metric, sign: 1 | -1): Metric {
  return { value: sign * value, interval: interval && orderedPair(sign * interval[0], sign * interval[1]) }
}

const orderedPair = (a: number, b: number): readonly [number, number] => (a < b ? [a, b] : [b, a])

/** A lead with its sign, the measure and the interval: "+0.031 NDCG@10 (95 % CI 0.022–0.040)". */
function leadText(lead: Metric, measure: string, sign: 1 | -1 = 1): string {
  const { value, interval } = signedLead(lead, sign)
  const written = formatEstimate(value, interval)
  return `${value > 0 ? '+' : ''}${written.value} ${measure} (${rangeText(written.interval)})`
}

/** The trained model and the baselines on the held-out clicks that they are compared on. */
export interface RankedOnPart {
  /** The trained model first, then baselines. */
  readonly ranked: readonly RankedModel[]
  readonly k: number
  readonly part: HeldOutPart
  /** Whether NDCG is that under uniform exposure; default as logged. */
  readonly isCorrected?: boolean
}

/**
 * Whether the trained model finds more than the baseline that comes closest to it, or beats it: by their difference user by
 * user. Where none was taken, both values, and no winner.
 */
export function rankingFinding(input: RankedOnPart): string {
  const { ranked, k, part, isCorrected = false } = input
  const measure = `NDCG@${k}${isCorrected ? ' under uniform exposure' : ''}`
  const trained = ranked[0]!
  const name = modelLabel(trained.model)
  const own = (isCorrected ? trained[part]?.ips : trained[part])?.ndcg
  const best = bestBaseline(measuredBaselines(ranked, part, isCorrected), 'ndcg')
  if (!own) return `${name} was not measured; the best baseline is ${modelLabel(best!.model)}`
  const closest = closestRival(input)
  if (closest) return comparedFinding(name, closest, measure)
  const reached = `${name} reaches an ${measure} of ${withRange(formatMetric(own))}`
  return best
    ? `${reached}; the best baseline, ${modelLabel(best.model)}, reaches ${formatMetric(best.metrics.ndcg).value}`
    : reached
}

/** The baseline that the model leads least, or that leads it most, on the part that models are compared on. */
function closestRival({
  ranked,
  part,
  isCorrected,
}: RankedOnPart): { model: string; lead: Metric } | undefined {
  // Leads are on the test clicks, and on those of validation only where there are no others.
  if (part === 'validation' && ranked[0]!.test) return undefined
  const rivals = ranked.slice(1).flatMap(({ model, lead, [part]: metrics }) => {
    const found = metrics && (isCorrected ? lead?.ips : lead?.ndcg)
    return found ? [{ model, lead: found }] : []
  })
  return rivals.toSorted((a, b) => a.lead.value - b.lead.value)[0]
}

function comparedFinding(
  name: string,
  { model, lead }: { model: string; lead: Metric },
  measure: string,
): string {
  const label = modelLabel(model)
  switch (outcomeOf(lead)) {
    case 'ahead':
      return `${capitalised(name)} finds more than ${label}: ${leadText(lead, measure)}`
    case 'behind':
      return `${capitalised(label)} finds more than ${name}: ${leadText(lead, measure, -1)}`
    case 'open':
      return `${capitalised(name)} and ${label} do not differ detectably: ${leadText(lead, measure)}`
  }
}

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
