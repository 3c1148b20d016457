import * as Plot from '@observablehq/plot'
import type { Sensitivity, SensitivityPoint, VerdictLevel } from '../estimate/evaluation.js'
import { estimatorLabel, formatConfidence, formatEstimate, formatFixed } from '../words/estimate-text.js'
import { noAnswer } from '../words/verdict-text.js'
import { flooredGamma, gammaText, sensitivityFinding } from '../words/sensitivity-text.js'
import { gammaStopTag, gammaStopText } from '../words/stop-text.js'
import { bottomAxis, labelledRule, leftAxis, linearTicks, tickDecimals } from './axes.js'
import { type Chart, type Dial, type FigureOptions, type JudgedInput, STRIPS, drawChart } from './chart.js'
import { familyColour } from './family-colour.js'
import { hoverStrip } from './rows-layout.js'
import { intervalScale, middleHalf } from './interval-layout.js'
import { tableOf } from './table-cells.js'
import { type Frame, colour, halo } from './theme.js'

/** What the figure of an estimate over Γ is drawn from. */
export interface SensitivityInput extends JudgedInput {
  /** As on the command line: `snips`. */
  readonly estimator: string
  readonly sensitivity: Sensitivity
  /** Mean reward of the logging policy. */
  readonly meanReward: number
  /** A Γ of the grid to point at. */
  readonly at?: number
}

/** The values that an estimate can have, and its interval, where propensities may be off by a factor of up to Γ, beside the logged mean reward. */
export function sensitivityFigure(input: SensitivityInput, options: FigureOptions): Chart {
  const { estimator, sensitivity, meanReward, confidence = 0.95, verdict, at } = input
  const { grid, flipsAt } = sensitivity
  const name = estimatorLabel(estimator)
  const level = formatConfidence(confidence)
  const isRefused = verdict?.level === 'refuse'
  return drawChart(
    {
      name: 'sensitivity',
      title: isRefused
        ? noAnswer('intervals where propensities may be wrong')
        : sensitivityFinding(sensitivity, { value: grid[0]!.low, meanReward }),
      subtitle:
        `${name} where every propensity may be off by a factor of up to Γ. Inner band: the values it can have. ` +
        `Outer band: with their ${level} CI. Grey: mean reward of the logging policy.`,
      caption:
        'At Γ = 1 propensities are taken as exact. Each band is the worst case: every propensity off by the whole factor, ' +
        'in the direction that moves the value most.' +
        (isRefused
          ? ''
          : ' The answer flips where the difference from the logging policy, compared on the same rows, is no longer beyond chance.'),
      ...(verdict && { stamp: verdict.level }),
      ...(verdict && !isRefused && { dials: [dialOf(input, verdict.level)] }),
      table: tableOf(grid, [
        { name: 'gamma', label: 'Γ', kind: 'number', isExact: true, of: 'gamma' },
        { name: 'low', label: 'Least value', kind: 'number', of: 'low' },
        { name: 'high', label: 'Greatest value', kind: 'number', of: 'high' },
        { name: 'lower', label: `Lower ${level}`, kind: 'number', of: ({ interval }) => interval[0] },
        { name: 'upper', label: `Upper ${level}`, kind: 'number', of: ({ interval }) => interval[1] },
      ]),
      draw: (frame) =>
        draw(frame, {
          grid: drawnPart(sensitivity, at),
          // Where nothing is claimed, nothing flips, and nothing is drawn boldly.
          flipsAt: isRefused ? null : flipsAt,
          ...(at !== undefined && { at }),
          meanReward,
          level,
          inner: isRefused ? undefined : middleHalf(grid[0]!.low, grid[0]!.interval, confidence),
          hue: colour(familyColour(estimator)),
        }),
    },
    options,
  )
}

/** A slider of Γ: what holds at each factor that is drawn, so that it ends where the axis does. */
function dialOf(
  { sensitivity, meanReward, confidence = 0.95, at }: SensitivityInput,
  level: VerdictLevel,
): Dial {
  return {
    label: 'Γ, the factor by which propensities may be off',
    kind: 'slider',
    start: 0,
    stops: drawnPart(sensitivity, at).map((point, k) => {
      const tag = gammaStopTag(point, sensitivity, level)
      return {
        at: gammaText(point.gamma),
        text: gammaStopText(point, sensitivity, { confidence, meanReward }),
        ...(tag && { tag }),
        strip: k,
      }
    }),
  }
}

/** At least up to this Γ is drawn. */
const LEAST_DRAWN = 1.5

/** The part of the grid that is drawn: some way beyond the flip, since bands at the largest Γ would dwarf all before. */
function drawnPart({ grid, flipsAt }: Sensitivity, at = 1): readonly SensitivityPoint[] {
  if (flipsAt === null) return grid
  const beyond = Math.max(LEAST_DRAWN, flipsAt * flipsAt, at)
  const last = grid.findIndex(({ gamma }) => gamma >= beyond)
  return last === -1 ? grid : grid.slice(0, last + 1)
}

interface Picture extends Sensitivity {
  readonly meanReward: number
  readonly level: string
  /** The 50 % interval with exact propensities. */
  readonly inner: readonly [number, number] | undefined
  readonly hue: string
  readonly at?: number
}

