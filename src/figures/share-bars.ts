import * as Plot from '@observablehq/plot'
import { colour, halo } from './theme.js'

/** A bar of a histogram on a log scale. */
export interface ShareBar {
  readonly left: number
  readonly right: number
  /** Of the rows. */
  readonly share: number
  /** Of the weight that those rows carry. */
  readonly weightShare: number
  /** Shown on hover. */
  readonly title: string
}

/** Bars for the share of rows. */
export const shareBars = (bars: readonly ShareBar[]): Plot.Markish =>
  Plot.rectY(bars, {
    x1: 'left',
    x2: 'right',
    y: 'share',
    fill: colour('ink'),
    fillOpacity: 0.35,
    insetLeft: 0.5,
    insetRight: 0.5,
  })

/** The share of weight as one line over the bars. */
export function weightOutline(bars: readonly ShareBar[]): Plot.Markish {
  const outline = [
    ...bars.slice(0, 1).map(({ left }) => ({ x: left, y: 0 })),
    ...bars.flatMap(({ left, right, weightShare: y }) => [
      { x: left, y },
      { x: right, y },
    ]),
    ...bars.slice(-1).map(({ right }) => ({ x: right, y: 0 })),
  ]
  return Plot.line(outline, {
    x: 'x',
    y: 'y',
    stroke: colour('ips'),
    strokeWidth: 2,
    strokeLinejoin: 'miter',
  })
}

/** How far the name of the line reaches to either side of its middle, along the axis. */
const NAME_REACH = 0.07

/** The name of that line above its peak, and above the bars beneath it; `across` is how far a value lies along the axis, from 0 to 1. */
export function weightName(bars: readonly ShareBar[], across: (value: number) => number): Plot.Markish {
  const peak = bars.reduce((best, bar) => (bar.weightShare > best.weightShare ? bar : best))
  const [isLeft, isRight] = [across(peak.left) < 0.15, across(peak.right) > 0.8]
  return Plot.text(['share of weight'], {
    // The rule of the heaviest weight stands over a peak at the right.
    x: isRight || isLeft ? peak.left : Math.sqrt(peak.left * peak.right),
    y: Math.max(
      peak.weightShare,
      ...bars
        .filter(({ left }) => Math.abs(across(left) - across(peak.left)) < NAME_REACH)
        .map(({ share }) => share),
    ),
    textAnchor: isRight ? 'end' : isLeft ? 'start' : 'middle',
    dy: -9,
    fill: colour('ips'),
    ...halo,
  })
}
