import * as Plot from '@observablehq/plot'
import { colour, hairline, halo } from './theme.js'

/** How the ticks of an axis are written: `text` where Plot would leave out labels of a logarithmic axis. */
interface TickText {
  readonly text?: (tick: number) => string
  readonly tickFormat?: (tick: number, place: number) => string
}

/** Grid lines and the vertical axis, its name above it. */
export const leftAxis = (ticks: readonly number[], label: string, written: TickText): Plot.Markish[] => [
  Plot.gridY(ticks, { stroke: colour('ink'), strokeOpacity: hairline }),
  Plot.axisY(ticks, { label, labelArrow: 'none', ...written, tickSize: 0, tickPadding: 8 }),
]

/** The horizontal axis, its name centred so many pixels below the plot. */
export const bottomAxis = (
  ticks: readonly number[],
  label: string,
  { labelOffset = 42, ...written }: TickText & { readonly labelOffset?: number },
): Plot.Markish =>
  Plot.axisX(ticks, { label, labelArrow: 'none', labelAnchor: 'center', labelOffset, ...written })

/** Vertical grid lines, for plots whose scale is the horizontal one. */
export const verticalGrid = (ticks: readonly number[]): Plot.Markish =>
  Plot.gridX(ticks, { stroke: colour('ink'), strokeOpacity: hairline })

/** The line that bars or curves stand on. */
export const groundLine = (at = 0): Plot.Markish =>
  Plot.ruleY([at], { stroke: colour('ink'), strokeOpacity: 0.4 })

/**
 * Ticks of a logarithmic axis from `low` to `high`, at most about `most`: powers of ten where there are
 * enough of them, else 1, 2, 5 of each decade, else round steps.
 */
export function logTicks(low: number, high: number, most = 8): number[] {
  const within = (values: number[]) => values.filter((value) => value >= low && value <= high)
  const first = Math.floor(Math.log10(low))
  const decades = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, k) => 10 ** (first + k))
  const powers = within(decades)
  if (powers.length >= 4) {
    const every = Math.ceil(powers.length / most)
    return powers.filter((_, k) => k % every === 0)
  }
  const halves = within(decades.flatMap((decade) => [1, 2, 5].map((digit) => digit * decade)))
  if (halves.length >= 3) return halves.length <= most ? halves : powers
  return linearTicks(low, high, Math.min(most, 5))
}

/** Round ticks at equal steps from `low` to `high`, at most about `most`. */
export function linearTicks(low: number, high: number, most = 6): number[] {
  const step = roundStep((high - low) / Math.max(1, most))
  const count = Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1
  const start = Math.ceil(low / step - 1e-9)
  return Array.from({ length: Math.max(0, count) }, (_, k) => Number(((start + k) * step).toPrecision(12)))
}

/** The smallest of 1, 2, 5 times a power of ten that is at least `step`. */
export function roundStep(step: number): number {
  const decade = 10 ** Math.floor(Math.log10(step))
  const digit = [1, 2, 5, 10].find((candidate) => candidate * decade >= step * (1 - 1e-9))!
  return digit * decade
}

/** The digits after the point that tell all ticks apart: 0, 0.25, 0.5 need two. */
export const tickDecimals = (ticks: readonly number[]): number =>
  Math.max(
    0,
    ...ticks.map((tick) => {
      const [digits, power] = Number(tick.toPrecision(6)).toExponential().split('e') as [string, string]
      return (digits.split('.')[1] ?? '').length - Number(power)
    }),
  )

/** What is written at a vertical line. */
interface RuleLabel {
  readonly at: number
  readonly text: string
  /** Written to the left of the line; default to its right. */
  readonly onLeft: boolean
  /** Pixels below the top of the frame, or of `y`; default 4. */
  readonly dy?: number
  /** Where on the vertical scale; default the top of the frame. */
  readonly y?: number
  /** In bold ink; default muted. */
  readonly isStrong?: boolean
  /** Without the paper around its letters that keeps it legible upon other marks. */
  readonly isBare?: boolean
}

/** The words at a vertical line. */
export const ruleLabel = ({ at, text, onLeft, dy = 4, y, isStrong, isBare }: RuleLabel): Plot.Markish =>
  Plot.text([text], {
    x: [at],
    ...(y === undefined ? { frameAnchor: 'top' as const } : { y: [y] }),
    dx: onLeft ? -6 : 6,
    dy,
    lineAnchor: 'top',
    textAnchor: onLeft ? 'end' : 'start',
    fill: colour(isStrong ? 'ink' : 'muted'),
    ...(isStrong && { fontWeight: 600 }),
    ...(!isBare && halo),
  })

/** A vertical line with its words at the top; dotted unless it is solid. */
export const labelledRule = ({
  isSolid,
  ends,
  ...label
}: RuleLabel & {
  readonly isSolid?: boolean
  /** Where it ends on the vertical scale; default at the edges of the frame. */
  readonly ends?: readonly [number, number]
}): Plot.Markish[] => [
  Plot.ruleX([label.at], {
    ...(ends && { y1: ends[0], y2: ends[1] }),
    stroke: colour('ink'),
    strokeWidth: 1.5,
    ...(!isSolid && { strokeDasharray: '2 3' }),
  }),
  ruleLabel(label),
]
