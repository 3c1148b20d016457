import * as Plot from '@observablehq/plot'
import { formatFixed } from '../words/estimate-text.js'
import { intervalScale } from './interval-scale.js'
import { hoverRows, rowsLayout } from './rows-layout.js'
import type { ColourName, Frame } from './theme.js'
import { colour, hairline } from './theme.js'
import { linearTicks } from './ticks.js'

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
  /** Value and interval as written beside the row. */
  readonly written: { readonly value: string; readonly interval: string | null }
  /** A word after the numbers, in its own colour. */
  readonly tag?: { readonly text: string; readonly colour: ColourName }
  /** Shown on hover. */
  readonly title: string
}

/** A vertical line through all rows, named above them. */
interface ReferenceLine {
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
}

/** Names the rows whose interval does not fit on the scale and is cut with an arrow; empty when all fit. */
export function arrowSentence(picture: IntervalPicture): string {
  const [low, high] = scaleOf(picture)
  const cut = picture.rows.filter(({ interval }) => interval && (interval[0] < low || interval[1] > high))
  return cut.length === 0
    ? ''
    : `Arrows: the interval of ${cut.map(({ label }) => label).join(', ')} goes on.`
}

const scaleOf = ({ rows, lines }: IntervalPicture): [number, number] =>
  intervalScale({
    points: [
      ...rows.flatMap(({ value }) => (value === null ? [] : [value])),
      ...lines.map((line) => line.at),
    ],
    intervals: rows.flatMap(({ interval }) => (interval ? [interval] : [])),
  })

/** Pixels of a letter, a digit and a bold digit of small type, in the widest of the usual fonts. */
const LETTER = 7.4
const DIGIT = 8.3
const BOLD_DIGIT = 9.1

