import * as Plot from '@observablehq/plot'
import { formatEstimate } from '../words/estimate-text.js'
import type { SeedMean } from '../words/seed-text.js'
import { bottomAxis, ruleLabel } from './axes.js'
import { STRIPS } from './chart.js'
import { hoverStrip } from './rows-layout.js'
import { intervalScale } from './interval-layout.js'
import { type Panel, spreadLabels, stackPanels } from './panels.js'
import { colour, type ColourName, type Frame, hairline } from './theme.js'

/** A mean at a place of the horizontal axis. */
interface LinePoint extends SeedMean {
  readonly x: number
  /** Drawn thick upon a bar: the 50 % interval. */
  readonly inner?: readonly [number, number]
}

/** A line of a panel. Lines of one name in several panels are one series: they share their look. */
export interface PanelLine {
  /** Empty where it is alone and the panel says what it is. */
  readonly label: string
  readonly colour: ColourName
  readonly points: readonly LinePoint[]
  readonly symbol?: Plot.SymbolType
  readonly hollow?: boolean
  /** For truths. */
  readonly dashed?: boolean
  /** Drawn as a line alone: no dots, no interval, and no name at its end. */
  readonly isQuiet?: boolean
  /** The place of a point to be ringed. */
  readonly ringed?: number
  /** Pixels to the right, so that intervals of several lines do not lie upon one another. */
  readonly shift?: number
}

export interface LinePanel {
  /** What it measures, with its unit. */
  readonly label: string
  readonly lines: readonly PanelLine[]
  readonly isTall?: boolean
  readonly percent?: boolean
  /** Values that must be seen besides the points. */
  readonly includes?: readonly number[]
  /** Whether intervals far wider than the usual one may be cut, so that the lines are not flattened. */
  readonly cutsIntervals?: boolean
  /** A level line through the panel, as for an error of zero. */
  readonly level?: number
}

/** Panels of lines below one another on one horizontal axis. */
export interface LinePicture {
  readonly panels: readonly LinePanel[]
  readonly axis: {
    readonly label: string
    readonly isLog?: boolean
    readonly ticks: readonly { readonly at: number; readonly text: string }[]
    /** The first line of what is shown on hover. */
    hover(x: number): string
    /** A vertical line through all panels. */
    readonly mark?: { readonly at: number; readonly text: string }
    /** Words below the left and the right end. */
    readonly ends?: readonly [left: string, right: string]
  }
  /** Intervals as bands along the lines, or as bars at the points. */
  readonly intervals: 'bands' | 'bars'
  /** With at most so many points of a line each gets a dot; default 40. */
  readonly mostDots?: number
  /** Whether a dial lights up the strip of each place. */
  readonly isDialled?: boolean
}

/** Pixels of a letter of small type, in the widest of the usual fonts. */
const LETTER = 7.4
const LABEL_HEIGHT = 16

