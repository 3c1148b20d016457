import * as Plot from '@observablehq/plot'
import type { Diagnostics } from '../estimate/evaluation.js'
import { summariseWeights, type WeightBin, type WeightSummary } from '../estimate/weight-summary.js'
import { counted, formatCount, formatShare, formatTick } from '../number-text.js'
import type { WeightsReport } from '../train/weights-report.js'
import { sentences } from '../words/seed-text.js'
import { noAnswer } from '../words/verdict-text.js'
import { type CountedWeights, roundedCount, weightFinding, weightText } from '../words/weight-text.js'
import {
  bottomAxis,
  groundLine,
  labelledRule,
  leftAxis,
  linearTicks,
  logTicks,
  tickDecimals,
} from './axes.js'
import {
  type Chart,
  drawChart,
  type FigureOptions,
  type JudgedInput,
  nothingToDraw,
  type Table,
} from './chart.js'
import { hoverStrip } from './rows-layout.js'
import { type ShareBar, shareBars, weightName, weightOutline } from './share-bars.js'
import { tableOf } from './table-cells.js'
import { colour, type Frame, halo } from './theme.js'

export interface WeightsInput extends Pick<JudgedInput, 'verdict'> {
  /** Importance weight w = π/b of each row, ≥ 0; or the result of `summariseWeights`, where there are too many to send. */
  readonly weights: Float64Array | WeightSummary
  readonly diagnostics: Pick<Diagnostics, 'ess' | 'essRatio' | 'maxWeight' | 'topPercentShare'>
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
      subtitle: sentences(
        `Importance weights of ${counted(count, 'row')}: grey bars for the share of rows` +
          (bins.length > 0 ? ', orange line for the share of the total weight they carry.' : '.'),
        zeros === 0
          ? ''
          : `${counted(zeros, 'row')} of weight 0 (${formatShare(zeros / count)}): the target never shows them.`,
      ),
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

/** How weights are spread over rows or events. */
interface WeightSpread extends CountedWeights {
  /** Name of the horizontal axis. */
  readonly axis: string
  readonly heaviest: { readonly at: number; readonly text: string }
  /** What the weights leave of the sample, written into the plot. */
  readonly note: string | undefined
}

/** The numbers of the bars and the line. */
const weightTable = ({ noun, bins, zeros, count }: WeightSpread): Table =>
  tableOf<WeightBin>(zeros === 0 ? bins : [{ low: 0, high: 0, count: zeros, share: 0 }, ...bins], [
    { name: 'weight_from', label: 'Weight from', kind: 'number', of: 'low' },
    { name: 'weight_below', label: 'to below', kind: 'number', of: 'high' },
    { name: `${noun}s`, label: `${noun[0]!.toUpperCase()}${noun.slice(1)}s`, kind: 'count', of: 'count' },
    { name: `share_of_${noun}s`, label: `Share of ${noun}s`, kind: 'share', of: (bin) => bin.count / count },
    { name: 'share_of_weight', label: 'Share of weight', kind: 'share', of: 'share' },
  ])

/** Bars for the share of rows and a line for the share of weight, over weights on a log scale. */
function drawWeightSpread(frame: Frame, spread: WeightSpread): Plot.PlotOptions {
  const { narrow } = frame
  const { noun, zeros, count, heaviest, note } = spread
  const bars = spread.bins.map((bin) => barOf(bin, spread))
  const { low, lowEdge, high, zero } = scaleOf(bars, spread)
  const most = Math.max(zeros / count, ...bars.flatMap(({ share, weightShare }) => [share, weightShare]))
  const ticks = linearTicks(0, most, 5)
  const decimals = tickDecimals(ticks.map((tick) => tick * 100))
  const across = (value: number): number => Math.log(value / low) / Math.log(high / low)
  const [marginLeft, marginRight] = [56, narrow ? 16 : 24]
  const lines = note === undefined ? [] : noteLines(note, narrow)
  const noteEnd = NOTE_SHIFT + Math.max(0, ...lines.map(({ length }) => length)) * BOLD_LETTER
  const isUnderNote = across(heaviest.at) * (frame.width - marginLeft - marginRight) < noteEnd
  return {
    marginLeft,
    marginRight,
    marginTop: 36,
    marginBottom: 52,
    insetTop: narrow ? 68 : 48,
    x: { type: 'log', domain: [low, high] },
    y: { domain: [0, most] },
    marks: [
      ...leftAxis(ticks, `Share of ${noun}s, and of weight`, {
        tickFormat: (tick) => `${(tick * 100).toFixed(decimals)} %`,
      }),
      bottomAxis(roomyTicks(lowEdge, high, frame), spread.axis, { labelOffset: 44, text: formatTick }),
      shareBars(bars),
      ...(zeros === 0 ? [] : zeroBar(spread, zero)),
      weightOutline(bars),
      bars.length < 2 ? null : weightName(bars, across),
      ...(heaviest.at > 0
        ? labelledRule({
            ...heaviest,
            onLeft: across(heaviest.at) > 0.5,
            ...(isUnderNote && { ends: [0, most], y: most, dy: -18 }),
          })
        : []),
      lines.length === 0 ? null : noteText(lines, narrow),
      groundLine(),
      hoverStrip(bars, { x1: 'left', x2: 'right', y1: 0, y2: most }, ({ title }) => title),
    ],
  }
}

/** Pixels of a digit of a tick, with room to the next. */
const DIGIT = 8
const GAP = 12

/** Ticks whose labels have room beside one another. */
function roomyTicks(low: number, high: number, { width, narrow }: Frame): number[] {
  const widthOf = (ticks: readonly number[]): number =>
    ticks.reduce((sum, tick) => sum + formatTick(tick).length * DIGIT + GAP, 0)
  const all = Array.from({ length: 6 }, (_, k) => logTicks(low, high, (narrow ? 8 : 9) - k))
  return all.find((ticks) => widthOf(ticks) < width - 72) ?? all.at(-1)!
}

const barOf = (bin: WeightBin, { noun, count }: WeightSpread): ShareBar => ({
  // A bar that begins at zero has no place on a log scale; it is drawn over one decade.
  left: bin.low > 0 ? bin.low : bin.high / 10,
  right: bin.high,
  share: bin.count / count,
  weightShare: bin.share,
  title:
    `weights ${weightText(bin.low)} to below ${weightText(bin.high)}\n` +
    `${counted(bin.count, noun)} (${formatShare(bin.count / count)})\n` +
    `${formatShare(bin.share)} of the weight`,
})

/** The ends of the axis, where the weights above zero begin on it, and the place of the bar of zeros before them. */
function scaleOf(bars: readonly ShareBar[], { zeros, heaviest }: WeightSpread) {
  // Without weights above zero there is still an axis to put the bar of zeros on.
  const shown = bars.length > 0 ? bars : [{ left: 1, right: 1.25 }]
  const step = shown[0]!.right / shown[0]!.left
  const room = Math.max(1, Math.ceil((9 - shown.length) / 2))
  const lowEdge = shown[0]!.left / step ** (shown.length < 9 ? room : 0)
  const high = Math.max(shown.at(-1)!.right, heaviest.at) * step ** room
  // The bar of zeros: as wide as the others or wider where they are thin, after a gap.
  const span = Math.max(1, Math.round(Math.log(high / lowEdge) / Math.log(step) / 24))
  const zero = { from: lowEdge / step ** (3 * span), to: lowEdge / step ** (2 * span) }
  const low = zeros > 0 ? zero.from / step ** 0.5 : lowEdge / step ** 0.5
  return { low, lowEdge, high, zero }
}

const zeroBar = (
  { noun, zeros, count }: WeightSpread,
  { from, to }: { readonly from: number; readonly to: number },
): Plot.Markish[] => [
  Plot.rectY([zeros / count], {
    x1: from,
    x2: to,
    y: zeros / count,
    fill: colour('ink'),
    fillOpacity: 0.35,
    title: () => `weight 0\n${counted(zeros, noun)} (${formatShare(zeros / count)})`,
  }),
  Plot.text(['0'], { x: Math.sqrt(from * to), frameAnchor: 'bottom', dy: 17, fill: colour('ink') }),
]

/** Pixels of a bold letter of the note, and from the frame to its first. */
const BOLD_LETTER = 7.9
const NOTE_SHIFT = 8

/** The note in lines on a phone. */
const noteLines = (note: string, narrow: boolean): string[] =>
  narrow ? note.replace(' (', '\n(').replace('; ', ';\n').split('\n') : [note]

/** The note in bold at the top. */
const noteText = (lines: readonly string[], narrow: boolean): Plot.Markish =>
  Plot.text([lines.join('\n')], {
    frameAnchor: 'top-left',
    dx: NOTE_SHIFT,
    dy: narrow ? 24 : 4,
    fontWeight: 600,
    fill: colour('ink'),
    lineAnchor: 'top',
    ...halo,
  })
