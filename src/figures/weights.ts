import * as Plot from '@observablehq/plot'
import { HindcastError } from '../error.js'
import type { Diagnostics } from '../estimate/evaluation.js'
import { counted, formatCount, formatShare, formatTick } from '../number-text.js'
import { drawChart } from './chart.js'
import type { Chart, FigureOptions } from './chart.js'
import { nothingToDraw } from './nothing-to-draw.js'
import { tableNumber } from './tally-sums.js'
import type { Frame } from './theme.js'
import { colour, hairline } from './theme.js'
import { linearTicks, logTicks } from './ticks.js'

export interface WeightsInput {
  /** Importance weight w = π/b of each row, ≥ 0. */
  readonly weights: Float64Array
  readonly diagnostics: Pick<Diagnostics, 'ess' | 'essRatio' | 'maxWeight' | 'topPercentShare'>
}

/** Rows whose weight lies in [low, high). */
interface WeightBin {
  low: number
  high: number
  rows: number
  weight: number
}

interface Picture {
  bins: readonly WeightBin[]
  zeros: number
  rows: number
  total: number
  heaviest: number
  ess: string | undefined
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
  const bins = binsOf(positive)
  const total = positive.reduce((sum, weight) => sum + weight, 0)
  const heaviest = diagnostics.maxWeight ?? positive.reduce((most, weight) => Math.max(most, weight), 0)
  const ess = essText(diagnostics)
  const picture: Picture = { bins, zeros, rows, total, heaviest, ess }
  return drawChart(
    {
      name: 'weights',
      title: findingOf(picture, diagnostics),
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
      table: {
        columns: [
          { name: 'weight_from', label: 'Weight from', kind: 'number' },
          { name: 'weight_below', label: 'to below', kind: 'number' },
          { name: 'rows', label: 'Rows', kind: 'count' },
          { name: 'share_of_rows', label: 'Share of rows', kind: 'share' },
          { name: 'share_of_weight', label: 'Share of weight', kind: 'share' },
        ],
        rows: [
          ...(zeros === 0 ? [] : [[0, 0, zeros, tableNumber(zeros / rows), 0]]),
          ...bins.map((bin) => [
            tableNumber(bin.low),
            tableNumber(bin.high),
            bin.rows,
            tableNumber(bin.rows / rows),
            tableNumber(bin.weight / total),
          ]),
        ],
      },
      draw: (frame) => draw(frame, picture),
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
    rows: 0,
    weight: 0,
  }))
  for (const weight of weights) {
    const bin = bins[binOf(weight) - first]!
    bin.rows++
    bin.weight += weight
  }
  return bins
}

function essText({ ess, essRatio }: WeightsInput['diagnostics']): string | undefined {
  if (ess === null) return undefined
  const share = essRatio === null ? '' : ` (${formatShare(Math.min(1, essRatio))} of rows)`
  return `effective sample ${formatCount(roundedCount(ess))}${share}`
}

const roundedCount = (value: number): number =>
  value >= 10 ? Math.round(value) : Number(value.toPrecision(2))
const weightText = (weight: number): string => {
  const rounded = Number(weight.toPrecision(3))
  return rounded < 1 ? String(rounded) : rounded < 1e6 ? formatCount(rounded) : formatTick(rounded)
}

function findingOf(
  { bins, rows, zeros }: Picture,
  { ess, topPercentShare }: WeightsInput['diagnostics'],
): string {
  if (zeros === rows) return 'Every weight is 0: the target policy never shows what was logged'
  const populated = bins.filter((bin) => bin.rows > 0)
  if (rows === 1) return 'A single row carries all the weight'
  const worth =
    ess === null
      ? ''
      : `${counted(rows, 'row')} tell as much as ${formatCount(roundedCount(ess))} unweighted ones`
  if (populated.length === 1 && zeros === 0) return `All ${formatCount(rows)} rows have much the same weight`
  if (topPercentShare === null) return worth || `${counted(rows, 'row')} with weights that differ`
  return `The heaviest 1 % of rows carry ${formatShare(topPercentShare)} of the weight${worth && `; ${worth}`}`
}

