import * as Plot from '@observablehq/plot'
import type { WeightBin } from '../estimate/weight-summary.js'
import { counted, formatShare, formatTick } from '../number-text.js'
import { type CountedWeights, weightText } from '../words/weight-text.js'
import type { Table } from './chart.js'
import { tableNumber } from './table-cells.js'
import type { Frame } from './theme.js'
import { colour, hairline } from './theme.js'
import { linearTicks, logTicks } from './ticks.js'

/** How weights are spread over rows or events. */
export interface WeightSpread extends CountedWeights {
  /** Name of the horizontal axis. */
  readonly axis: string
  readonly heaviest: { readonly at: number; readonly text: string }
  /** What the weights leave of the sample, written into the plot. */
  readonly note: string | undefined
}

/** The numbers of the bars and the line. */
export const weightTable = ({ noun, bins, zeros, count }: WeightSpread): Table => ({
  columns: [
    { name: 'weight_from', label: 'Weight from', kind: 'number' },
    { name: 'weight_below', label: 'to below', kind: 'number' },
    { name: `${noun}s`, label: `${noun[0]!.toUpperCase()}${noun.slice(1)}s`, kind: 'count' },
    { name: `share_of_${noun}s`, label: `Share of ${noun}s`, kind: 'share' },
    { name: 'share_of_weight', label: 'Share of weight', kind: 'share' },
  ],
  rows: [
    ...(zeros === 0 ? [] : [[0, 0, zeros, tableNumber(zeros / count), 0]]),
    ...bins.map((bin) => [
      tableNumber(bin.low),
      tableNumber(bin.high),
      bin.count,
      tableNumber(bin.count / count),
      tableNumber(bin.share),
    ]),
  ],
})

/** Bars for the share of rows and a line for the share of weight, over weights on a log scale. */
export function drawWeightSpread({ narrow }: Frame, spread: WeightSpread): Plot.PlotOptions {
  const { noun, zeros, count, heaviest, note } = spread
  // A bar that begins at zero has no place on a log scale; it is drawn over one decade.
  const bins = spread.bins.map((bin) => ({ ...bin, left: bin.low > 0 ? bin.low : bin.high / 10 }))
  const ink = colour('ink')
  const muted = colour('muted')
  // Without weights above zero there is still an axis to put the bar of zeros on.
  const shown = bins.length > 0 ? bins : [{ left: 1, high: 1.25, count: 0, share: 0 }]
  const step = shown[0]!.high / shown[0]!.left
  const room = Math.max(1, Math.ceil((9 - shown.length) / 2))
  const lowEdge = shown[0]!.left / step ** (shown.length < 9 ? room : 0)
  const high = Math.max(shown.at(-1)!.high, heaviest.at) * step ** room
  // The bar of zeros: as wide as the others or wider where they are thin, after a gap.
  const span = Math.max(1, Math.round(Math.log(high / lowEdge) / Math.log(step) / 24))
  const zero = { from: lowEdge / step ** (3 * span), to: lowEdge / step ** (2 * span) }
  const low = zeros > 0 ? zero.from / step ** 0.5 : lowEdge / step ** 0.5
  const most = Math.max(zeros / count, ...bins.flatMap((bin) => [bin.count / count, bin.share]))
  const ticks = linearTicks(0, most, 5)
  const decimals = Math.max(
    ...ticks.map((tick) => (String(Number((tick * 100).toPrecision(6))).split('.')[1] ?? '').length),
  )
  const outline = [
    ...(bins.length > 0 ? [{ x: bins[0]!.left, y: 0 }] : []),
    ...bins.flatMap((bin) => [
      { x: bin.left, y: bin.share },
      { x: bin.high, y: bin.share },
    ]),
    ...(bins.length > 0 ? [{ x: bins.at(-1)!.high, y: 0 }] : []),
  ]
  const written = narrow ? note?.replace(' (', '\n(').replace('; ', ';\n') : note
  const markedLeft = Math.log(heaviest.at / low) / Math.log(high / low) > 0.5
  const weightPeak = bins.reduce((best, bin) => (bin.share > best.share ? bin : best), shown[0]!)
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
        label: `Share of ${noun}s, and of weight`,
        labelArrow: 'none',
        tickFormat: (tick: number) => `${(tick * 100).toFixed(decimals)} %`,
        tickSize: 0,
        tickPadding: 8,
      }),
      Plot.axisX(logTicks(lowEdge, high, narrow ? 8 : 9), {
        label: spread.axis,
        labelArrow: 'none',
        labelAnchor: 'center',
        labelOffset: 44,
        text: formatTick,
      }),
      Plot.rectY(bins, {
        x1: 'left',
        x2: 'high',
        y: (bin: WeightBin) => bin.count / count,
        fill: ink,
        fillOpacity: 0.35,
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      zeros === 0
        ? null
        : Plot.rectY([zeros / count], {
            x1: zero.from,
            x2: zero.to,
            y: zeros / count,
            fill: ink,
            fillOpacity: 0.35,
            title: () => `weight 0\n${counted(zeros, noun)} (${formatShare(zeros / count)})`,
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
            x: isPeakRight ? weightPeak.high : Math.sqrt(weightPeak.left * weightPeak.high),
            y: weightPeak.share,
            textAnchor: isPeakRight ? 'end' : 'middle',
            dy: -9,
            fill: colour('ips'),
            stroke: colour('paper'),
            strokeWidth: 4,
          }),
      heaviest.at > 0
        ? Plot.ruleX([heaviest.at], { stroke: ink, strokeWidth: 1.5, strokeDasharray: '2 3' })
        : null,
      heaviest.at > 0
        ? Plot.text([heaviest.text], {
            x: heaviest.at,
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
      written === undefined
        ? null
        : Plot.text([written], {
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
        x1: 'left',
        x2: 'high',
        y1: 0,
        y2: most,
        fill: colour('paper'),
        fillOpacity: 0,
        title: (bin: WeightBin) =>
          `weights ${weightText(bin.low)} to below ${weightText(bin.high)}\n` +
          `${counted(bin.count, noun)} (${formatShare(bin.count / count)})\n` +
          `${formatShare(bin.share)} of the weight`,
      }),
    ],
  }
}
