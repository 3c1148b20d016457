import type { Metric } from '../metrics/user-mean.js'
import type { RankedModel } from '../train/training.js'
import { leadText, outcomeOf } from './lead-text.js'
import {
  bestBaseline,
  capitalised,
  formatMetric,
  type HeldOutPart,
  measuredBaselines,
  modelLabel,
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
  const { value, interval } = formatMetric(own)
  const reached = `${name} reaches an ${measure} of ${interval === null ? value : `${value} (95 % CI ${interval})`}`
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
