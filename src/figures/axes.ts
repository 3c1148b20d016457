import * as Plot from '@observablehq/plot'
import { colour, hairline } from './theme.js'

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
