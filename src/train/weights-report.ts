import { formatCount, formatShare } from '../number-text.js'
import { log } from '../portable-math.js'
import { LOSSES } from './losses/index.js'
import { sumOf } from './regularisers.js'
import type { TrainSettings } from './settings.js'
import type { EventWeights } from './weights.js'

/** What is kept of the training weights of every epoch. */
export interface WeightsInBrief {
  readonly mean: number
  readonly max: number
  /** (Σω)²/Σω² as a share of the events, after the regulariser. */
  readonly essRatio: number
  /** Share of all weight on the heaviest 1 % of events. */
  readonly topPercentShare: number
}

/** The distribution of the training weights over events, before the first step. */
export interface WeightsReport extends WeightsInBrief {
  /** Events to learn from. */
  readonly events: number
  /** (Σω)²/Σω² after the regulariser. */
  readonly ess: number
  /** Its share of the events before the regulariser. */
  readonly rawEssRatio: number
  readonly min: number
  /** Counts of events by weight, weights relative to their mean: [from, below, events, share of weight]. */
  readonly histogram: readonly (readonly [number, number, number, number])[]
  /** Sentences to read before training; empty when there is nothing to warn of. */
  readonly warnings: readonly string[]
}

/** Below this ratio of effective sample size to events, a few clicks teach the model most of what it learns. */
const POOR_ESS = 0.1
/** Above this share of the weight, the heaviest 1 % of events dominate. */
const HEAVY_TOP = 0.5

/** Above this ratio the weights are nearly alike: they vary by less than a seventh of their mean. */
const EVEN_ESS = 0.98

/** Examines the weights before they are used, and warns where few events would dominate, or where weights change nothing. */
export function weightsReport(
  { raw, effective }: EventWeights,
  { loss }: Pick<TrainSettings, 'loss'>,
): WeightsReport {
  const brief = weightsInBrief(effective)
  const events = effective.length
  const rawEssRatio = essOf(raw) / events
  const min = effective.reduce((least, weight) => Math.min(least, weight), Infinity)
  const report = {
    events,
    ess: brief.essRatio * events,
    rawEssRatio,
    ...brief,
    min,
    histogram: histogramOf(effective),
  }
  const { objective, weights } = LOSSES.named(loss)
  return {
    ...report,
    warnings: [
      ...warningsOf(report, objective ? OF_OBJECTIVES : OF_LOSSES),
      ...(weights === 'ips' || weights === 'exposure' ? evenWeights(report, loss) : []),
    ],
  }
}

export function weightsInBrief(weights: Float64Array): WeightsInBrief {
  const sorted = weights.toSorted()
  const heaviest = sorted.subarray(sorted.length - Math.max(1, Math.round(sorted.length / 100)))
  const total = sumOf(weights)
  return {
    mean: total / weights.length,
    max: sorted.at(-1)!,
    essRatio: essOf(weights) / weights.length,
    topPercentShare: sumOf(heaviest) / total,
  }
}

/** (Σω)²/Σω². */
function essOf(weights: Float64Array): number {
  const total = sumOf(weights)
  return (total * total) / sumOf(weights.map((weight) => weight * weight))
}

/** What to do against uneven weights. */
const OF_LOSSES = 'Shrink the weights with the regulariser shrink at 0.1 or more.'
const OF_OBJECTIVES = 'The objectives clipped-ips and log-smoothing hold them back.'

function warningsOf(
  { events, essRatio, topPercentShare, ess }: Omit<WeightsReport, 'warnings'>,
  remedy: string,
): string[] {
  const warnings: string[] = []
  if (essRatio < POOR_ESS)
    warnings.push(
      `The effective sample size is ${formatCount(Math.round(ess))} of ${formatCount(events)} events (${formatShare(essRatio)}): a few clicks on rarely shown items will dominate training. ${remedy}`,
    )
  // Of fewer than a hundred events, the heaviest is more than 1 %.
  if (topPercentShare > HEAVY_TOP && events >= 100)
    warnings.push(
      `The heaviest 1 % of events carry ${formatShare(topPercentShare)} of the total weight. Check that the smallest propensities are real.`,
    )
  return warnings
}

/** Weights that are nearly alike correct nothing, however right or wrong the propensities are. */
function evenWeights(
  { events, essRatio, rawEssRatio }: Pick<WeightsReport, 'events' | 'essRatio' | 'rawEssRatio'>,
  loss: string,
): string[] {
  if (essRatio < EVEN_ESS || events < 2) return []
  const why =
    rawEssRatio < EVEN_ESS
      ? `after the regulariser; before it, it is ${formatShare(rawEssRatio)}`
      : 'because the propensities of the clicked items hardly differ'
  return [
    `The weights are nearly equal: their effective sample size is ${formatShare(essRatio)} of the events, ${why}. In practice, training with ${loss} is then the same as training without weights, so expect no correction of exposure bias.`,
  ]
}

/** 10^(k/5) for k from 0 to 4, in digits: powers differ in the last bit from one engine to the next, digits do not. */
const FIFTHS = [
  '1',
  '1.584893192461113485',
  '2.511886431509580111',
  '3.981071705534972508',
  '6.309573444801932494',
]

/** 10^(k/5), the lower edge of bin k. */
const edgeOf = (k: number): number => {
  const decade = Math.floor(k / FIFTHS.length)
  return Number(`${FIFTHS[k - decade * FIFTHS.length]}e${decade}`)
}

/** Bins of a log scale, a fifth of a decade each; events of weight 0 have a bin of their own. */
function histogramOf(weights: Float64Array): WeightsReport['histogram'] {
  const mean = sumOf(weights) / weights.length
  const bins = new Map<number, { events: number; weight: number }>()
  let zeros = 0
  for (const weight of weights) {
    if (weight === 0) {
      zeros++
      continue
    }
    // A weight at an edge must not fall below it by the rounding of a logarithm.
    const bin = Math.floor((log(weight / mean) / Math.LN10) * FIFTHS.length + 1e-9)
    const seen = bins.get(bin) ?? { events: 0, weight: 0 }
    bins.set(bin, { events: seen.events + 1, weight: seen.weight + weight })
  }
  const total = sumOf(weights)
  const places = [...bins.keys()]
  const first = Math.min(...places)
  const filled = Array.from({ length: Math.max(...places) - first + 1 }, (_, k) => {
    const { events, weight } = bins.get(first + k) ?? { events: 0, weight: 0 }
    return [edgeOf(first + k), edgeOf(first + k + 1), events, weight / total] as const
  })
  return zeros > 0 ? [[0, 0, zeros, 0], ...filled] : filled
}
