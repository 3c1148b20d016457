import * as Plot from '@observablehq/plot'
import { formatCount, powerOfTen } from '../number-text.js'
import { quantile } from '../quantile.js'
import { estimatorLabel, formatFixed } from '../words/estimate-text.js'
import { noAnswer } from '../words/verdict-text.js'
import {
  leastAndMostVaried,
  type Over,
  varianceFactor,
  variationFinding,
  type Varied,
} from '../words/bias-finding.js'
import { sentences } from '../words/seed-text.js'
import { bottomAxis, groundLine, linearTicks, tickDecimals, verticalGrid } from './axes.js'
import { type Chart, drawChart, type FigureOptions, type JudgedInput, nothingToDraw } from './chart.js'
import { familyColour } from './family-colour.js'
import { tableOf } from './table-cells.js'
import { colour, type ColourName, type Frame } from './theme.js'

/** The estimates of one estimator over bootstrap resamples, or over independent logs. */
export interface BootstrapSeries {
  /** `IPS`, `SNIPS` or any other estimator; its family gives the colour. */
  readonly name: string
  readonly values: Float64Array
}

export interface BootstrapInput extends Pick<JudgedInput, 'verdict'> {
  readonly series: readonly BootstrapSeries[]
  /** The true value, where the log comes from a world that knows it. */
  readonly truth?: number
  /** Where the resampled logs come from: the log itself, as bootstrap resamples (default), or the world, as independent logs. */
  readonly over?: 'resamples' | 'logs'
  /** Whose value is estimated, for the subtitle. */
  readonly target?: string
}

interface Drawn extends Spread, Varied {
  name: string
  colour: ColourName
  undefinedCount: number
  /** The truth minus the mean of the series. */
  truth: number | undefined
}

interface Curve {
  series: Drawn
  density: readonly number[]
}

/** As many dots of a series are drawn at most; beyond, dots stand for quantiles. */
const MOST_DOTS = 200

/**
 * Bootstrap distributions of several estimators after their means were aligned: overlaid densities with a
 * strip of dots, one per resample, and the variances beside them. The truth, shifted by the same amount as
 * its series, is dashed on each strip: its distance from zero is the error of that estimator.
 */
export function bootstrapDistributions(
  { series, truth, over = 'resamples', target, verdict }: BootstrapInput,
  options: FigureOptions,
): Chart {
  const drawn = series.flatMap((one) => drawnOf(one, truth))
  if (drawn.length === 0) throw nothingToDraw(`no ${over === 'logs' ? 'log' : 'resample'} has a value`)
  const fewest = Math.min(...drawn.map(({ centred }) => centred.length))
  const most = Math.max(...drawn.map(({ centred }) => centred.length))
  const left = drawn.filter(({ undefinedCount }) => undefinedCount > 0)
  return drawChart(
    {
      name: over === 'logs' ? 'log-distributions' : 'bootstrap-distributions',
      ...(verdict && { stamp: verdict.level }),
      title: verdict?.level === 'refuse' ? noAnswer('how its estimates vary') : variationFinding(drawn, over),
      subtitle: sentences(
        target === undefined ? '' : `Target policy: ${target}.`,
        `Distribution of ${drawn.length === 1 ? 'the estimate' : 'each estimate'} over ` +
          `${fewest === most ? formatCount(most) : `${formatCount(fewest)} to ${formatCount(most)}`} ` +
          `${over === 'logs' ? 'independent logs' : 'bootstrap resamples'}, ` +
          `with its mean moved to zero; one dot per ${over === 'logs' ? 'log' : 'resample'}.`,
        truth === undefined ? '' : 'Dashed: the truth, moved by the same amount.',
        ...left.map(
          ({ name, undefinedCount }) => `${name} has no value in ${formatCount(undefinedCount)} more.`,
        ),
      ),
      caption: sentences(
        over === 'logs'
          ? 'Each log is a fresh draw from the same world, so this is how estimates really vary; the distance from zero to the dashed line is the bias.'
          : '',
        'Densities: Gaussian kernel with the bandwidth of Silverman’s rule, 0.9 · min(SD, IQR/1.34) · n^(−1/5).',
        drawn.length > 1 && fewest > 1
          ? `The ratio of the ${drawn.length > 2 ? 'outer ' : ''}variances is known to within a factor of about ${varianceFactor(...leastAndMostVaried(drawn)).toPrecision(3)}.`
          : '',
        most > MOST_DOTS ? `The ${MOST_DOTS} dots per strip are equally spaced quantiles.` : '',
      ),
      table: tableOf(
        drawn.map((one) => ({ ...one, sorted: one.centred.toSorted() })),
        [
          { name: 'estimator', label: 'Estimator', of: 'name' },
          {
            name: over,
            label: over === 'logs' ? 'Logs' : 'Resamples',
            kind: 'count',
            of: ({ sorted }) => sorted.length,
          },
          { name: 'mean', label: 'Mean', kind: 'number', of: 'mean' },
          { name: 'variance', label: 'Variance', kind: 'number', of: 'variance' },
          {
            name: 'standard_deviation',
            label: 'Standard deviation',
            kind: 'number',
            of: ({ variance }) => Math.sqrt(variance),
          },
          {
            name: 'lower_95',
            label: '2.5 % quantile',
            kind: 'number',
            of: ({ mean, sorted }) => mean + quantile(sorted, 0.025),
          },
          {
            name: 'upper_95',
            label: '97.5 % quantile',
            kind: 'number',
            of: ({ mean, sorted }) => mean + quantile(sorted, 0.975),
          },
          { name: 'bandwidth', label: 'Bandwidth', kind: 'number', of: 'bandwidth' },
        ],
      ),
      draw: (frame) => draw(frame, drawn, over),
    },
    options,
  )
}

