import * as Plot from '@observablehq/plot'
import { isTuned } from '../estimate/estimator.js'
import { ESTIMATORS } from '../estimate/estimators/index.js'
import { formatPercent, formatTick } from '../number-text.js'
import { estimatorLabel, formatConfidence, formatEstimate, formatFixed } from '../words/estimate-text.js'
import { drawChart } from './chart.js'
import type { Chart, FigureOptions } from './chart.js'
import { familyColour } from './family-colour.js'
import { intervalScale } from './interval-scale.js'
import { nothingToDraw } from './nothing-to-draw.js'
import { tableNumber } from './table-cells.js'
import type { Frame } from './theme.js'
import { colour, hairline } from './theme.js'
import { linearTicks, logTicks } from './ticks.js'

/** An estimate made with one λ. λ may be 0 or Infinity, the ends of some families. */
export interface LambdaPoint {
  readonly lambda: number
  readonly value: number
  readonly interval: readonly [number, number] | null
}

export interface LambdaCurveInput {
  /** As on the command line: `clipped-ips`, `switch-dr`. */
  readonly estimator: string
  readonly points: readonly LambdaPoint[]
  /** The λ that was used. */
  readonly chosen: number
  /** Who chose it. */
  readonly chosenBy?: 'user' | 'slope'
  /** Of the intervals; default 0.95. */
  readonly confidence?: number
}

/** What an estimator becomes at either end of λ, and at which end its weights are left as they are. */
interface Ends {
  small: string
  large: string
  unbiased: 'small' | 'large'
}

function endsOf(estimator: string): Ends | undefined {
  const named = ESTIMATORS.find(estimator)
  if (!named || !isTuned(named)) return undefined
  const { unchanged, other } = named.tuning
  const written = ({ lambda, is }: { lambda: number; is: string }): string =>
    `${is} as λ → ${lambda === Infinity ? '∞' : lambda}`
  return unchanged.lambda > other.lambda
    ? { small: written(other), large: written(unchanged), unbiased: 'large' }
    : { small: written(unchanged), large: written(other), unbiased: 'small' }
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
  ends: Ends | undefined
  low: number
  high: number
  level: string
}

/**
 * The estimate and its interval over λ on a log scale, with the λ that was chosen: one end has no bias and
 * all the variance, the other little variance and all the bias.
 */
