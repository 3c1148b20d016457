import * as Plot from '@observablehq/plot'
import { colour } from './theme.js'

/** A point of a figure that somebody asked for. */
export interface Highlight {
  readonly x: number
  readonly y: number
  readonly label: string
  /** Whether it stands so far to the right that its label must go to the left of it. */
  readonly isRight: boolean
  /** The ends of its 95 % interval, where it has one. */
  readonly interval?: readonly [number, number]
}

/** A label may be so long, in letters; ids of some logs are longer than the plot is wide. */
const LONGEST = 24

/** A ring around a point with its name beside it, and its interval as a line. */
export const highlightMarks = ({ x, y, label, isRight, interval }: Highlight): Plot.Markish[] => [
  ...(interval
    ? [Plot.ruleX([x], { y1: interval[0], y2: interval[1], stroke: colour('ink'), strokeWidth: 1.5 })]
    : []),
  ...(
    [
      ['paper', 5],
      ['ink', 2],
    ] as const
  ).map(([stroke, strokeWidth]) =>
    Plot.dot([y], { x, y, r: 7, fill: 'none', stroke: colour(stroke), strokeWidth }),
  ),
  Plot.text([label.length > LONGEST ? `${label.slice(0, LONGEST)}…` : label], {
    x,
    y,
    // Above to the right or below to the left: there a falling curve leaves room.
    dx: isRight ? -10 : 10,
    dy: isRight ? 14 : -14,
    textAnchor: isRight ? 'end' : 'start',
    fontWeight: 600,
    fill: colour('ink'),
    stroke: colour('paper'),
    strokeWidth: 4,
  }),
]
