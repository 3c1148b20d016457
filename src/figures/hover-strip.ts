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