/** A series with its spread and its mean moved to zero; none where no value is finite. */
function drawnOf({ name, values }: BootstrapSeries, truth: number | undefined): Drawn[] {
  const known = values.filter(Number.isFinite)
  if (known.length === 0) return []
  const spread = spreadOf(known)
  return [
    {
      ...spread,
      name: estimatorLabel(name),
      colour: familyColour(name),
      centred: known.map((value) => value - spread.mean),
      undefinedCount: values.length - known.length,
      truth: truth === undefined ? undefined : truth - spread.mean,
    },
  ]
}

function draw({ narrow, height }: Frame, drawn: readonly Drawn[], over: Over): Plot.PlotOptions {
  const values = drawn.flatMap(({ centred, bandwidth, truth }) => {
    const [low, high] = [Math.min(...centred), Math.max(...centred)]
    return [low - 2.5 * bandwidth, high + 2.5 * bandwidth, ...(truth === undefined ? [] : [truth])]
  })
  const reach = Math.max(...values.map(Math.abs)) * 1.02 || 1
  const steps = Array.from({ length: 241 }, (_, k) => reach * (k / 120 - 1))
  const curves = drawn.flatMap((series): Curve[] =>
    series.bandwidth > 0 ? [{ series, density: kernelDensity(series.centred, series.bandwidth, steps) }] : [],
  )
  const peak = Math.max(0, ...curves.flatMap(({ density }) => density)) || 1
  const stripHeight = narrow ? 44 : 34
  const strips = drawn.length * stripHeight + 8
  const [marginTop, marginBottom, insetTop] = [20, 52, 20]
  const grown = Math.max(height, 240 + strips)
  // The strips lie below zero density, as deep as their pixels need.
  const depth = (strips / (grown - marginTop - marginBottom - insetTop - strips)) * peak
  const stripAt = (k: number): number => (-depth * (k * stripHeight + 8 + stripHeight / 2)) / strips
  const ticks = linearTicks(-reach, reach, narrow ? 4 : 8)
  const decimals = tickDecimals(ticks)
  const ink = colour('ink')

  return {
    height: grown,
    marginLeft: narrow ? 12 : 24 + Math.max(...drawn.map(({ name }) => name.length)) * 7.4,
    marginRight: narrow ? 12 : 24 + Math.max(...drawn.map((series) => varianceText(series).length)) * 7,
    marginTop,
    marginBottom,
    insetTop,
    x: { domain: [-reach, reach] },
    y: { domain: [-depth, peak], axis: null },
    marks: [
      verticalGrid(ticks),
      bottomAxis(ticks, narrow ? 'Estimate minus its mean' : `Estimate minus its mean over the ${over}`, {
        labelOffset: 44,
        tickFormat: (tick) => formatFixed(tick, Math.min(decimals, 8)),
      }),
      Plot.text(['Density'], { frameAnchor: 'top-left', dx: narrow ? 0 : -12, dy: -14, textAnchor: 'start' }),
      Plot.ruleX([0], { stroke: ink, strokeOpacity: 0.4 }),
      ...curves.flatMap(({ series, density }) => [
        Plot.areaY(density, { x: steps, y: density, fill: colour(series.colour), fillOpacity: 0.12 }),
        Plot.lineY(density, { x: steps, y: density, stroke: colour(series.colour), strokeWidth: 2 }),
      ]),
      ...curves.map((curve, k) => curveLabel(curve, k, curves, steps)),
      groundLine(),
      ...drawn.flatMap((series, k) =>
        stripMarks(series, { at: stripAt(k), half: (depth / strips) * stripHeight * 0.5, narrow }),
      ),
    ],
  }
}

const varianceText = ({ variance }: Drawn): string => `variance ${powerText(variance)}`

