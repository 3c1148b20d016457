import * as Plot from '@observablehq/plot'
import type { LambdaChoice } from '../estimate/evaluation.js'
import {
  estimatorLabel,
  formatConfidence,
  formatEstimate,
  formatFixed,
  rangeText,
} from '../words/estimate-text.js'
import {
  lambdaEnds,
  type LambdaEnds,
  lambdaFinding,
  type LambdaPoint,
  lambdaStory,
  lambdaText,
} from '../words/lambda-finding.js'
import { noAnswer } from '../words/verdict-text.js'
import { bottomAxis, leftAxis, linearTicks, logTicks, ruleLabel, tickDecimals } from './axes.js'
import { type Chart, drawChart, type FigureOptions, type JudgedInput, nothingToDraw } from './chart.js'
import { familyColour } from './family-colour.js'
import { hoverStrip } from './rows-layout.js'
import { intervalScale } from './interval-layout.js'
import { tableNumber, tableOf } from './table-cells.js'
import { colour, type Frame } from './theme.js'

export type { LambdaPoint } from '../words/lambda-finding.js'

export interface LambdaCurveInput extends JudgedInput {
  /** As on the command line: `clipped-ips`, `switch-dr`. */
  readonly estimator: string
  readonly points: readonly LambdaPoint[]
  /** The λ that was used. */
  readonly chosen: number
  /** Who chose it. */
  readonly chosenBy?: LambdaChoice
}

/** A point with its place on the axis; λ of 0 and ∞ lie beyond a gap at the ends. */
interface Placed extends LambdaPoint {
  x: number
}

interface Picture {
  estimator: string
  points: readonly Placed[]
  /** Points on the log scale itself, which the line joins. */
  inner: readonly Placed[]
  chosen: Placed | undefined
  chosenLambda: number
  ends: LambdaEnds | undefined
  low: number
  high: number
  level: string
}

/**
 * The estimate and its interval over λ on a log scale, with the λ that was chosen: one end has no bias and
 * all the variance, the other little variance and all the bias.
 */
