import * as Plot from '@observablehq/plot'
import { colour } from './theme.js'

/** Something to point at over each datum, as large as its strip: an invisible mark with a title, of a class where a dial lights it up. */
export const hoverStrip = <Datum>(
  data: readonly Datum[],
  edges: Pick<Plot.RectOptions, 'x1' | 'x2' | 'y1' | 'y2'>,
  title: (datum: Datum, place: number) => string,
  className?: string,
): Plot.Markish =>
  Plot.rect(data, {
    ...edges,
    fill: colour('paper'),
    fillOpacity: 0,
    title,
    ...(className !== undefined && { className }),
  })

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
