import * as Plot from '@observablehq/plot'
import { estimatorLabel, formatTick } from 'hindcast'
import {
  type Chart,
  colour,
  dotStyle,
  drawChart,
  familyColour,
  type FigureOptions,
  formatFixed,
  type Frame,
  hairline,
  intervalScale,
  keyMarks,
  linearTicks,
  logTicks,
  meanCells,
  meanText,
  nothingToDraw,
  overSeedsText,
  type SeedMean,
  sentences,
  tableNumbers,
  withBounds,
} from 'hindcast/figures'
import { errorsFinding } from '../words/errors-finding.js'

/** How far one estimator is from the true value of one policy. */
interface EstimatorError {
  readonly estimator: string
  /** Mean of estimate minus truth over seeds: the bias. */
  readonly error: SeedMean
  readonly rmse: number | null
  /** Mean variance over bootstrap resamples. */
  readonly variance: number | null
  /** Share of the intervals that cover the truth. */
  readonly coverage: number | null
}

export interface EstimatorErrorsInput {
  /** By temperature, then method. */
  readonly rows: readonly {
    readonly method: string
    readonly temperature: number
    readonly estimators: readonly EstimatorError[]
  }[]
  readonly seeds: number
  readonly world: string
}

type Row = EstimatorErrorsInput['rows'][number] & { readonly y: number }

const SYMBOLS: Readonly<Record<string, Plot.SymbolType>> = {
  dm: 'circle',
  ips: 'triangle',
  snips: 'square',
  dr: 'diamond',
}
const lookOf = (estimator: string) => ({
  label: estimatorLabel(estimator),
  colour: familyColour(estimator),
  symbol: SYMBOLS[estimator] ?? ('wye' as const),
})

/**
 * Bias and root mean squared error of each estimator for the policy of each training method, by the
 * temperature of the log, in two columns that share their rows.
 */
export function estimatorErrors(input: EstimatorErrorsInput, options: FigureOptions): Chart {
  const { rows, seeds, world } = input
  if (!rows.some(({ estimators }) => estimators.some(({ rmse }) => rmse !== null)))
    throw nothingToDraw('no estimate has an error')
  return drawChart(
    {
      name: 'estimator-errors',
      title: errorsFinding(input),
      subtitle: sentences(
        `Bias (estimate minus truth; ${overSeedsText(seeds, 'lines')}) and root mean squared error of each estimator for the policy of each training method.`,
        `${world}.`,
      ),
      caption:
        'Left: dots to the right of zero overestimate. Right, on a log scale: the typical distance from the truth, bias and random ' +
        'error together. DM relies on a reward model alone, IPS and SNIPS on propensities alone, DR on both.',
      table: {
        columns: [
          { name: 'temperature', label: 'Temperature', kind: 'number' },
          { name: 'method', label: 'Method' },
          { name: 'estimator', label: 'Estimator' },
          ...withBounds({ name: 'bias', label: 'Bias' }),
          { name: 'variance', label: 'Variance', kind: 'number' },
          { name: 'rmse', label: 'RMSE', kind: 'number' },
          { name: 'coverage', label: 'Intervals that cover the truth', kind: 'share' },
        ],
        rows: rows.flatMap(({ temperature, method, estimators }) =>
          estimators.map(({ estimator, error, variance, rmse, coverage }) => [
            temperature,
            method,
            estimatorLabel(estimator),
            ...meanCells(error),
            ...tableNumbers([variance, rmse, coverage]),
          ]),
        ),
      },
      draw: (frame) => draw(frame, input),
    },
    options,
  )
}

const ROW = { wide: 30, narrow: 32 }
const HEADING = 34

