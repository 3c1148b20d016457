import * as Plot from '@observablehq/plot'
import { formatFixed } from '../words/estimate-text.js'
import { bottomAxis, linearTicks, tickDecimals, verticalGrid } from './axes.js'
import { STRIPS } from './chart.js'
import {
  DIGIT,
  type IntervalPicture,
  type IntervalRow,
  type Layout,
  layoutOf,
  LETTER,
  type ReferenceLine,
  scaleOf,
  shorten,
} from './interval-layout.js'
import { hoverRows, rowsLayout } from './rows-layout.js'
import { colour, type Frame, halo } from './theme.js'

/** Where the tag of a row stands on a phone, from its middle. */
const TAG_SHIFT = -3

/** Names the rows whose interval does not fit on the scale and is cut with an arrow; empty when all fit. */
export function arrowSentence(picture: IntervalPicture): string {
  const [low, high] = scaleOf(picture)
  const cut = picture.rows.filter(({ interval }) => interval && (interval[0] < low || interval[1] > high))
  return cut.length === 0
    ? ''
    : `Arrows: the interval of ${cut.map(({ label }) => label).join(', ')} extends beyond the plot.`
}

/** One row per estimate on a shared scale: dot, thin line and thick line, numbers beside. */
export function drawIntervalRows(frame: Frame, picture: IntervalPicture): Plot.PlotOptions {
  const { axis } = picture
  const rows = frame.narrow ? picture.rows : alignedAtPoint(picture.rows)
  const layout = layoutOf(frame, { ...picture, rows })
  const lines = named(picture.lines, layout)
  const { narrow, rowHeight, low, high, marginLeft, marginRight, valueWidth, intervalWidth } = layout
  const marginTop = (narrow ? 24 : 16) + 18 * lines.length
  const ticks = linearTicks(low, high, narrow ? 5 : 7)
  const decimals = tickDecimals(ticks)
  return {
    ...rowsLayout(rows.length, rowHeight, { marginLeft, marginRight, marginTop, marginBottom: 52 }),
    x: { domain: [low, high] },
    marks: [
      verticalGrid(ticks),
      bottomAxis(ticks, axis, { labelOffset: 44, tickFormat: (tick) => formatFixed(tick, decimals) }),
      ...lines.flatMap((line, k) => referenceMarks(line, k, { rows, lines }, layout)),
      ...intervalMarks(rows, layout),
      ...rowTexts(rows, layout),
      ...tags(rows, narrow, narrow ? 0 : 44 + valueWidth + intervalWidth),
      unknownTexts(rows, layout),
      hoverRows(rows, [low, high], ({ title }) => title, picture.isDialled ? STRIPS : undefined),
    ],
  }
}

/** A value that is one number, with or without a unit, and the digits after its point. */
const NUMBER = /^[+−]?[\d,]+(\.\d+)?( %)?$/

/** Spaces as wide as a digit and as a point, which are kept at the end of a text. */
const [FIGURE_SPACE, POINT_SPACE] = ['\u2007', '\u2008']

/** The rows with their values padded, so that those written to the right have their points below one another. */
function alignedAtPoint(rows: readonly IntervalRow[]): IntervalRow[] {
  const fraction = ({ written }: IntervalRow): number => NUMBER.exec(written.value)?.[1]?.length ?? 0
  const longest = Math.max(0, ...rows.map(fraction))
  return rows.map((row) => {
    const [own, { written }] = [fraction(row), row]
    if (own === longest || !NUMBER.test(written.value)) return row
    const padding = (own === 0 ? POINT_SPACE : '') + FIGURE_SPACE.repeat(longest - Math.max(1, own))
    return { ...row, written: { ...written, value: written.value + padding } }
  })
}

/** Rows with their place, those that have a value. */
const knownOf = (rows: readonly IntervalRow[]) =>
  rows.flatMap((row, k) => (row.value === null ? [] : [{ ...row, value: row.value, k }]))

const strokeOf = (row: IntervalRow): string => colour(row.colour)

