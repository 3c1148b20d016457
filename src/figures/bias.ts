import type * as Plot from '@observablehq/plot'
import { counted, formatTick } from '../number-text.js'
import { biasCurveFinding, type BiasPoint, biasSweepFinding } from '../words/bias-finding.js'
import { overSeeds, peakOf, type SeedMean, sentences } from '../words/seed-text.js'
import { logTicks } from './axes.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { drawLinePanels, type LinePanel, type LinePicture, type PanelLine } from './line-panels.js'
import { boundedColumns, tableOf } from './table-cells.js'
import type { Frame } from './theme.js'

/** What logs of one temperature say about a target policy. */
export interface BiasSweepPoint extends BiasPoint {
  readonly truth: SeedMean
}

export interface BiasSweepInput {
  /** Where the logs come from, for the subtitle. */
  readonly world: string
  readonly targets: readonly {
    /** A word for the line. */
    readonly label: string
    /** What the policy is, where the word does not say it; for the caption. */
    readonly about?: string
    readonly points: readonly BiasSweepPoint[]
  }[]
  readonly seeds: number
}

/** Target policies differ in shape: colour says what is measured. */
const SYMBOLS: readonly Plot.SymbolType[] = ['circle', 'square', 'triangle', 'diamond', 'wye', 'star']

/**
 * SNIPS of several target policies and the effective sample size as the exposure bias of the logging policy
 * goes from strong to weak, beside the true values; the peak of each is ringed.
 */
export function biasSweep(input: BiasSweepInput, options: FigureOptions): Chart {
  const { world, targets, seeds } = input
  const points = targets.flatMap((target) => target.points)
  if (!points.some(({ snips }) => snips.mean !== null)) throw nothingToDraw('no temperature has an estimate')
  const temperatures = points.map(({ temperature }) => temperature)
  return drawChart(
    {
      name: 'bias-sweep',
      title: biasSweepFinding(targets),
      subtitle: sentences(
        `SNIPS of ${targets.length === 1 ? 'a target policy' : `${targets.length} target policies`} and effective share of the log (ESS/n) by temperature of the logging policy; ${overSeeds(seeds, 'bands')}.`,
        'Dashed: true values. Rings: the peak of each line.',
        `${world}.`,
      ),
      caption: sentences(
        'A low temperature nearly always shows popular items; a high one shows all items almost equally. The true value of a ' +
          'fixed policy does not depend on the logging policy; that of a learned one does, because it learns from the log. Where ' +
          'the effective share is small, few impressions inform SNIPS and it is unstable; bands far wider than the others are ' +
          'cut off.',
        aboutText(targets),
      ),
      table: tableOf(
        targets.flatMap(({ label, points: own }) => own.map((point) => ({ label, ...point }))),
        [
          { name: 'target', label: 'Target policy', of: 'label' },
          { name: 'temperature', label: 'Temperature', kind: 'number', isExact: true, of: 'temperature' },
          ...boundedColumns({ name: 'snips', label: 'SNIPS' }, ({ snips }: BiasSweepPoint) => snips),
          { name: 'truth', label: 'True value', kind: 'number', of: ({ truth }) => truth.mean },
          { name: 'ess_ratio', label: 'ESS/n', kind: 'share', of: ({ essRatio }) => essRatio.mean },
          { name: 'covered', label: 'Intervals that cover the truth', kind: 'count', of: 'covered' },
          { name: 'seeds', label: 'Seeds', kind: 'count', of: () => seeds },
        ],
      ),
      draw: (frame) =>
        drawLinePanels(frame, {
          intervals: 'bands',
          axis: temperatureAxis(temperatures, frame),
          panels: [
            rewardPanel(
              [
                ...targets.map((target) => ({
                  ...lineOf(`true value, ${target.label}`, target.points, ({ truth }) => truth),
                  colour: 'truth' as const,
                  dashed: true,
                  isQuiet: true,
                })),
                ...targets.map((target, k) => ({
                  ...lineOf(target.label, target.points, ({ snips }) => snips, true),
                  colour: 'snips' as const,
                  symbol: SYMBOLS[k % SYMBOLS.length]!,
                })),
              ],
              frame,
            ),
            sharePanel(
              targets.map((target, k) => ({
                ...lineOf(target.label, target.points, ({ essRatio }) => essRatio, true),
                colour: 'muted' as const,
                symbol: SYMBOLS[k % SYMBOLS.length]!,
              })),
              [0],
              frame,
            ),
          ],
        }),
    },
    options,
  )
}

function aboutText(targets: BiasSweepInput['targets']): string {
  const told = targets.flatMap(({ about }) => about ?? [])
  return told.length === 0 ? '' : `The target policies in full: ${told.join('; ')}.`
}

function lineOf(
  label: string,
  points: readonly BiasSweepPoint[],
  measure: (point: BiasSweepPoint) => SeedMean,
  isRinged = false,
): Omit<PanelLine, 'colour'> {
  const peak = isRinged ? peakOf(points, measure) : undefined
  return {
    label,
    points: points.map((point) => ({ x: point.temperature, ...measure(point) })),
    ...(peak && { ringed: peak.at.temperature }),
  }
}

/** The axis of exposure bias, from strong to weak: temperatures of logging policies. */
function temperatureAxis(temperatures: readonly number[], { narrow }: Frame): LinePicture['axis'] {
  const [low, high] = [Math.min(...temperatures), Math.max(...temperatures)]
  return {
    label: narrow ? 'Temperature of the log (log scale)' : 'Temperature of the logging policy (log scale)',
    isLog: true,
    ticks: logTicks(low * 0.999, high * 1.001, narrow ? 6 : 10).map((at) => ({ at, text: formatTick(at) })),
    hover: (x) => `temperature ${formatTick(x)}`,
    ends: ['stronger bias', 'weaker bias'],
  }
}

