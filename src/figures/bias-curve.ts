import { counted, formatTick } from '../number-text.js'
import { biasCurveFinding } from '../words/bias-finding.js'
import { overSeeds, type SeedMean, sentences } from '../words/seed-text.js'
import { type BiasSweepPoint, rewardPanel, sharePanel, temperatureAxis } from './bias-sweep.js'
import { type Chart, drawChart, type FigureOptions } from './chart.js'
import { drawLinePanels, type PanelLine } from './line-panels.js'
import { meanCells, tableNumbers, withBounds } from './table-cells.js'

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
      table: {
        columns: [
          { name: 'logs', label: 'Logs' },
          { name: 'temperature', label: 'Temperature', kind: 'number' },
          ...withBounds({ name: 'snips', label: 'SNIPS' }),
          { name: 'truth', label: 'True value', kind: 'number' },
          { name: 'ess_ratio', label: 'ESS/n', kind: 'share' },
          { name: 'covered', label: 'Intervals that cover the truth', kind: 'count' },
        ],
        rows: [
          [
            'this log',
            here.temperature,
            ...meanCells(here.snips),
            ...tableNumbers([here.truth, here.essRatio]),
            isWithin(here) ? 1 : 0,
          ],
          ...measured(points).map(({ temperature, snips, truth, essRatio, covered }) => [
            counted(seeds, 'seed'),
            temperature,
            ...meanCells(snips),
            ...tableNumbers([truth.mean, essRatio.mean]),
            covered,
          ]),
        ],
      },
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
