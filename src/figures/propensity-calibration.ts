import * as Plot from '@observablehq/plot'
import { formatCount, formatTick } from '../number-text.js'
import type { CalibrationBin, EstimatedPropensity } from '../propensity/stand-in.js'
import { calibrationFinding, calibrationStory, floorSentence } from '../words/propensity-text.js'
import { sentences } from '../words/seed-text.js'
import { bottomAxis, groundLine, leftAxis, logTicks } from './axes.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { tableNumber, tableOf } from './table-cells.js'
import { colour, type Frame, halo } from './theme.js'

/**
 * Estimated propensities against what happened to users the model had not seen, both on log scales: on the
 * diagonal they agree. Dots are bins of similar predictions, with 95 % intervals.
 */
export function propensityCalibration(input: EstimatedPropensity, options: FigureOptions): Chart {
  const { bins } = input.calibration
  if (bins.length === 0) throw nothingToDraw('no propensities were estimated')
  const parts = [...new Set(bins.flatMap(({ part }) => part ?? []))]
  return drawChart(
    {
      name: 'propensity-calibration',
      title: calibrationFinding(input),
      subtitle: sentences(
        calibrationStory(input),
        parts.length === 2 ? `Rings: ${parts[0]}; dots: ${parts[1]}.` : '',
        'Lines: 95 % intervals; dot area grows with impressions.',
      ),
      caption:
        `On the dashed line, predictions and observations agree. ${floorSentence(input)} ` +
        'The average error weights each bin by its predicted impressions.',
      table: tableOf(bins, [
        bins.some(({ label }) => label !== undefined) ? { name: 'bin', label: 'Bin', of: nameOf } : null,
        { name: 'predicted', label: 'Predicted', kind: 'number', of: 'predicted' },
        { name: 'observed', label: 'Observed', kind: 'number', of: 'observed' },
        { name: 'lower_95', label: 'Lower 95 %', kind: 'number', of: ({ interval }) => interval[0] },
        { name: 'upper_95', label: 'Upper 95 %', kind: 'number', of: ({ interval }) => interval[1] },
        {
          name: 'impressions',
          label: 'Impressions',
          kind: 'count',
          of: ({ exposures }) => tableNumber(exposures),
        },
      ]),
      draw: (frame) => draw(frame, input, parts),
    },
    options,
  )
}

const nameOf = ({ label, part }: CalibrationBin): string =>
  [label, part].filter((text) => text !== undefined).join(', ')

function draw(
  { narrow }: Frame,
  { probabilityOf, floor, calibration: { bins } }: EstimatedPropensity,
  parts: readonly string[],
): Plot.PlotOptions {
  const positive = bins.flatMap(({ predicted, observed, interval: [lower, upper] }) =>
    // A lower end near 0 would take the axis to nowhere; its line leaves the frame instead.
    [predicted, observed, upper, Math.max(lower, observed / 3)].filter((value) => value > 0),
  )
  const low = Math.min(...positive) / 1.3
  const high = Math.max(...positive) * 1.3
  const predictions = [...bins.map(({ predicted }) => predicted), ...(floor === undefined ? [] : [floor])]
  const across = [Math.min(...predictions) / 1.4, Math.max(...predictions) * 1.4] as const
  const within = (value: number): number => Math.min(high, Math.max(low, value))
  const yTicks = logTicks(low, high, 7)
  return {
    marginLeft: 20 + Math.max(...yTicks.map((tick) => formatTick(tick).length)) * 8,
    marginRight: narrow ? 16 : 24,
    marginTop: 36,
    marginBottom: 48,
    x: { type: 'log', domain: [...across] },
    y: { type: 'log', domain: [low, high], clamp: true },
    marks: [
      ...leftAxis(
        yTicks,
        `Observed ${probabilityOf === 'seen' ? 'examination' : 'share of impressions'} (log scale)`,
        { text: formatTick },
      ),
      bottomAxis(logTicks(...across, narrow ? 5 : 8), 'Predicted propensity (log scale)', {
        text: formatTick,
      }),
      ...diagonalMarks(Math.max(low, across[0]), Math.min(high, across[1])),
      ...(floor === undefined ? [] : floorMarks(floor)),
      ...binMarks(bins, parts, within, narrow),
      ...(narrow ? [] : labelled(bins)).map(({ bin, crowded }) =>
        Plot.text([bin.label!], {
          x: [bin.predicted],
          y: [within(bin.interval[1])],
          lineAnchor: 'bottom',
          dy: crowded ? -24 : -8,
          fill: colour('muted'),
          ...halo,
        }),
      ),
      groundLine(low),
    ],
  }
}