/** The plot of a picture: lines named at their end, or on a phone by a key above them. */
export function drawLinePanels({ narrow, width }: Frame, picture: LinePicture): Plot.PlotOptions {
  const { axis, intervals, mostDots = 40 } = picture
  const places = [
    ...new Set(
      picture.panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ x }) => x))),
    ),
  ].sort((a, b) => a - b)
  const { panels, options } = stackPanels(
    picture.panels.map((panel) => ({
      label: panel.label,
      range: rangeOf(panel),
      height: panel.isTall ? (narrow ? 170 : 210) : narrow ? 84 : 104,
      percent: panel.percent ?? false,
      headroom: panel === picture.panels[0] && axis.mark ? 24 : 0,
    })),
  )
  const names = namesOf(picture.panels)
  const longest = Math.max(0, ...names.map(({ label }) => label.length))
  const marginRight = narrow ? 24 : 40 + longest * LETTER
  const key = narrow ? keyMarks(names, width - 24, options.marginLeft) : { marks: [], height: 0 }
  const low = places[0]!
  const high = places.at(-1)!
  const domain = axis.isLog ? [low / edgeOf(low, high), high * edgeOf(low, high)] : linearDomain(low, high)
  const bottom = panels.at(-1)!.bottom
  const endRoom = axis.ends ? 18 : 0
  const ink = colour('ink')

  return {
    ...options,
    width,
    marginRight,
    marginTop: options.marginTop! + key.height,
    marginBottom: options.marginBottom! + endRoom,
    height: options.height + key.height + endRoom,
    x: { domain, ...(axis.isLog && { type: 'log' as const }) },
    marks: [
      ...panels.flatMap(({ marks }) => marks),
      ...picture.panels.flatMap(({ level }, k) =>
        level === undefined
          ? []
          : [Plot.ruleY([panels[k]!.place(level)], { stroke: ink, strokeOpacity: 0.5, strokeWidth: 1 })],
      ),
      bottomAxis(
        axis.ticks.map(({ at }) => at),
        axis.label,
        {
          labelOffset: 44 + endRoom,
          text: (at) => axis.ticks.find((tick) => tick.at === at)?.text ?? '',
        },
      ),
      ...(axis.ends ?? []).map((text, end) =>
        Plot.text([text], {
          frameAnchor: end === 0 ? 'bottom-left' : 'bottom-right',
          dy: 38,
          textAnchor: end === 0 ? 'start' : 'end',
          fill: colour('muted'),
        }),
      ),
      ...verticalMark(axis.mark, panels, domain),
      ...picture.panels.flatMap(({ lines }, k) => [
        ...lines.filter(({ isQuiet }) => !isQuiet).flatMap((line) => rangeMarks(line, panels[k]!, intervals)),
        ...lines.flatMap((line) => lineMarks(line, panels[k]!, mostDots)),
      ]),
      ...(narrow ? key.marks : picture.panels.flatMap(({ lines }, k) => endLabels(lines, panels[k]!))),
      hoverStrip(
        places,
        {
          x1: (x: number, k: number) => (k === 0 ? domain[0]! : between(places[k - 1]!, x, axis.isLog)),
          x2: (x: number, k: number) =>
            k === places.length - 1 ? domain[1]! : between(x, places[k + 1]!, axis.isLog),
          y1: 0,
          y2: bottom,
        },
        hoverTexts(picture),
        picture.isDialled ? STRIPS : undefined,
      ),
    ],
  }
}

const edgeOf = (low: number, high: number): number => Math.max(1.05, (high / low) ** 0.03)

function linearDomain(low: number, high: number): [number, number] {
  const room = (high - low) * 0.02 || 0.5
  return [low - room, high + room]
}

const between = (a: number, b: number, isLog = false): number => (isLog ? Math.sqrt(a * b) : (a + b) / 2)

function rangeOf({
  lines,
  includes = [],
  level,
  percent,
  cutsIntervals,
}: LinePanel): [low: number, high: number] {
  const values = lines.flatMap((line) => known(line).map(({ mean }) => mean))
  const points = [...values, ...includes, ...(level === undefined ? [] : [level])]
  const intervals = lines
    .filter(({ isQuiet }) => !isQuiet)
    .flatMap((line) => line.points.flatMap(({ interval }) => (interval ? [interval] : [])))
    // A share lies between 0 and 1, whatever the interval of its mean says.
    .map(([from, to]): [number, number] => (percent ? [Math.max(0, from), Math.min(1, to)] : [from, to]))
  const halves = intervals.map(([from, to]) => (to - from) / 2).toSorted((a, b) => a - b)
  const reach = 3 * (halves[halves.length >> 1] ?? 0)
  const [least, most] = [Math.min(...points) - reach, Math.max(...points) + reach]
  const [low, high] = intervalScale({
    points,
    intervals: cutsIntervals
      ? intervals.map(([from, to]): [number, number] => [Math.max(least, from), Math.min(most, to)])
      : intervals,
  })
  const room = (high - low) * 0.05
  // A bound that must be seen is a bound: shares do not begin below 0.
  return [includes.includes(low) ? low : low - room, includes.includes(high) ? high : high + room]
}