function draw({ narrow, width }: Frame, { rows }: EstimatorErrorsInput): Plot.PlotOptions {
  const rowHeight = narrow ? ROW.narrow : ROW.wide
  const [gap, marginRight, marginBottom] = narrow ? [18, 16, 52] : [48, 24, 52]
  const marginLeft = 16 + 7.2 * Math.max(...rows.map(({ method }) => method.length))
  const estimators = [...new Set(rows.flatMap((row) => row.estimators.map(({ estimator }) => estimator)))]
  const key = keyMarks(estimators.map(lookOf), width - 24, marginLeft)
  const headings: { temperature: number; y: number }[] = []
  const placed: Row[] = []
  let y = 0
  for (const row of rows) {
    if (row.temperature !== placed.at(-1)?.temperature) {
      const above = placed.length === 0 ? HEADING / 2 : HEADING
      headings.push({ temperature: row.temperature, y: y + above - 12 })
      y += above
    }
    placed.push({ ...row, y: y + rowHeight / 2 })
    y += rowHeight
  }
  const cells = placed.flatMap((row) =>
    row.estimators.map((cell, k) => ({
      ...cell,
      y: row.y + (k - (row.estimators.length - 1) / 2) * (rowHeight / (row.estimators.length + 1.5)),
    })),
  )
  const plotWidth = width - marginLeft - marginRight
  const column = (plotWidth - gap) / 2
  const [least, most] = intervalScale({
    points: [0, ...cells.flatMap(({ error }) => error.mean ?? [])],
    intervals: cells.flatMap(({ error }) => (error.interval ? [error.interval] : [])),
  })
  const room = (most - least) * 0.05
  const bias = scaleOf(least - room, most + room, 0, column, false)
  const sizes = cells.flatMap(({ rmse }) => (rmse !== null && rmse > 0 ? [rmse] : []))
  const rmse = scaleOf(Math.min(...sizes) / 1.15, Math.max(...sizes) * 1.15, column + gap, column, true)
  const ink = colour('ink')
  const biasTicks = bias.ticks(narrow ? 3 : 5)
  const rmseTicks = rmse.ticks(narrow ? 3 : 5)
  const decimals = Math.max(0, ...biasTicks.map((tick) => (String(tick).split('.')[1] ?? '').length))
  const ticks = [
    ...biasTicks.map((tick) => ({ at: bias.place(tick), text: formatFixed(tick, decimals) })),
    ...rmseTicks.map((tick) => ({ at: rmse.place(tick), text: formatTick(tick) })),
  ]
  const edge = (k: 0 | 1) => (cell: EstimatorError) => bias.place(cell.error.interval![k])

  return {
    height: key.height + 36 + y + marginBottom,
    marginLeft,
    marginRight,
    marginTop: key.height + 36,
    marginBottom,
    x: { domain: [0, plotWidth], axis: null },
    y: { domain: [y, 0], axis: null },
    marks: [
      ...key.marks,
      Plot.ruleX(ticks, { x: 'at', y1: 0, y2: y, stroke: ink, strokeOpacity: hairline }),
      Plot.ruleX([bias.place(0)], { y1: 0, y2: y, stroke: ink, strokeOpacity: 0.5 }),
      Plot.text(apart(ticks), { x: 'at', frameAnchor: 'bottom', dy: 16, text: 'text' }),
      Plot.text(
        [
          { x: column / 2, text: narrow ? 'Bias' : 'Bias, clicks per impression' },
          {
            x: column + gap + column / 2,
            text: narrow ? 'RMSE (log)' : 'RMSE, clicks per impression (log scale)',
          },
        ],
        { x: 'x', text: 'text', frameAnchor: 'bottom', dy: 40 },
      ),
      Plot.text(headings, {
        y: 'y',
        frameAnchor: 'left',
        dx: 3 - marginLeft,
        textAnchor: 'start',
        text: ({ temperature }: { temperature: number }) => `Temperature ${formatTick(temperature)}`,
        fontWeight: 600,
        fill: ink,
        stroke: colour('paper'),
        strokeWidth: 4,
      }),
      Plot.text(placed, {
        y: 'y',
        frameAnchor: 'left',
        dx: -8,
        textAnchor: 'end',
        text: 'method',
        fill: ink,
      }),
      ...estimators.flatMap((estimator) => {
        const own = cells.filter((cell) => cell.estimator === estimator)
        const look = lookOf(estimator)
        return [
          Plot.ruleY(
            own.filter(({ error }) => error.interval),
            { y: 'y', x1: edge(0), x2: edge(1), stroke: colour(look.colour), strokeWidth: 1.5 },
          ),
          Plot.dot(
            own.filter(({ error }) => error.mean !== null),
            { y: 'y', x: ({ error }: EstimatorError) => bias.place(error.mean!), ...dotStyle(look) },
          ),
          Plot.dot(
            own.filter((cell) => cell.rmse !== null && cell.rmse > 0),
            { y: 'y', x: (cell: EstimatorError) => rmse.place(cell.rmse!), ...dotStyle(look) },
          ),
        ]
      }),
      Plot.rect(placed, {
        x1: 0,
        x2: plotWidth,
        y1: (row: Row) => row.y - rowHeight / 2,
        y2: (row: Row) => row.y + rowHeight / 2,
        fill: colour('paper'),
        fillOpacity: 0,
        title: ({ method, temperature, estimators: own }: Row) =>
          [
            `${method}, temperature ${formatTick(temperature)}`,
            ...own.map(
              ({ estimator, error, rmse: size }) =>
                `${estimatorLabel(estimator)}: bias ${meanText(error)}, RMSE ${size === null ? 'unknown' : Number(size.toPrecision(3))}`,
            ),
          ].join('\n'),
      }),
    ],
  }
}

/** Those ticks whose labels have room beside the one before. */
function apart<Tick extends { at: number; text: string }>(ticks: readonly Tick[]): Tick[] {
  const kept: Tick[] = []
  for (const tick of ticks) {
    const last = kept.at(-1)
    if (!last || tick.at - last.at > 4 * (last.text.length + tick.text.length) + 6) kept.push(tick)
  }
  return kept
}

/** A scale of its own for one column of a plot that counts pixels; what lies beyond it is cut. */
function scaleOf(low: number, high: number, left: number, across: number, isLog: boolean) {
  const of = (value: number): number => (isLog ? Math.log(value) : value)
  return {
    place: (value: number): number =>
      left + ((of(Math.min(high, Math.max(low, value))) - of(low)) / (of(high) - of(low))) * across,
    ticks(most: number): number[] {
      const ticks = isLog ? logTicks(low, high, most) : linearTicks(low, high, most)
      // One tick alone gives no scale.
      return ticks.length >= 2 || most > 12 ? ticks : this.ticks(most + 1)
    },
  }
}