/** One row per estimate on a shared scale: dot, thin line and thick line, numbers beside. */
export function drawIntervalRows({ narrow, width }: Frame, picture: IntervalPicture): Plot.PlotOptions {
  const { rows, lines, axis } = picture
  const [least, most] = scaleOf(picture)
  const room = (most - least) * 0.04
  const [low, high] = [least - room, most + room]
  const ink = colour('ink')
  const muted = colour('muted')
  const hasTags = rows.some(({ tag }) => tag)
  const rowHeight = narrow ? (hasTags ? 60 : 44) : rows.length > 9 ? 30 : 36
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
  const marginTop = (narrow ? 24 : 16) + 18 * lines.length
  const known = rows.flatMap((row, k) => (row.value === null ? [] : [{ ...row, value: row.value, k }]))
  const ranged = known.flatMap((row) => (row.interval ? [{ ...row, interval: row.interval }] : []))
  const unknown = rows.flatMap((row, k) => (row.value === null ? [{ ...row, k }] : []))
  const within = (value: number): number => Math.min(most, Math.max(least, value))
  const plotWidth = width - marginLeft - marginRight
  const ticks = linearTicks(low, high, narrow ? 5 : 7)
  const decimals = Math.max(...ticks.map(decimalsOf))
  const lift = narrow ? 6 : 0
  // Names of lines stand on their outer side, unless there is no room.
  const isLabelledLeft = ({ at, label }: ReferenceLine): boolean => {
    const left = ((at - low) / (high - low)) * plotWidth
    const needed = label.length * LETTER + 6
    if (left + marginLeft < needed) return false
    if (plotWidth - left + marginRight < needed) return true
    return lines.length > 1 ? lines.some((line) => line.at > at) : left > plotWidth / 2
  }
  // On a phone the interval is written only where it does not run into the label.
  const numbersOf = ({ value, interval }: IntervalRow['written'], k: number): string => {
    const both = `${value} (${interval})`
    const fits = labels[k]!.length * LETTER + both.length * DIGIT < plotWidth
    return narrow && interval && fits ? both : value
  }
  // Where the label line and the interval lie within a row.
  const labelShift = narrow ? (hasTags ? -20 : -11) : 0
  const lineShift = narrow ? (hasTags ? 16 : 8) : 0

  return {
    ...rowsLayout(rows.length, rowHeight, { marginLeft, marginRight, marginTop, marginBottom: 52 }),
    x: { domain: [low, high] },
    marks: [
      Plot.gridX(ticks, { stroke: ink, strokeOpacity: hairline }),
      Plot.axisX(ticks, {
        label: axis,
        labelArrow: 'none',
        labelAnchor: 'center',
        labelOffset: 44,
        tickFormat: (tick: number) => formatFixed(tick, decimals),
      }),
      ...lines.flatMap((line, k) => {
        const onLeft = isLabelledLeft(line)
        return [
          Plot.ruleX([line.at], {
            stroke: colour(line.colour),
            strokeWidth: 2,
            insetTop: -18 * (lines.length - k) + 4 - lift,
            ...(line.dashed && { strokeDasharray: '5 4' }),
          }),
          Plot.text([line.label], {
            x: line.at,
            frameAnchor: 'top',
            dy: -18 * (lines.length - k) + 10 - lift,
            dx: onLeft ? -6 : 6,
            textAnchor: onLeft ? 'end' : 'start',
            fill: line.colour === 'truth' ? ink : muted,
            stroke: colour('paper'),
            strokeWidth: 4,
          }),
        ]
      }),
      Plot.ruleY(ranged, {
        x1: ({ interval }: { interval: readonly [number, number] }) => within(interval[0]),
        x2: ({ interval }: { interval: readonly [number, number] }) => within(interval[1]),
        y: 'k',
        dy: lineShift,
        stroke: (row: IntervalRow) => colour(row.colour),
        strokeWidth: 1.5,
      }),
      ...([0, 1] as const).map((end) =>
        Plot.dot(
          ranged.filter(({ interval }) => (end === 0 ? interval[0] < least : interval[1] > most)),
          {
            x: end === 0 ? least : most,
            y: 'k',
            dy: lineShift,
            symbol: 'triangle',
            rotate: end === 0 ? -90 : 90,
            r: 4,
            fill: (row: IntervalRow) => colour(row.colour),
          },
        ),
      ),
      Plot.ruleY(
        known.filter(({ inner }) => inner),
        {
          x1: ({ inner }: IntervalRow) => within(inner![0]),
          x2: ({ inner }: IntervalRow) => within(inner![1]),
          y: 'k',
          dy: lineShift,
          stroke: (row: IntervalRow) => colour(row.colour),
          strokeWidth: 5,
        },
      ),
      Plot.dot(known, {
        x: 'value',
        y: 'k',
        dy: lineShift,
        r: 5,
        fill: (row: IntervalRow) => colour(row.hollow ? 'paper' : row.colour),
        stroke: (row: IntervalRow) => colour(row.hollow ? row.colour : 'paper'),
        strokeWidth: 1.5,
      }),
      Plot.text(labels, {
        y: (_: string, k: number) => k,
        frameAnchor: 'left',
        dx: narrow ? 0 : -16,
        dy: labelShift,
        textAnchor: narrow ? 'start' : 'end',
        fill: ink,
        stroke: colour('paper'),
        strokeWidth: 4,
      }),
      Plot.text(known, {
        y: 'k',
        frameAnchor: 'right',
        dx: narrow ? 0 : 16 + valueWidth,
        dy: labelShift,
        textAnchor: 'end',
        text: ({ written, k }: IntervalRow & { k: number }) => numbersOf(written, k),
        fill: ink,
        fontWeight: narrow ? 400 : 600,
        stroke: colour('paper'),
        strokeWidth: 4,
      }),
      narrow
        ? null
        : Plot.text(ranged, {
            y: 'k',
            frameAnchor: 'right',
            dx: 28 + valueWidth,
            textAnchor: 'start',
            text: ({ written }: IntervalRow) => written.interval,
            fill: muted,
          }),
      ...tags(rows, narrow, narrow ? 0 : 44 + valueWidth + intervalWidth),
      Plot.text(unknown, {
        y: 'k',
        frameAnchor: 'left',
        dx: narrow ? 0 : 4,
        dy: narrow ? (hasTags ? lineShift : labelShift + 18) : 0,
        textAnchor: 'start',
        text: ({ reason }: IntervalRow) =>
          shorten(
            `no value${reason ? `: ${reason}` : ''}`,
            Math.floor((plotWidth + (narrow ? 0 : marginRight - 16)) / (LETTER - 0.6)),
          ),
        fill: muted,
        stroke: colour('paper'),
        strokeWidth: 4,
      }),
      hoverRows(rows, [low, high], ({ title }) => title),
    ],
  }
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
            dy: narrow ? -3 : 0,
            textAnchor: 'start',
            fill: colour(tag.colour),
          }),
        ]
      : [],
  )
}

const decimalsOf = (tick: number): number => (String(Number(tick.toPrecision(6))).split('.')[1] ?? '').length

/** Text of at most so many letters, its end cut where it is longer. */
const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`