export function lambdaCurve(input: LambdaCurveInput, options: FigureOptions): Chart {
  const { estimator, chosen, chosenBy, confidence = 0.95, verdict } = input
  const isRefused = verdict?.level === 'refuse'
  // A band around a tuned λ would look sure of itself.
  const sorted = (isRefused ? input.points.map((point) => ({ ...point, interval: null })) : input.points)
    .filter(({ lambda, value }) => lambda >= 0 && Number.isFinite(value))
    .toSorted((a, b) => a.lambda - b.lambda)
  if (sorted.length === 0) throw nothingToDraw('no λ gives a value')
  const level = formatConfidence(confidence)
  const positive = [...sorted.map(({ lambda }) => lambda), chosen].filter(
    (lambda) => lambda > 0 && lambda < Infinity,
  )
  const [low, high] = positive.length === 0 ? [1, 1] : [Math.min(...positive), Math.max(...positive)]
  const gap = Math.max(1.5, (high / low) ** 0.12)
  const place = (lambda: number): number =>
    lambda === 0 ? low / gap : lambda === Infinity ? high * gap : lambda
  const points = sorted.map((point) => ({ ...point, x: place(point.lambda) }))
  const picture: Picture = {
    estimator,
    points,
    inner: points.filter(({ lambda }) => lambda > 0 && lambda < Infinity),
    chosen: points.find(({ lambda }) => lambda === chosen),
    chosenLambda: chosen,
    ends: lambdaEnds(estimator),
    low,
    high,
    level,
  }
  return drawChart(
    {
      // A page may hold the curves of several estimators.
      name: `lambda-curve-${estimator.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
      title: isRefused
        ? noAnswer(`${estimatorLabel(estimator)} for each λ`)
        : lambdaFinding({ estimator, points, chosen, level }),
      subtitle: `${estimatorLabel(estimator)} for each λ${isRefused ? '' : `, with its ${level} interval as a band`}. ${lambdaStory(estimator)}`,
      caption:
        chosenBy === 'slope'
          ? 'SLOPE chose λ from the data: the farthest from the unbiased end whose interval still overlaps those of every λ with ' +
            'less bias.'
          : chosenBy === 'paired'
            ? 'λ was chosen from the data for its least estimated squared error: its variance plus the squared ' +
              'difference from the end without bias, as far as that exceeds its own error.'
            : chosenBy === 'user'
              ? 'λ was given. Where the line is flat, the answer does not depend on it.'
              : 'Where the line is flat, the answer does not depend on λ.',
      ...(verdict && { stamp: verdict.level }),
      table: tableOf(points, [
        {
          name: 'lambda',
          label: 'λ',
          of: ({ lambda }) => (lambda === Infinity ? '∞' : String(tableNumber(lambda))),
        },
        { name: 'value', label: 'Value', kind: 'number', of: 'value' },
        { name: 'lower', label: `Lower ${level}`, kind: 'number', of: ({ interval }) => interval?.[0] },
        { name: 'upper', label: `Upper ${level}`, kind: 'number', of: ({ interval }) => interval?.[1] },
        { name: 'chosen', label: 'Chosen', of: ({ lambda }) => (lambda === chosen ? 'chosen' : '') },
      ]),
      draw: (frame) => draw(frame, picture),
    },
    options,
  )
}

/** The ends of the axes: λ from left to right, values from the least to the most. */
interface Axes {
  readonly from: number
  readonly to: number
  readonly least: number
  readonly most: number
}

function axesOf({ points, low, high }: Picture): Axes {
  const [least, most] = intervalScale({
    points: points.map(({ value }) => value),
    intervals: points.flatMap(({ interval }) => (interval ? [interval] : [])),
  })
  const edge = Math.max(1.15, (high / low) ** 0.03)
  return {
    from: Math.min(low, points[0]!.x) / edge,
    to: Math.max(high, points.at(-1)!.x) * edge,
    least,
    most,
  }
}

function draw({ narrow }: Frame, picture: Picture): Plot.PlotOptions {
  const { points, inner, chosen, chosenLambda, ends, low, high } = picture
  const axes = axesOf(picture)
  const { from, to, least, most } = axes
  const outer = points.filter((point) => !inner.includes(point))
  const chosenX = chosen?.x ?? (chosenLambda > 0 && chosenLambda < Infinity ? chosenLambda : undefined)
  const ticks = linearTicks(least, most, 7)
  const decimals = tickDecimals(ticks)
  const share = chosenX === undefined ? 0 : Math.log(chosenX / from) / Math.log(to / from)
  return {
    marginLeft: 20 + Math.max(...ticks.map((tick) => formatFixed(tick, decimals).length)) * 8,
    marginRight: narrow ? 16 : 24,
    marginTop: 36,
    marginBottom: 70,
    insetTop: 26,
    insetBottom: 4,
    x: { type: 'log', domain: [from, to] },
    y: { domain: [least, most] },
    marks: [
      ...leftAxis(ticks, 'Mean reward per impression', {
        tickFormat: (tick) => formatFixed(tick, decimals),
      }),
      bottomAxis(lambdaTicks(low, high, narrow ? 7 : 10), 'λ (log scale)', {
        labelOffset: 62,
        text: lambdaText,
      }),
      outer.length === 0
        ? null
        : Plot.text(outer, {
            x: 'x',
            frameAnchor: 'bottom',
            dy: 17,
            text: ({ lambda }: LambdaPoint) => lambdaText(lambda),
          }),
      ...curveMarks(picture, axes, outer, chosenX),
      chosenX === undefined
        ? null
        : ruleLabel({
            at: chosenX,
            text: `λ = ${lambdaText(chosenLambda)} chosen`,
            onLeft: share > 0.6,
            isStrong: true,
          }),
      ...(ends ? endMarks(ends) : []),
      hoverStrip(
        points,
        {
          x1: (_: Placed, k: number) => Math.sqrt(points[k]!.x * (points[k - 1]?.x ?? from)),
          x2: (_: Placed, k: number) => Math.sqrt(points[k]!.x * (points[k + 1]?.x ?? to)),
          y1: least,
          y2: most,
        },
        (point) => hoverText(point, picture.level),
      ),
    ],
  }
}

/** A single λ has no scale: round steps within it would all be written alike. */
const lambdaTicks = (low: number, high: number, most: number): number[] =>
  high / low < 1.001 ? [low] : logTicks(low / 1.0001, high * 1.0001, most)

/** Band, line, intervals at the ends and at the λ that was chosen, and dots. */
function curveMarks(
  { estimator, points, inner, chosen }: Picture,
  { least, most }: Axes,
  outer: readonly Placed[],
  chosenX: number | undefined,
): Plot.Markish[] {
  const hue = colour(familyColour(estimator))
  const banded = inner.filter(({ interval }) => interval)
  const end = (which: 0 | 1) => (point: LambdaPoint) =>
    Math.min(most, Math.max(least, point.interval![which]))
  const between = { x: 'x', y1: end(0), y2: end(1) }
  return [
    banded.length > 1 ? Plot.areaY(banded, { ...between, fill: hue, fillOpacity: 0.16 }) : null,
    chosenX === undefined
      ? null
      : Plot.ruleX([chosenX], { stroke: colour('ink'), strokeWidth: 1.5, strokeOpacity: 0.6 }),
    inner.length > 1 ? Plot.lineY(inner, { x: 'x', y: 'value', stroke: hue, strokeWidth: 2 }) : null,
    Plot.ruleX(
      [...outer, ...(chosen && !outer.includes(chosen) ? [chosen] : [])].filter(({ interval }) => interval),
      { ...between, stroke: hue, strokeWidth: 2 },
    ),
    Plot.dot(points, {
      x: 'x',
      y: 'value',
      r: { value: (point: Placed) => (point === chosen ? 6 : 3.5), scale: null },
      fill: hue,
      stroke: colour('paper'),
      strokeWidth: 1.5,
    }),
  ]
}

/** What the estimator becomes at either end, below the axis. */
const endMarks = ({ small, large }: LambdaEnds): Plot.Markish[] =>
  (
    [
      [small, 'bottom-left', 'start'],
      [large, 'bottom-right', 'end'],
    ] as const
  ).map(([text, frameAnchor, textAnchor]) =>
    Plot.text([text], { frameAnchor, dy: 36, textAnchor, fill: colour('muted') }),
  )

function hoverText({ lambda, value, interval }: LambdaPoint, level: string): string {
  const written = formatEstimate(value, interval)
  return `λ = ${lambdaText(lambda)}: ${written.value}\n${rangeText(written.interval, level)}`
}