/** The estimate by SNIPS, and the truth. */
const rewardPanel = (lines: readonly PanelLine[], { narrow }: Frame): LinePanel => ({
  label: narrow ? 'Reward per impression' : 'Mean reward per impression: SNIPS, and the truth (dashed)',
  isTall: true,
  cutsIntervals: true,
  lines,
})

/** How much of the log it rests on. */
const sharePanel = (
  lines: readonly PanelLine[],
  includes: readonly number[],
  { narrow }: Frame,
): LinePanel => ({
  label: narrow ? 'ESS/n' : 'Effective share of the log, ESS/n',
  percent: true,
  includes,
  lines,
})

/** What one log shows about the target policy. */
interface BiasedLogPoint {
  /** Of its logging policy. */
  readonly temperature: number
  /** SNIPS and its interval within this log. */
  readonly snips: SeedMean
  readonly truth: number
  readonly essRatio: number | null
}

export interface BiasCurveInput {
  /** Where the logs come from, for the subtitle. */
  readonly world: string
  /** The target policy in words. */
  readonly target: string
  /** Of each temperature, rising; without a mean where it is not known yet. */
  readonly points: readonly BiasSweepPoint[]
  /** How many the means rest on; 0 where there are none yet. */
  readonly seeds: number
  /** The log to mark on the curve. */
  readonly here: BiasedLogPoint
}

/**
 * SNIPS of one target policy, the truth and the effective share of the log, as the exposure bias of the logging
 * policy goes from strong to weak, with one log marked at its place.
 */
export function biasCurve(input: BiasCurveInput, options: FigureOptions): Chart {
  const { world, target, points, seeds, here } = input
  const temperatures = [here.temperature, ...points.map(({ temperature }) => temperature)]
  return drawChart(
    {
      name: 'bias-curve',
      title: biasCurveFinding(input),
      subtitle: sentences(
        `SNIPS and effective share of the log (ESS/n) of a target policy by temperature of the logging policy;`,
        seeds > 0 ? `${overSeeds(seeds, 'bands')}.` : 'one log so far.',
        `Hollow: one log at temperature ${formatTick(here.temperature)}, with its 95 % interval. Dashed: true value.`,
        `Target: ${target}. ${world}.`,
      ),
      caption:
        'A low temperature nearly always shows popular items; a high one shows all items almost equally. The value of the ' +
        'target policy does not depend on the logging policy. Where the effective share is small, few impressions inform ' +
        'SNIPS and it is unstable; bands far wider than the others are cut off.',
      table: tableOf(
        [
          { ...here, logs: 'this log', covered: isWithin(here) ? 1 : 0 },
          ...measured(points).map(({ truth, essRatio, ...point }) => ({
            ...point,
            logs: counted(seeds, 'seed'),
            truth: truth.mean,
            essRatio: essRatio.mean,
          })),
        ],
        [
          { name: 'logs', label: 'Logs', of: 'logs' },
          { name: 'temperature', label: 'Temperature', kind: 'number', isExact: true, of: 'temperature' },
          ...boundedColumns(
            { name: 'snips', label: 'SNIPS' },
            ({ snips }: Pick<BiasedLogPoint, 'snips'>) => snips,
          ),
          { name: 'truth', label: 'True value', kind: 'number', of: 'truth' },
          { name: 'ess_ratio', label: 'ESS/n', kind: 'share', of: 'essRatio' },
          { name: 'covered', label: 'Intervals that cover the truth', kind: 'count', of: 'covered' },
        ],
      ),
      draw: (frame) =>
        drawLinePanels(frame, {
          intervals: 'bands',
          axis: {
            ...temperatureAxis(temperatures, frame),
            mark: { at: here.temperature, text: `temperature ${formatTick(here.temperature)}` },
          },
          panels: [
            rewardPanel(
              [
                {
                  label: 'true value',
                  colour: 'truth',
                  dashed: true,
                  isQuiet: true,
                  points: [
                    ...points.map(({ temperature: x, truth }) => ({ x, ...truth })),
                    { x: here.temperature, mean: here.truth, interval: null },
                  ].toSorted((a, b) => a.x - b.x),
                },
                meanLine(input, 'snips', ({ snips }) => snips),
                hereLine(here, 'snips', here.snips),
              ],
              frame,
            ),
            sharePanel(
              [
                meanLine(input, 'muted', ({ essRatio }) => essRatio),
                hereLine(here, 'muted', { mean: here.essRatio, interval: null }),
              ],
              [0, 1],
              frame,
            ),
          ],
        }),
    },
    options,
  )
}

const measured = (points: readonly BiasSweepPoint[]): BiasSweepPoint[] =>
  points.filter(({ snips, essRatio }) => snips.mean !== null || essRatio.mean !== null)

const isWithin = ({ snips: { interval }, truth }: BiasedLogPoint): boolean =>
  interval !== null && interval[0] <= truth && truth <= interval[1]

/** The line of the means; before there are any it has no name, but its places keep their room on the axis. */
const meanLine = (
  { points, seeds }: BiasCurveInput,
  colour: PanelLine['colour'],
  measure: (point: BiasSweepPoint) => SeedMean,
): PanelLine => ({
  label: counted(seeds, 'seed'),
  colour,
  points: points.map((point) => ({ x: point.temperature, ...measure(point) })),
  isQuiet: seeds === 0,
})

const hereLine = (
  { temperature }: BiasedLogPoint,
  colour: PanelLine['colour'],
  point: SeedMean,
): PanelLine => ({ label: 'this log', colour, hollow: true, points: [{ x: temperature, ...point }] })
