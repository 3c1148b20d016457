import type { Bounds } from '../estimate/intervals/interval.js'
import { normalQuantile } from '../normal.js'
import type { ColourName, Frame } from './theme.js'

/** What must be seen on a scale of intervals. */
interface ScaleContents {
  /** Estimates and reference lines: always within. */
  readonly points: readonly number[]
  /** Within too, unless a few would flatten all others. */
  readonly intervals: readonly (readonly [number, number])[]
}

/**
 * The shared scale of several intervals: all of them, or where that would be more than four times as wide
 * as the points with three usual half-widths on either side, only those; longer intervals are then cut.
 */
export function intervalScale({ points, intervals }: ScaleContents): [low: number, high: number] {
  const finite = points.filter(Number.isFinite)
  const ends = intervals.flat().filter(Number.isFinite)
  const [least, most] = [Math.min(...finite), Math.max(...finite)]
  const low = Math.min(least, ...ends)
  const high = Math.max(most, ...ends)
  const halves = intervals
    .map(([from, to]) => (to - from) / 2)
    .filter((half) => half > 0 && Number.isFinite(half))
    .sort((a, b) => a - b)
  const usual = halves[(halves.length - 1) >> 1] ?? 0
  const [inner, outer] = [least - 3 * usual, most + 3 * usual]
  const [from, to] =
    usual > 0 && high - low > 4 * (outer - inner)
      ? [Math.max(low, inner), Math.min(high, outer)]
      : [low, high]
  if (to > from) return [from, to]
  const around = Math.abs(from) / 10 || 1
  return [from - around, to + around]
}

/** An estimate with its interval in a row of its own. */
export interface IntervalRow {
  readonly label: string
  readonly colour: ColourName
  /** Null where there is none; `reason` is then written in its place. */
  readonly value: number | null
  /** Thin line: usually 95 %. */
  readonly interval: readonly [number, number] | null
  /** Thick line: 50 %. */
  readonly inner?: readonly [number, number]
  /** Drawn as a ring rather than a dot. */
  readonly hollow?: boolean
  readonly reason?: string
  /** Value and interval as written beside the row; `brief` is the value where there is no room for all that it says. */
  readonly written: { readonly value: string; readonly interval: string | null; readonly brief?: string }
  /** A word after the numbers, in its own colour. */
  readonly tag?: { readonly text: string; readonly colour: ColourName }
  /** Shown on hover. */
  readonly title: string
}

/** A vertical line through all rows, named above them. */
export interface ReferenceLine {
  readonly at: number
  readonly label: string
  readonly colour: ColourName
  readonly dashed?: boolean
}

/** Rows and lines on one scale, and what the scale measures. */
export interface IntervalPicture {
  readonly rows: readonly IntervalRow[]
  readonly lines: readonly ReferenceLine[]
  readonly axis: string
  /** Whether a dial lights up its rows. */
  readonly isDialled?: boolean
}

/** The least and the most that the picture shows. */
export const scaleOf = ({ rows, lines }: IntervalPicture): [number, number] =>
  intervalScale({
    points: [
      ...rows.flatMap(({ value }) => (value === null ? [] : [value])),
      ...lines.map((line) => line.at),
    ],
    intervals: rows.flatMap(({ interval }) => (interval ? [interval] : [])),
  })

/** Pixels of a letter, a digit and a bold digit of small type, in the widest of the usual fonts. */
export const LETTER = 7.4
export const DIGIT = 8.3
const BOLD_DIGIT = 9.1

/** The measures of a picture in a frame, in pixels and on its scale. */
export interface Layout {
  readonly narrow: boolean
  readonly hasTags: boolean
  /** The scale of the rows, and that of the axis, which has room at its ends. */
  readonly least: number
  readonly most: number
  readonly low: number
  readonly high: number
  readonly labels: readonly string[]
  readonly valueWidth: number
  readonly intervalWidth: number
  readonly tagWidth: number
  readonly marginLeft: number
  readonly marginRight: number
  readonly plotWidth: number
  readonly rowHeight: number
  /** Where the label line and the interval lie within a row. */
  readonly labelShift: number
  readonly lineShift: number
}

export function layoutOf({ narrow, width }: Frame, picture: IntervalPicture): Layout {
  const { rows } = picture
  const [least, most] = scaleOf(picture)
  const room = (most - least) * 0.04
  const hasTags = rows.some(({ tag }) => tag)
  const labels = rows.map(({ label }) => shorten(label, 28))
  const widest = (texts: readonly string[], letter = LETTER): number =>
    Math.max(0, ...texts.map((text) => text.length)) * letter
  const valueWidth = widest(
    rows.map(({ written }) => written.value),
    BOLD_DIGIT,
  )
  const intervalWidth = widest(
    rows.map(({ written }) => written.interval ?? ''),
    DIGIT,
  )
  const tagWidth = widest(rows.map(({ tag }) => tag?.text ?? ''))
  const marginLeft = narrow ? 18 : Math.max(56, widest(labels) + 24)
  const marginRight = narrow
    ? 18
    : 24 + valueWidth + (intervalWidth && 12 + intervalWidth) + (hasTags ? 16 + tagWidth : 0)
  return {
    narrow,
    hasTags,
    least,
    most,
    low: least - room,
    high: most + room,
    labels,
    valueWidth,
    intervalWidth,
    tagWidth,
    marginLeft,
    marginRight,
    plotWidth: width - marginLeft - marginRight,
    rowHeight: narrow ? (hasTags ? 60 : 44) : rows.length > 9 ? 30 : 36,
    labelShift: narrow ? (hasTags ? -20 : -11) : 0,
    lineShift: narrow ? (hasTags ? 16 : 8) : 0,
  }
}

/** Text of at most so many letters, its end cut where it is longer. */
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`

/**
 * The 50 % interval for the thick line inside a thin one: each side of the interval shrunk by z(0.75)/z((1 + confidence)/2), so
 * that a lopsided interval stays lopsided. Exact where errors are normal. Student's tails are longer, so where the thin line is
 * Student's the thick one is somewhat wide, never too narrow. Undefined where there is nothing to shrink.
 */
export function middleHalf(
  value: number | null,
  interval: Bounds | null,
  confidence: number,
): Bounds | undefined {
  if (value === null || interval === null || !(confidence > 0.5 && confidence < 1)) return undefined
  const [low, high] = interval
  if (!(low <= value && value <= high && Number.isFinite(high - low))) return undefined
  const share = normalQuantile(0.75) / normalQuantile((1 + confidence) / 2)
  return [value - share * (value - low), value + share * (high - value)]
}
