import type { Diagnostics, Verdict } from '../estimate/evaluation.js'
import { summariseWeights, type WeightSummary } from '../estimate/weight-summary.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import { noAnswer } from '../words/verdict-text.js'
import { roundedCount, weightFinding, weightText } from '../words/weight-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { drawWeightSpread, type WeightSpread, weightTable } from './weight-spread.js'

export interface WeightsInput {
  /** Importance weight w = π/b of each row, ≥ 0; or the result of `summariseWeights`, where there are too many to send. */
  readonly weights: Float64Array | WeightSummary
  readonly diagnostics: Pick<Diagnostics, 'ess' | 'essRatio' | 'maxWeight' | 'topPercentShare'>
  /** Where it is `refuse`, the title states no finding. */
  readonly verdict?: Pick<Verdict, 'level'>
}

/**
 * How the importance weights are spread, on a log scale: bars for the share of rows and a line for the share
 * of all weight that those rows carry. Where the line lies far right of the bars, few rows decide. Rows of
 * weight zero, which the target would never have shown, have a bar of their own.
 */
export function weightsFigure(
  { weights, diagnostics, verdict }: WeightsInput,
  options: FigureOptions,
): Chart {
  const summary = ArrayBuffer.isView(weights) ? summariseWeights(weights) : weights
  const { count, zeros, bins } = summary
  if (count === 0) throw nothingToDraw('there are no weights')
  const heaviest = diagnostics.maxWeight ?? summary.heaviest
  const spread: WeightSpread = {
    noun: 'row',
    axis: 'Importance weight of the row (log scale)',
    bins,
    zeros,
    count,
    heaviest: { at: heaviest, text: `heaviest ${weightText(heaviest)}` },
    note: essText(diagnostics),
  }
  return drawChart(
    {
      name: 'weights',
      title:
        verdict?.level === 'refuse' ? noAnswer('its importance weights') : weightFinding(spread, diagnostics),
      subtitle: [
        `Importance weights of ${counted(count, 'row')}: grey bars for the share of rows` +
          (bins.length > 0 ? ', orange line for the share of the total weight they carry.' : '.'),
        zeros === 0
          ? ''
          : `${counted(zeros, 'row')} of weight 0 (${formatShare(zeros / count)}): the target never shows them.`,
      ]
        .filter(Boolean)
        .join(' '),
      caption:
        'An importance weight is how many times as often the target policy shows the item as the logging policy did; the ' +
        'mean is about 1. The further right of the bars the line lies, the fewer rows decide the answer. The effective ' +
        'sample size is the squared sum of weights divided by the sum of their squares.',
      ...(verdict && { stamp: verdict.level }),
      table: weightTable(spread),
      draw: (frame) => drawWeightSpread(frame, spread),
    },
    options,
  )
}

function essText({ ess, essRatio }: WeightsInput['diagnostics']): string | undefined {
  if (ess === null) return undefined
  const share = essRatio === null ? '' : ` (${formatShare(Math.min(1, essRatio))} of rows)`
  return `effective sample size ${formatCount(roundedCount(ess))}${share}`
}