function draw({ narrow }: Frame, picture: Picture): Plot.PlotOptions {
  const { bins, zeros, rows, total, heaviest, ess } = picture
  const ink = colour('ink')
  const muted = colour('muted')
  // Without weights above zero there is still an axis to put the bar of zeros on.
  const shown = bins.length > 0 ? bins : [{ low: 1, high: 1.25, rows: 0, weight: 0 }]
  const step = shown[0]!.high / shown[0]!.low
  const room = Math.max(1, Math.ceil((9 - shown.length) / 2))
  const lowEdge = shown[0]!.low / step ** (shown.length < 9 ? room : 0)
  const high = Math.max(shown.at(-1)!.high, heaviest) * step ** room
  // The bar of zeros: as wide as the others or wider where they are thin, after a gap.
  const span = Math.max(1, Math.round(Math.log(high / lowEdge) / Math.log(step) / 24))
  const zero = { from: lowEdge / step ** (3 * span), to: lowEdge / step ** (2 * span) }
  const low = zeros > 0 ? zero.from / step ** 0.5 : lowEdge / step ** 0.5
  const most = Math.max(zeros / rows, ...bins.flatMap((bin) => [bin.rows / rows, bin.weight / total]))
  const ticks = linearTicks(0, most, 5)
  const decimals = Math.max(
    ...ticks.map((tick) => (String(Number((tick * 100).toPrecision(6))).split('.')[1] ?? '').length),
  )
  const outline = [
    ...(bins.length > 0 ? [{ x: bins[0]!.low, y: 0 }] : []),
    ...bins.flatMap((bin) => [
      { x: bin.low, y: bin.weight / total },
      { x: bin.high, y: bin.weight / total },
    ]),
    ...(bins.length > 0 ? [{ x: bins.at(-1)!.high, y: 0 }] : []),
  ]
  const notes = narrow ? ess?.replace(' (', '\n(') : ess
  const markedLeft = Math.log(heaviest / low) / Math.log(high / low) > 0.5
  const weightPeak = bins.reduce((best, bin) => (bin.weight > best.weight ? bin : best), shown[0]!)
  const isPeakRight = Math.log(weightPeak.high / low) / Math.log(high / low) > 0.8

  return {
    marginLeft: 56,
    marginRight: narrow ? 16 : 24,
    marginTop: 36,
    marginBottom: 52,
    insetTop: narrow ? 68 : 48,
    x: { type: 'log', domain: [low, high] },
    y: { domain: [0, most] },
    marks: [
      Plot.gridY(ticks, { stroke: ink, strokeOpacity: hairline }),
      Plot.axisY(ticks, {
        label: 'Share of rows, and of weight',
        labelArrow: 'none',
        tickFormat: (tick: number) => `${(tick * 100).toFixed(decimals)} %`,
        tickSize: 0,
        tickPadding: 8,
      }),
      Plot.axisX(logTicks(lowEdge, high, narrow ? 8 : 9), {
        label: 'Importance weight of the row (log scale)',
        labelArrow: 'none',
        labelAnchor: 'center',
        labelOffset: 44,
        text: formatTick,
      }),
      Plot.rectY(bins, {
        x1: 'low',
        x2: 'high',
        y: (bin: WeightBin) => bin.rows / rows,
        fill: ink,
        fillOpacity: 0.35,
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      zeros === 0
        ? null
        : Plot.rectY([zeros / rows], {
            x1: zero.from,
            x2: zero.to,
            y: zeros / rows,
            fill: ink,
            fillOpacity: 0.35,
            title: () => `weight 0\n${counted(zeros, 'row')} (${formatShare(zeros / rows)})`,
          }),
      zeros === 0
        ? null
        : Plot.text(['0'], {
            x: Math.sqrt(zero.from * zero.to),
            frameAnchor: 'bottom',
            dy: 17,
            fill: ink,
          }),
      Plot.line(outline, { x: 'x', y: 'y', stroke: colour('ips'), strokeWidth: 2, strokeLinejoin: 'miter' }),
      bins.length < 2
        ? null
        : Plot.text(['share of weight'], {
            x: isPeakRight ? weightPeak.high : Math.sqrt(weightPeak.low * weightPeak.high),
            y: weightPeak.weight / total,
            textAnchor: isPeakRight ? 'end' : 'middle',
            dy: -9,
            fill: colour('ips'),
            stroke: colour('paper'),
            strokeWidth: 4,
          }),
      heaviest > 0 ? Plot.ruleX([heaviest], { stroke: ink, strokeWidth: 1.5, strokeDasharray: '2 3' }) : null,
      heaviest > 0
        ? Plot.text([`heaviest ${weightText(heaviest)}`], {
            x: heaviest,
            frameAnchor: 'top',
            dx: markedLeft ? -6 : 6,
            dy: 4,
            lineAnchor: 'top',
            textAnchor: markedLeft ? 'end' : 'start',
            fill: muted,
            stroke: colour('paper'),
            strokeWidth: 4,
          })
        : null,
      notes === undefined
        ? null
        : Plot.text([notes], {
            frameAnchor: 'top-left',
            dx: 8,
            dy: narrow ? 24 : 4,
            fontWeight: 600,
            fill: ink,
            lineAnchor: 'top',
            stroke: colour('paper'),
            strokeWidth: 4,
          }),
      Plot.ruleY([0], { stroke: ink, strokeOpacity: 0.4 }),
      // Something to point at over each bin, high or low.
      Plot.rect(bins, {
        x1: 'low',
        x2: 'high',
        y1: 0,
        y2: most,
        fill: colour('paper'),
        fillOpacity: 0,
        title: (bin: WeightBin) =>
          `weights ${weightText(bin.low)} to below ${weightText(bin.high)}\n` +
          `${counted(bin.rows, 'row')} (${formatShare(bin.rows / rows)})\n` +
          `${formatShare(bin.weight / total)} of the weight`,
      }),
    ],
  }
}