/** Each series once, quiet ones left out. */
function namesOf(panels: readonly LinePanel[]): PanelLine[] {
  const found = new Map<string, PanelLine>()
  for (const { lines } of panels)
    for (const line of lines)
      if (!line.isQuiet && line.label !== '' && !found.has(line.label)) found.set(line.label, line)
  return [...found.values()]
}

function known({ points }: PanelLine): (LinePoint & { readonly mean: number })[] {
  return points.flatMap((point) => (point.mean === null ? [] : [{ ...point, mean: point.mean }]))
}

function rangeMarks(line: PanelLine, panel: Panel, intervals: LinePicture['intervals']): Plot.Markish[] {
  const ranged = known(line).filter(({ interval }) => interval)
  const end = (which: 0 | 1) => (point: LinePoint) => panel.place(point.interval![which])
  const shared = { x: 'x', y1: end(0), y2: end(1), dx: line.shift ?? 0 }
  return intervals === 'bands' && ranged.length > 1
    ? [Plot.areaY(ranged, { ...shared, fill: colour(line.colour), fillOpacity: 0.14 })]
    : [
        Plot.ruleX(ranged, { ...shared, stroke: colour(line.colour), strokeWidth: 1.5 }),
        ...(innerOf(ranged).length > 0
          ? [
              Plot.ruleX(innerOf(ranged), {
                x: 'x',
                y1: ({ inner }: LinePoint) => panel.place(inner![0]),
                y2: ({ inner }: LinePoint) => panel.place(inner![1]),
                dx: line.shift ?? 0,
                stroke: colour(line.colour),
                strokeWidth: 4,
              }),
            ]
          : []),
      ]
}

const innerOf = (points: readonly LinePoint[]): LinePoint[] => points.filter(({ inner }) => inner)

function lineMarks(line: PanelLine, panel: Panel, mostDots: number): Plot.Markish[] {
  const points = known(line)
  const y = ({ mean }: { mean: number }): number => panel.place(mean)
  const dx = line.shift ?? 0
  const ringed = points.filter(({ x }) => x === line.ringed)
  return [
    points.length > 1
      ? Plot.line(points, {
          x: 'x',
          y,
          dx,
          stroke: colour(line.colour),
          strokeWidth: line.isQuiet ? 1.5 : 2,
          strokeOpacity: line.hollow ? 0.5 : 1,
          strokeLinejoin: 'round',
          ...(line.dashed && { strokeDasharray: '5 4' }),
        })
      : null,
    line.isQuiet || points.length > mostDots ? null : Plot.dot(points, { x: 'x', y, dx, ...dotStyle(line) }),
    Plot.dot(ringed, { x: 'x', y, dx, r: 9, stroke: colour('ink'), strokeWidth: 1.5 }),
  ]
}

/** The look of a dot of a series. */
export const dotStyle = ({
  colour: name,
  symbol = 'circle',
  hollow = false,
}: Pick<PanelLine, 'colour' | 'symbol' | 'hollow'>) => ({
  symbol,
  r: 4,
  fill: colour(hollow ? 'paper' : name),
  stroke: colour(hollow ? name : 'paper'),
  strokeWidth: hollow ? 1.75 : 1,
})

/** What stands before the name of a series: its dot, or two dashes of a dashed line. */
function sampleOf(
  line: Pick<PanelLine, 'colour' | 'symbol' | 'hollow' | 'dashed'>,
  data: readonly unknown[],
  place: { readonly y?: readonly number[]; readonly frameAnchor: Plot.FrameAnchor; dx: number; dy?: number },
): Plot.Markish[] {
  if (!line.dashed) return [Plot.dot(data, { ...place, ...dotStyle(line) })]
  return [-4, 4].map((aside) =>
    Plot.vector(data, {
      ...place,
      dx: place.dx + aside,
      length: 5,
      rotate: 90,
      anchor: 'middle',
      shape: { draw: (path, length) => (path.moveTo(0, 0), path.lineTo(0, -length)) },
      stroke: colour(line.colour),
      strokeWidth: 2,
      strokeLinecap: 'butt',
    }),
  )
}