/** The line on which predictions and observations agree, where the frame holds any of it. */
const diagonalMarks = (from: number, to: number): Plot.Markish[] =>
  from < to
    ? [
        Plot.line(
          [from, to].map((value) => [value, value]),
          { stroke: colour('logged'), strokeWidth: 1.5, strokeDasharray: '4 4' },
        ),
        Plot.text(['predicted = observed'], {
          x: [to],
          y: [to],
          textAnchor: 'end',
          lineAnchor: 'bottom',
          dx: -24,
          dy: -4,
          fill: colour('muted'),
        }),
      ]
    : []

const floorMarks = (floor: number): Plot.Markish[] => [
  Plot.ruleX([floor], {
    stroke: colour('ink'),
    strokeOpacity: 0.5,
    strokeDasharray: '1 3',
    strokeWidth: 1.5,
  }),
  Plot.text([`floor ${formatTick(floor)}`], {
    x: [floor],
    frameAnchor: 'bottom',
    textAnchor: 'start',
    dx: 6,
    dy: -8,
    fill: colour('muted'),
  }),
]

/** Dots with their intervals, those of the first of two parts as rings; triangles where nothing was observed. */
function binMarks(
  bins: readonly CalibrationBin[],
  parts: readonly string[],
  within: (value: number) => number,
  narrow: boolean,
): Plot.Markish[] {
  const ink = colour('ink')
  const most = Math.max(...bins.map(({ exposures }) => exposures))
  const [small, large] = narrow ? [2.5, 6] : [3.5, 9]
  const radius = ({ exposures }: CalibrationBin): number =>
    Math.sqrt(small ** 2 + (large ** 2 - small ** 2) * (exposures / most))
  const isRing = ({ part }: CalibrationBin): boolean => parts.length === 2 && part === parts[0]
  const drawn = bins.toSorted((a, b) => b.exposures - a.exposures)
  return [false, true].flatMap((ring) => {
    const ofKind = drawn.filter((bin) => isRing(bin) === ring)
    // Bins of one name have nearly the same prediction: side by side both are seen.
    const dx = parts.length === 2 ? (ring ? -1 : 1) * (narrow ? 4 : 7) : 0
    return [
      Plot.dot(
        ofKind.filter(({ observed }) => observed > 0),
        {
          x: 'predicted',
          y: 'observed',
          dx,
          r: { value: radius, scale: null },
          fill: ring ? colour('paper') : ink,
          fillOpacity: ring ? 1 : 0.45,
          stroke: ink,
          strokeWidth: ring ? 1.5 : 0,
          title: describeBin,
        },
      ),
      Plot.ruleX(ofKind, {
        x: 'predicted',
        dx,
        y1: ({ interval }: CalibrationBin) => within(interval[0]),
        y2: ({ interval }: CalibrationBin) => within(interval[1]),
        stroke: ink,
        strokeWidth: 1.5,
      }),
      Plot.dot(
        ofKind.filter(({ observed }) => observed === 0),
        {
          x: 'predicted',
          y: within(0),
          dx,
          r: 5,
          symbol: 'triangle',
          rotate: 180,
          fill: ink,
          title: describeBin,
        },
      ),
    ]
  })
}

/** The topmost bin of each name, to write the name above it; crowded where the name before it would be in the way. */
function labelled(bins: readonly CalibrationBin[]): { bin: CalibrationBin; crowded: boolean }[] {
  const highest = new Map<string, CalibrationBin>()
  for (const bin of bins) {
    if (bin.label === undefined) continue
    const other = highest.get(bin.label)
    if (!other || bin.interval[1] > other.interval[1]) highest.set(bin.label, bin)
  }
  const tops = [...highest.values()].toSorted((a, b) => a.predicted - b.predicted)
  const range = Math.log((tops.at(-1)?.predicted ?? 1) / (tops[0]?.predicted ?? 1)) + 2 * Math.log(1.4)
  let wasCrowded = false
  return tops.map((bin, k) => {
    const gap = k === 0 ? Infinity : Math.log(bin.predicted / tops[k - 1]!.predicted)
    wasCrowded = gap < 0.1 * range && !wasCrowded
    return { bin, crowded: wasCrowded }
  })
}

function describeBin(bin: CalibrationBin): string {
  const { predicted, observed, interval, exposures } = bin
  const [p, o, lower, upper] = [predicted, observed, ...interval].map((value) => formatTick(value))
  return (
    `${bin.label === undefined ? '' : `${nameOf(bin)}\n`}predicted ${p}, observed ${o}\n` +
    `95 % CI ${lower}–${upper}\n${formatCount(exposures)} impressions`
  )
}