const TICKS = [1, 1.1, 1.2, 1.35, 1.5, 2, 2.5, 3]
const NARROW_TICKS = [1, 1.2, 1.5, 2, 3]

function draw({ narrow }: Frame, picture: Picture): Plot.PlotOptions {
  const { grid, flipsAt, meanReward, level } = picture
  const largest = grid.at(-1)!.gamma
  const to = largest * (largest > 1 ? largest ** 0.02 : 1.1)
  const from = 1 / (largest > 1 ? largest ** 0.02 : 1.1)
  const [least, most] = intervalScale({
    points: [meanReward, ...grid.flatMap(({ low, high }) => [low, high])],
    intervals: grid.map(({ interval }) => interval),
  })
  const ticks = linearTicks(least, most, 7)
  const decimals = tickDecimals(ticks)
  const share = flipsAt === null ? 0 : Math.log(flipsAt / from) / Math.log(to / from)
  return {
    marginLeft: 20 + Math.max(...ticks.map((tick) => formatFixed(tick, decimals).length)) * 8,
    marginRight: narrow ? 16 : 24,
    marginTop: 36,
    marginBottom: 54,
    insetTop: 26,
    x: { type: 'log', domain: [from, to] },
    y: { domain: [least, most] },
    marks: [
      ...leftAxis(ticks, 'Mean reward per impression', {
        tickFormat: (tick) => formatFixed(tick, decimals),
      }),
      bottomAxis(
        (narrow ? NARROW_TICKS : TICKS).filter((tick) => tick <= largest),
        narrow ? 'Γ (log scale)' : 'Γ, the factor by which propensities may be off (log scale)',
        { text: gammaText },
      ),
      ...bandMarks(picture),
      ...pointedMarks(picture),
      ...loggedMarks(picture, to),
      ...(flipsAt === null || flipsAt === 1
        ? []
        : labelledRule({
            at: flipsAt,
            text: `flips above Γ = ${gammaText(flooredGamma(flipsAt))}`,
            onLeft: share > 0.6,
            isStrong: true,
            isSolid: true,
          })),
      hoverStrip(
        grid,
        {
          x1: (_: SensitivityPoint, k: number) => Math.sqrt(grid[k]!.gamma * (grid[k - 1]?.gamma ?? from)),
          x2: (_: SensitivityPoint, k: number) => Math.sqrt(grid[k]!.gamma * (grid[k + 1]?.gamma ?? to)),
          y1: least,
          y2: most,
        },
        (point) => hoverText(point, level),
        STRIPS,
      ),
    ],
  }
}

/** The bands, and the estimate with its interval where they begin. */
const bandMarks = ({ grid, hue, inner }: Picture): Plot.Markish[] => [
  Plot.areaY(grid, {
    x: 'gamma',
    y1: ({ interval }: SensitivityPoint) => interval[0],
    y2: ({ interval }: SensitivityPoint) => interval[1],
    fill: hue,
    fillOpacity: 0.16,
  }),
  Plot.areaY(grid, { x: 'gamma', y1: 'low', y2: 'high', fill: hue, fillOpacity: 0.32 }),
  Plot.ruleX([grid[0]!], {
    x: 'gamma',
    y1: ({ interval }: SensitivityPoint) => interval[0],
    y2: ({ interval }: SensitivityPoint) => interval[1],
    stroke: hue,
    strokeWidth: 1.5,
  }),
  inner
    ? Plot.ruleX([grid[0]!], { x: 'gamma', y1: inner[0], y2: inner[1], stroke: hue, strokeWidth: 5 })
    : null,
  Plot.dot([grid[0]!], {
    x: 'gamma',
    y: 'low',
    r: 6,
    fill: hue,
    stroke: colour('paper'),
    strokeWidth: 1.5,
  }),
]

/** What is pointed at: the values at one Γ, and their interval. */
function pointedMarks({ grid, at, hue }: Picture): Plot.Markish[] {
  const point = grid.find(({ gamma }) => gamma === at && gamma > 1)
  if (!point) return []
  const [y1, y2] = point.interval
  return [
    Plot.ruleX([point], { x: 'gamma', y1, y2, stroke: hue, strokeWidth: 2 }),
    Plot.ruleX([point], { x: 'gamma', y1: 'low', y2: 'high', stroke: hue, strokeWidth: 6 }),
  ]
}

/** The logged mean reward, named at its end. */
const loggedMarks = ({ meanReward }: Picture, to: number): Plot.Markish[] => [
  Plot.ruleY([meanReward], { stroke: colour('logged'), strokeWidth: 2 }),
  Plot.text(['logging policy'], {
    x: [to],
    y: [meanReward],
    dx: -4,
    dy: -8,
    textAnchor: 'end',
    lineAnchor: 'bottom',
    fill: colour('muted'),
    ...halo,
  }),
]

function hoverText({ gamma, low, high, interval }: SensitivityPoint, level: string): string {
  const { interval: range } = formatEstimate((low + high) / 2, [low, high])
  const { interval: outer } = formatEstimate((low + high) / 2, interval)
  return gamma === 1
    ? `Γ = 1: ${formatEstimate(low, interval).value}\n${level} CI ${outer}`
    : `Γ = ${gammaText(gamma)}: ${range}\n${level} CI ${outer}`
}