/** A strip of dots with the truth upon it, its name at the left and its variance at the right. */
function stripMarks(
  series: Drawn,
  { at, half, narrow }: { readonly at: number; readonly half: number; readonly narrow: boolean },
): Plot.Markish[] {
  const beside = (onRight: boolean) => ({
    y: [at],
    frameAnchor: onRight ? ('right' as const) : ('left' as const),
    dx: narrow ? 0 : onRight ? 12 : -12,
    dy: narrow ? -10 : 0,
    textAnchor: narrow === onRight ? ('end' as const) : ('start' as const),
    stroke: colour('paper'),
    strokeWidth: 3,
  })
  return [
    Plot.dot(dotsOf(series), {
      x: (value: number) => value,
      y: at,
      dy: narrow ? 8 : 0,
      r: narrow ? 2.5 : 3.5,
      fill: colour(series.colour),
      fillOpacity: Math.min(0.7, 0.25 + 15 / series.centred.length),
      title: (value: number) => describeDot(series, value),
    }),
    series.truth === undefined
      ? null
      : Plot.ruleX([series.truth], {
          // On a phone, the words stand above the dots.
          y1: narrow ? at : at + half,
          y2: at - half,
          stroke: colour('truth'),
          strokeWidth: 2,
          strokeDasharray: '4 3',
          title: () => `truth minus the mean of ${series.name}: ${formatFixed(series.truth!, 6)}`,
        }),
    Plot.text([series.name], { ...beside(false), fill: colour(series.colour), fontWeight: 600 }),
    Plot.text([varianceText(series)], { ...beside(true), fill: colour('ink') }),
  ]
}

/**
 * A name beside its curve where that stands highest above the other, on a side of its own. More than two
 * would crowd; the strips below carry the names too.
 */
function curveLabel(
  { series, density }: Curve,
  k: number,
  curves: readonly Curve[],
  steps: readonly number[],
): Plot.Markish {
  if (curves.length > 2) return null
  const other = curves.find((curve) => curve.series !== series)
  const onRight = k > 0
  const lead = density.map((height, step) =>
    steps[step]! >= 0 === onRight ? height - (other?.density[step] ?? 0) : -Infinity,
  )
  const best = lead.indexOf(Math.max(...lead))
  return Plot.text([series.name], {
    x: [steps[best]!],
    y: [density[best]!],
    dx: onRight ? 10 : -10,
    dy: -8,
    textAnchor: onRight ? 'start' : 'end',
    fill: colour(series.colour),
    fontWeight: 600,
    stroke: colour('paper'),
    strokeWidth: 3,
  })
}

function dotsOf({ centred }: Drawn): number[] {
  if (centred.length <= MOST_DOTS) return [...centred]
  const sorted = centred.toSorted()
  return Array.from({ length: MOST_DOTS }, (_, k) => quantile(sorted, (k + 0.5) / MOST_DOTS))
}

function describeDot({ name, mean, variance }: Drawn, value: number): string {
  const digits = Math.min(8, Math.max(2, 2 - Math.floor(Math.log10(Math.sqrt(variance) || 1))))
  return `${name}: ${formatFixed(mean + value, digits)}\n${formatFixed(value, digits)} from its mean`
}

/** A variance with two digits: 0.012, 1.2 × 10⁻⁵. */
function powerText(value: number): string {
  if (value === 0) return '0'
  if (value >= 0.001 && value < 1000) return String(Number(value.toPrecision(2)))
  const [digits, exponent] = value.toExponential(1).split('e')
  return `${digits} × ${powerOfTen(Number(exponent))}`
}

/** Mean, variance (divided by n − 1) and a bandwidth of some values. */
interface Spread {
  readonly mean: number
  readonly variance: number
  /** Silverman's rule: h = 0.9 · min(SD, IQR/1.34) · n^(−1/5); 0 where the values do not vary. */
  readonly bandwidth: number
}

/** The spread of values, at least one. */
export function spreadOf(values: Float64Array): Spread {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const variance = n > 1 ? squares / (n - 1) : 0
  const sorted = values.toSorted()
  const quartiles = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34
  const deviation = Math.sqrt(variance)
  // Half of the values may be the same while the others vary.
  const width = quartiles > 0 ? Math.min(deviation, quartiles) : deviation
  return { mean, variance, bandwidth: 0.9 * width * n ** -0.2 }
}

/** Kernel density f(x) = 1/(nh) Σ φ((x − x_i)/h) with the Gaussian kernel φ, at each point asked for. */
export function kernelDensity(values: Float64Array, bandwidth: number, at: readonly number[]): number[] {
  const scale = 1 / (values.length * bandwidth * Math.sqrt(2 * Math.PI))
  return at.map((x) => {
    let sum = 0
    for (const value of values) sum += Math.exp(-0.5 * ((x - value) / bandwidth) ** 2)
    return sum * scale
  })
}