export function lambdaCurve(input: LambdaCurveInput, options: FigureOptions): Chart {
  const { estimator, chosen, chosenBy, confidence = 0.95 } = input
  const sorted = input.points
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
    ends: endsOf(estimator),
    low,
    high,
    level,
  }
  return drawChart(
    {
      // A page may hold the curves of several estimators.
      name: `lambda-curve-${estimator.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
      title: findingOf(picture),
      subtitle: `Estimate by ${estimatorLabel(estimator)} over λ, with its ${level} interval as a band. ${storyOf(picture.ends)}`,
      caption:
        chosenBy === 'slope'
          ? 'λ was chosen from the data by SLOPE: as far from the unbiased end as its estimate still agrees, within the ' +
            'intervals, with those of every λ that has less bias.'
          : chosenBy === 'user'
            ? 'λ was given. Where the line is level, the answer does not hang on it.'
            : 'Where the line is level, the answer does not hang on λ.',
      table: {
        columns: [
          { name: 'lambda', label: 'λ' },
          { name: 'value', label: 'Value', kind: 'number' },
          { name: 'lower', label: `Lower ${level}`, kind: 'number' },
          { name: 'upper', label: `Upper ${level}`, kind: 'number' },
          { name: 'chosen', label: 'Chosen' },
        ],
        rows: points.map(({ lambda, value, interval }) => [
          lambda === Infinity ? '∞' : String(tableNumber(lambda)),
          tableNumber(value),
          interval && tableNumber(interval[0]),
          interval && tableNumber(interval[1]),
          lambda === chosen ? 'chosen' : '',
        ]),
      },
      draw: (frame) => draw(frame, picture),
    },
    options,
  )
}

const lambdaText = (lambda: number): string => (lambda === Infinity ? '∞' : formatTick(lambda))

const widthOf = ({ interval }: LambdaPoint): number | undefined =>
  interval && interval[1] > interval[0] ? interval[1] - interval[0] : undefined

function findingOf({ estimator, points, chosen, chosenLambda, ends, level }: Picture): string {
  const name = estimatorLabel(estimator)
  if (!chosen) return `${name} over λ; λ = ${lambdaText(chosenLambda)} was chosen`
  const { value, interval } = formatEstimate(chosen.value, chosen.interval)
  const at = `At λ = ${lambdaText(chosenLambda)} ${name} gives ${value}${interval === null ? '' : ` (${level} interval ${interval})`}`
  const plain = ends && (ends.unbiased === 'large' ? points.at(-1)! : points[0]!)
  const [width, full] = [widthOf(chosen), plain && widthOf(plain)]
  if (!plain || width === undefined || full === undefined || points.length === 1) return at
  const where = `at λ = ${lambdaText(plain.lambda)}`
  if (plain === chosen) return `${at}; the weights are left as they are`
  const less = 1 - width / full
  if (Math.abs(less) < 0.05) return `${at}, an interval as wide as ${where}`
  return `${at}, an interval ${formatPercent(Math.abs(less), 0)} ${less > 0 ? 'narrower' : 'wider'} than ${where}`
}

function storyOf(ends: Ends | undefined): string {
  if (!ends) return 'λ trades bias for variance.'
  return ends.unbiased === 'large'
    ? 'To the right weights are left as they are: no bias, most variance. To the left they shrink: less variance, more bias.'
    : 'To the left weights are left as they are: no bias, most variance. To the right they shrink: less variance, more bias.'
}

function draw({ narrow }: Frame, picture: Picture): Plot.PlotOptions {
  const { estimator, points, inner, chosen, chosenLambda, ends, low, high } = picture
  const ink = colour('ink')
  const muted = colour('muted')
  const paper = colour('paper')
  const hue = colour(familyColour(estimator))
  const [least, most] = intervalScale({
    points: points.map(({ value }) => value),
    intervals: points.flatMap(({ interval }) => (interval ? [interval] : [])),
  })
  const within = (value: number): number => Math.min(most, Math.max(least, value))
  const edge = Math.max(1.15, (high / low) ** 0.03)
  const from = Math.min(low, points[0]!.x) / edge
  const to = Math.max(high, points.at(-1)!.x) * edge
  const outer = points.filter((point) => !inner.includes(point))
  const chosenX = chosen?.x ?? (chosenLambda > 0 && chosenLambda < Infinity ? chosenLambda : undefined)
  const ticks = linearTicks(least, most, 7)
  const decimals = Math.max(...ticks.map((tick) => (String(tick).split('.')[1] ?? '').length))
  const xTicks = logTicks(low / 1.0001, high * 1.0001, narrow ? 7 : 10)
  const share = chosenX === undefined ? 0 : Math.log(chosenX / from) / Math.log(to / from)
  const onLeft = share > 0.6
  const banded = inner.flatMap((point) => (point.interval ? [{ ...point, interval: point.interval }] : []))
  const ranged = (point: LambdaPoint, end: 0 | 1): number => within(point.interval![end])

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
      Plot.gridY(ticks, { stroke: ink, strokeOpacity: hairline }),
      Plot.axisY(ticks, {
        label: 'Mean reward an impression',
        labelArrow: 'none',
        tickFormat: (tick: number) => formatFixed(tick, decimals),
        tickSize: 0,
        tickPadding: 8,
      }),
      Plot.axisX(xTicks, {
        label: 'λ (log scale)',
        labelArrow: 'none',
        labelAnchor: 'center',
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
      banded.length > 1
        ? Plot.areaY(banded, {
            x: 'x',
            y1: (point: LambdaPoint) => ranged(point, 0),
            y2: (point: LambdaPoint) => ranged(point, 1),
            fill: hue,
            fillOpacity: 0.16,
          })
        : null,
      chosenX === undefined
        ? null
        : Plot.ruleX([chosenX], { stroke: ink, strokeWidth: 1.5, strokeOpacity: 0.6 }),
      inner.length > 1 ? Plot.lineY(inner, { x: 'x', y: 'value', stroke: hue, strokeWidth: 2 }) : null,
      Plot.ruleX(
        [...outer, ...(chosen && !outer.includes(chosen) ? [chosen] : [])].filter(({ interval }) => interval),
        {
          x: 'x',
          y1: (point: LambdaPoint) => ranged(point, 0),
          y2: (point: LambdaPoint) => ranged(point, 1),
          stroke: hue,
          strokeWidth: 2,
        },
      ),
      Plot.dot(points, {
        x: 'x',
        y: 'value',
        r: { value: (point: Placed) => (point === chosen ? 6 : 3.5), scale: null },
        fill: hue,
        stroke: paper,
        strokeWidth: 1.5,
      }),
      chosenX === undefined
        ? null
        : Plot.text([`λ = ${lambdaText(chosenLambda)} chosen`], {
            x: [chosenX],
            frameAnchor: 'top',
            dx: onLeft ? -6 : 6,
            dy: 4,
            lineAnchor: 'top',
            textAnchor: onLeft ? 'end' : 'start',
            fill: ink,
            fontWeight: 600,
            stroke: paper,
            strokeWidth: 4,
          }),
      ...(ends
        ? (
            [
              [ends.small, 'bottom-left', 'start'],
              [ends.large, 'bottom-right', 'end'],
            ] as const
          ).map(([text, frameAnchor, textAnchor]) =>
            Plot.text([text], { frameAnchor, dy: 36, textAnchor, fill: muted }),
          )
        : []),
      Plot.rect(points, {
        x1: (point: Placed) => Math.sqrt(point.x * (points[points.indexOf(point) - 1]?.x ?? from)),
        x2: (point: Placed) => Math.sqrt(point.x * (points[points.indexOf(point) + 1]?.x ?? to)),
        y1: least,
        y2: most,
        fill: paper,
        fillOpacity: 0,
        title: ({ lambda, value, interval }: LambdaPoint) => {
          const written = formatEstimate(value, interval)
          return `λ = ${lambdaText(lambda)}: ${written.value}\n${written.interval === null ? 'no interval' : `${picture.level} interval ${written.interval}`}`
        },
      }),
    ],
  }
}
