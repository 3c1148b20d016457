import { HindcastError } from '../error.js'
import type { Diagnostics } from '../estimate/evaluation.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import { drawChart } from './chart.js'
import type { Chart, FigureOptions } from './chart.js'
import { nothingToDraw } from './nothing-to-draw.js'
import { drawWeightSpread, roundedCount, weightFinding, weightTable, weightText } from './weight-spread.js'
import type { WeightBin, WeightSpread } from './weight-spread.js'

export interface WeightsInput {
  /** Importance weight w = π/b of each row, ≥ 0. */
  readonly weights: Float64Array
  readonly diagnostics: Pick<Diagnostics, 'ess' | 'essRatio' | 'maxWeight' | 'topPercentShare'>
}

/**
 * How the importance weights are spread, on a log scale: bars for the share of rows and a line for the share
 * of all weight that those rows carry. Where the line lies far right of the bars, few rows decide. Rows of
 * weight zero, which the target would never have shown, have a bar of their own.
 */
export function weightsFigure({ weights, diagnostics }: WeightsInput, options: FigureOptions): Chart {
  if (weights.length === 0) throw nothingToDraw('there are no weights')
  const positive = weights.filter((weight) => weight > 0)
  if (weights.some((weight) => !(weight >= 0 && weight < Infinity))) {
    throw new HindcastError('bad-rows', 'A weight is negative or not a number.', {
      remedy: 'Weights are target probability divided by propensity: check that every propensity is above 0.',
    })
  }
  const rows = weights.length
  const zeros = rows - positive.length
  const heaviest = diagnostics.maxWeight ?? positive.reduce((most, weight) => Math.max(most, weight), 0)
  const spread: WeightSpread = {
    noun: 'row',
    axis: 'Importance weight of the row (log scale)',
    bins: binsOf(positive),
    zeros,
    count: rows,
    heaviest: { at: heaviest, text: `heaviest ${weightText(heaviest)}` },
    note: essText(diagnostics),
  }
  return drawChart(
    {
      name: 'weights',
      title: weightFinding(spread, diagnostics),
      subtitle: [
        `Importance weights of ${counted(rows, 'row')}: grey bars for the share of rows` +
          (positive.length > 0 ? ', orange line for the share of the total weight that they carry.' : '.'),
        zeros === 0
          ? ''
          : `${counted(zeros, 'row')} of weight 0 (${formatShare(zeros / rows)}): the target never shows them.`,
      ]
        .filter(Boolean)
        .join(' '),
      caption:
        'A weight is how much more often the target policy shows the item than the logged one did; their mean is ' +
        'about 1. The further the line lies to the right of the bars, the fewer rows decide the answer. The effective ' +
        'sample is the square of the sum of weights divided by the sum of their squares.',
      table: weightTable(spread),
      draw: (frame) => drawWeightSpread(frame, spread),
    },
    options,
  )
}

/** Bars of equal width on a log scale, at most about 36, edges at whole fractions of a decade. */
function binsOf(weights: Float64Array): WeightBin[] {
  if (weights.length === 0) return []
  let [low, high] = [Infinity, 0]
  for (const weight of weights) {
    low = Math.min(low, weight)
    high = Math.max(high, weight)
  }
  const decades = Math.log10(high / low)
  const each = [100, 50, 20, 10, 5, 4, 2, 1].find((steps) => decades * steps <= 36) ?? 1
  const edge = (k: number): number => 10 ** (k / each)
  // A weight at an edge must not fall below it by the rounding of a logarithm.
  const binOf = (weight: number): number => Math.floor(Math.log10(weight) * each + 1e-9)
  const first = binOf(low)
  const bins = Array.from({ length: binOf(high) - first + 1 }, (_, k) => ({
    low: edge(first + k),
    high: edge(first + k + 1),
    count: 0,
    share: 0,
  }))
  for (const weight of weights) {
    const bin = bins[binOf(weight) - first]!
    bin.count++
    bin.share += weight
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const bin of bins) bin.share /= total
  return bins
}

function essText({ ess, essRatio }: WeightsInput['diagnostics']): string | undefined {
  if (ess === null) return undefined
  const share = essRatio === null ? '' : ` (${formatShare(Math.min(1, essRatio))} of rows)`
  return `effective sample ${formatCount(roundedCount(ess))}${share}`
}
