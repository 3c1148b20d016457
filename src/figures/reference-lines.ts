import * as Plot from '@observablehq/plot'
import {
  type IntervalPicture,
  type IntervalRow,
  type Layout,
  LETTER,
  type ReferenceLine,
} from './interval-layout.js'
import { colour, halo } from './theme.js'

/** Pixels by which a name may reach beyond the plot. */
const EDGE = 24

/** A reference line with its name above the rows. */
export function referenceMarks(
  line: ReferenceLine,
  k: number,
  { lines, rows }: Pick<IntervalPicture, 'lines' | 'rows'>,
  layout: Layout,
): Plot.Markish[] {
  const above = -18 * (lines.length - k) - (layout.narrow ? 6 : 0)
  const onLeft = isLabelledLeft(line, lines, layout)
  const look = {
    stroke: colour(line.colour),
    strokeWidth: 2,
    ...(line.dashed && { strokeDasharray: '5 4' }),
  }
  const rules = layout.narrow
    ? narrowRules(line.at, rows, layout, above + 4, look)
    : [Plot.ruleX([line.at], { ...look, insetTop: above + 4 })]
  return [
    ...rules,
    Plot.text([line.label], {
      x: line.at,
      frameAnchor: 'top',
      dy: above + 10,
      dx: onLeft ? -6 : 6,
      textAnchor: onLeft ? 'end' : 'start',
      fill: colour(line.colour === 'truth' ? 'ink' : 'muted'),
      ...halo,
    }),
  ]
}

/** Pixels by which a line reaches above the interval that it crosses. */
const REACH = 9

/** On a phone, words and numbers stand above the intervals: a line crosses the intervals alone, and begins at its name. */
const narrowRules = (
  at: number,
  rows: readonly IntervalRow[],
  { rowHeight, lineShift }: Layout,
  insetTop: number,
  look: Plot.RuleXOptions,
): Plot.Markish[] => [
  Plot.ruleX([at], { ...look, y1: -0.5, y2: -0.5, insetTop }),
  Plot.ruleX(
    rows.flatMap(({ value }, k) => (value === null ? [] : [k])),
    { ...look, x: at, y1: (k: number) => k + (lineShift - REACH) / rowHeight, y2: (k: number) => k + 0.5 },
  ),
]

/** Lines from the top name to the lowest: one whose name reaches over another line is named above that line's beginning. */
export const named = (lines: readonly ReferenceLine[], layout: Layout): readonly ReferenceLine[] => {
  const reachesOver = (line: ReferenceLine, other: ReferenceLine): boolean => {
    const pixels = ((other.at - line.at) / (layout.high - layout.low)) * layout.plotWidth
    const beside = isLabelledLeft(line, lines, layout) ? -pixels : pixels
    return beside > 0 && beside < line.label.length * LETTER + 6
  }
  return lines.toSorted((a, b) => Number(reachesOver(b, a)) - Number(reachesOver(a, b)))
}

/** Names of lines stand on their outer side, unless there is no room, or it is that of the numbers. */
function isLabelledLeft(
  { at, label }: ReferenceLine,
  lines: readonly ReferenceLine[],
  { low, high, plotWidth, marginLeft, marginRight }: Layout,
): boolean {
  const placeOf = (value: number): number => ((value - low) / (high - low)) * plotWidth
  const place = placeOf(at)
  const [left, right] = [marginLeft + place, plotWidth - place + marginRight]
  const needed = label.length * LETTER + 6
  if (Math.max(left, right) < needed) return left > right
  if (left < needed) return false
  if (right < needed) return true
  const before = Math.max(0, ...lines.flatMap((line) => (line.at < at ? [placeOf(line.at)] : [])))
  if (plotWidth - place + EDGE < needed && place - before > needed) return true
  return lines.length > 1 ? lines.some((line) => line.at > at) : place > plotWidth / 2
}
