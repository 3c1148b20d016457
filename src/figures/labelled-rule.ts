import * as Plot from '@observablehq/plot'
import { colour, halo } from './theme.js'

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
