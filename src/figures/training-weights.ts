import { counted, formatCount, formatShare } from '../number-text.js'
import type { WeightsReport } from '../train/weights-report.js'
import { roundedCount, weightFinding, weightText } from '../words/weight-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { drawWeightSpread, type WeightSpread, weightTable } from './weight-spread.js'

/**
 * How the training weights are spread over the events, relative to their mean and on a log scale: bars for
 * the share of events and a line for the share of all weight that those events carry. Where the line lies far
 * right of the bars, the model learns from few events.
 */
export function trainingWeights(report: WeightsReport, options: FigureOptions): Chart {
  const { events, ess, histogram } = report
  if (events === 0) throw nothingToDraw('there are no training events')
  const positive = histogram.filter(([from, , , share]) => from > 0 || share > 0)
  const heaviest = report.mean > 0 ? report.max / report.mean : 0
  const spread: WeightSpread = {
    noun: 'event',
    axis: 'Weight relative to the mean (log scale)',
    bins: positive.map(([from, below, count, share]) => ({
      // A bar that begins at zero has no place on a log scale; it is drawn over one decade.
      low: from > 0 ? from : below / 10,
      high: below,
      count,
      share,
    })),
    zeros: histogram.reduce((sum, bin) => sum + (positive.includes(bin) ? 0 : bin[2]), 0),
    count: events,
    heaviest: { at: heaviest, text: `heaviest ${weightText(heaviest)}` },
    note: noteOf(report),
  }
  const isRegularised = Math.abs(report.essRatio - report.rawEssRatio) > 1e-9
  return drawChart(
    {
      name: 'training-weights',
      title: weightFinding(spread, { ess, topPercentShare: report.topPercentShare }),
      subtitle:
        `Training weights of ${counted(events, 'event')}${isRegularised ? ' after the regulariser' : ''}: grey bars for ` +
        'the share of events, orange line for the share of the total weight they carry.' +
        (spread.zeros === 0 ? '' : ` ${counted(spread.zeros, 'event')} of weight 0 are ignored.`),
      caption:
        'An event that the logging policy rarely shows stands for many and weighs more. The further right of the bars ' +
        'the line lies, the fewer events the model learns from. The effective sample size is the squared sum of weights ' +
        'divided by the sum of their squares.',
      table: weightTable(spread),
      draw: (frame) => drawWeightSpread(frame, spread),
    },
    options,
  )
}

function noteOf({ ess, essRatio, rawEssRatio }: WeightsReport): string {
  const before =
    Math.abs(essRatio - rawEssRatio) > 1e-9
      ? `; ${formatShare(Math.min(1, rawEssRatio))} before the regulariser`
      : ''
  return `effective sample size ${formatCount(roundedCount(ess))} (${formatShare(Math.min(1, essRatio))} of events${before})`
}