/** Thin line, arrows where it is cut, thick line and dot of each row. */
function intervalMarks(rows: readonly IntervalRow[], { least, most, lineShift: dy }: Layout): Plot.Markish[] {
  const known = knownOf(rows)
  const ranged = known.flatMap((row) => (row.interval ? [{ ...row, interval: row.interval }] : []))
  const within = (value: number): number => Math.min(most, Math.max(least, value))
  const line = (end: 'interval' | 'inner', strokeWidth: number) => ({
    x1: (row: IntervalRow) => within(row[end]![0]),
    x2: (row: IntervalRow) => within(row[end]![1]),
    y: 'k',
    dy,
    stroke: strokeOf,
    strokeWidth,
  })
  return [
    Plot.ruleY(ranged, line('interval', 1.5)),
    ...([0, 1] as const).map((end) =>
      Plot.dot(
        ranged.filter(({ interval }) => (end === 0 ? interval[0] < least : interval[1] > most)),
        {
          x: end === 0 ? least : most,
          y: 'k',
          dy,
          symbol: 'triangle',
          rotate: end === 0 ? -90 : 90,
          r: 4,
          fill: strokeOf,
        },
      ),
    ),
    Plot.ruleY(
      known.filter(({ inner }) => inner),
      line('inner', 5),
    ),
    Plot.dot(known, {
      x: 'value',
      y: 'k',
      dy,
      r: 5,
      fill: (row: IntervalRow) => colour(row.hollow ? 'paper' : row.colour),
      stroke: (row: IntervalRow) => colour(row.hollow ? row.colour : 'paper'),
      strokeWidth: 1.5,
    }),
  ]
}

/** The label of each row, and its numbers beside. */
function rowTexts(rows: readonly IntervalRow[], layout: Layout): Plot.Markish[] {
  const { narrow, hasTags, labels, labelShift, valueWidth, plotWidth } = layout
  const known = knownOf(rows)
  // On a phone the interval stands beside the value where it does not run into the label, and comes before what else is
  // said; else below it, beside the tag.
  const numbersOf = ({ value, interval, brief = value }: IntervalRow['written'], k: number): string => {
    if (!narrow || !interval) return value
    const fits = (text: string): boolean => labels[k]!.length * LETTER + text.length * DIGIT < plotWidth
    return [`${value} (${interval})`, `${brief} (${interval})`].find(fits) ?? value
  }
  const isBelow = ({ written, k }: IntervalRow & { k: number }): boolean =>
    narrow && hasTags && written.interval !== null && numbersOf(written, k) === written.value
  return [
    Plot.text(labels, {
      y: (_: string, k: number) => k,
      frameAnchor: 'left',
      dx: narrow ? 0 : -16,
      dy: labelShift,
      textAnchor: narrow ? 'start' : 'end',
      fill: colour('ink'),
      ...halo,
    }),
    Plot.text(known, {
      y: 'k',
      frameAnchor: 'right',
      dx: narrow ? 0 : 16 + valueWidth,
      dy: labelShift,
      textAnchor: 'end',
      text: ({ written, k }: IntervalRow & { k: number }) => numbersOf(written, k),
      fill: colour('ink'),
      fontWeight: narrow ? 400 : 600,
      ...halo,
    }),
    narrow
      ? Plot.text(known.filter(isBelow), {
          y: 'k',
          frameAnchor: 'right',
          dy: TAG_SHIFT,
          textAnchor: 'end',
          text: ({ written }: IntervalRow) => `(${written.interval})`,
          fill: colour('ink'),
          ...halo,
        })
      : Plot.text(
          known.filter(({ interval }) => interval),
          {
            y: 'k',
            frameAnchor: 'right',
            dx: 28 + valueWidth,
            textAnchor: 'start',
            text: ({ written }: IntervalRow) => written.interval,
            fill: colour('muted'),
          },
        ),
  ]
}

/** Why a row has no value, in its place. */
function unknownTexts(rows: readonly IntervalRow[], layout: Layout): Plot.Markish {
  const { narrow, hasTags, labelShift, lineShift, plotWidth, marginRight, tagWidth } = layout
  const beside = marginRight - 16 - (tagWidth && tagWidth + 8)
  const room = Math.floor((plotWidth + (narrow ? 0 : beside)) / (LETTER - 0.6))
  return Plot.text(
    rows.flatMap((row, k) => (row.value === null ? [{ ...row, k }] : [])),
    {
      y: 'k',
      frameAnchor: 'left',
      dx: narrow ? 0 : 4,
      dy: narrow ? (hasTags ? lineShift : labelShift + 18) : 0,
      textAnchor: 'start',
      text: ({ reason }: IntervalRow) => shorten(`no value${reason ? `: ${reason}` : ''}`, room),
      fill: colour('muted'),
      ...halo,
    },
  )
}

/** A mark for each colour of tag: Plot would read a list of colours as a scale. */
function tags(rows: readonly IntervalRow[], narrow: boolean, dx: number): Plot.Markish[] {
  return rows.flatMap(({ tag }, k) =>
    tag
      ? [
          Plot.text([tag.text], {
            y: [k],
            frameAnchor: narrow ? 'left' : 'right',
            dx,
            dy: narrow ? TAG_SHIFT : 0,
            textAnchor: 'start',
            fill: colour(tag.colour),
            ...halo,
          }),
        ]
      : [],
  )
}

/** Pixels by which a name may reach beyond the plot. */
const EDGE = 24

/** A reference line with its name above the rows. */
function referenceMarks(
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
const named = (lines: readonly ReferenceLine[], layout: Layout): readonly ReferenceLine[] => {
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
