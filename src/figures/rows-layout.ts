import type * as Plot from '@observablehq/plot'
import { hoverStrip } from './hover-strip.js'

interface Margins {
  readonly marginLeft: number
  readonly marginRight: number
  readonly marginTop: number
  readonly marginBottom: number
}

/** The options of a plot of rows below one another: row k lies at y = k. */
export const rowsLayout = (rows: number, rowHeight: number, margins: Margins): Plot.PlotOptions => ({
  height: margins.marginTop + rows * rowHeight + margins.marginBottom,
  ...margins,
  y: { domain: [rows - 0.5, -0.5], axis: null },
})

/** Something to point at, as high as the row; `title` is shown. */
export const hoverRows = <Row>(
  rows: readonly Row[],
  [low, high]: readonly [low: number, high: number],
  title: (row: Row) => string,
  className?: string,
): Plot.Markish =>
  hoverStrip(
    rows,
    { x1: low, x2: high, y1: (_: Row, k: number) => k - 0.5, y2: (_: Row, k: number) => k + 0.5 },
    title,
    className,
  )