/** Names at the right of a panel, each with its dot or dashes, as near as can be to where its line ends. */
function endLabels(lines: readonly PanelLine[], panel: Panel): Plot.Markish[] {
  const named = lines.filter((line) => !line.isQuiet && line.label !== '' && known(line).length > 0)
  // Where they do not fit, those of a taller panel have to do.
  if (named.length * LABEL_HEIGHT > panel.bottom - panel.top + LABEL_HEIGHT) return []
  const places = spreadLabels(
    named.map((line) => panel.place(known(line).at(-1)!.mean)),
    { apart: LABEL_HEIGHT, top: panel.top, bottom: panel.bottom },
  )
  return named.flatMap((line, k) => [
    ...sampleOf(line, [line.label], { y: [places[k]!], frameAnchor: 'right', dx: 14 }),
    Plot.text([line.label], {
      y: [places[k]!],
      frameAnchor: 'right',
      dx: 24,
      textAnchor: 'start',
      fill: colour('ink'),
    }),
  ])
}

/** Names with their dots, or two dashes of their line, above a plot whose left margin is given, as many on a row as fit. */
export function keyMarks(
  names: readonly Pick<PanelLine, 'label' | 'colour' | 'symbol' | 'hollow' | 'dashed'>[],
  width: number,
  marginLeft: number,
): { marks: Plot.Markish[]; height: number } {
  let [left, row] = [0, 0]
  const placed = names.map((line) => {
    const needed = 18 + line.label.length * (LETTER - 0.4) + 12
    if (left > 0 && left + needed > width) [left, row] = [0, row + 1]
    const place = { line, left, row }
    left += needed
    return place
  })
  const height = names.length === 0 ? 0 : (row + 1) * 20 + 4
  return {
    height,
    marks: placed.flatMap((place) => {
      const dx = place.left - marginLeft + 10
      const dy = place.row * 20 - height - 28
      return [
        ...sampleOf(place.line, [0], { frameAnchor: 'top-left', dx, dy }),
        Plot.text([place.line.label], {
          frameAnchor: 'top-left',
          dx: dx + 10,
          dy,
          lineAnchor: 'middle',
          textAnchor: 'start',
          fill: colour('ink'),
        }),
      ]
    }),
  }
}

function verticalMark(
  mark: LinePicture['axis']['mark'],
  panels: readonly Panel[],
  [low, high]: readonly number[],
): Plot.Markish[] {
  if (!mark) return []
  const onLeft = (mark.at - low!) / (high! - low!) > 0.6
  return [
    Plot.ruleX(panels, {
      x: mark.at,
      y1: 'top',
      y2: 'bottom',
      stroke: colour('ink'),
      strokeOpacity: 3 * hairline,
      strokeWidth: 1.5,
    }),
    ruleLabel({ at: mark.at, text: mark.text, onLeft, y: panels[0]!.top, dy: 2 }),
  ]
}

/** What is shown on hover at a place. */
function hoverTexts({ panels, axis }: LinePicture): (x: number) => string {
  const readings = panels.map(({ label, lines, percent = false }) => ({
    label,
    percent,
    // Nameless lines in company are a background: there may be many.
    lines: lines
      .filter((line) => line.label !== '' || lines.length === 1)
      .map((line) => ({
        label: line.label,
        at: new Map(known(line).map((point) => [point.x, point])),
      })),
  }))
  return (x) => {
    const texts = readings.flatMap(({ label, lines, percent }) => {
      const values = lines.flatMap(({ label: name, at }) => {
        const point = at.get(x)
        return point ? [`${name && `${name}: `}${pointText(point, percent)}`] : []
      })
      return values.length === 0 ? [] : [label, ...values]
    })
    return [axis.hover(x), ...texts].join('\n')
  }
}

function pointText(
  { mean, interval: bounds }: LinePoint & { readonly mean: number },
  percent: boolean,
): string {
  const [scale, unit] = percent ? [100, ' %'] : [1, '']
  const { value, interval } = formatEstimate(mean * scale, bounds && [bounds[0] * scale, bounds[1] * scale])
  return `${value}${unit}${interval === null ? '' : ` (${interval}${unit})`}`
}
