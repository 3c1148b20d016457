import type * as Plot from '@observablehq/plot'
import { formatTick } from '../number-text.js'
import { biasSweepFinding } from '../words/bias-finding.js'
import { overSeeds, peakOf, type SeedMean, sentences } from '../words/seed-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { drawLinePanels, type LinePanel, type LinePicture, type PanelLine } from './line-panels.js'
import { meanCells, tableNumbers, withBounds } from './table-cells.js'
import type { Frame } from './theme.js'
import { logTicks } from './axes.js'

/** What logs of one temperature say about a target policy. */
export interface BiasSweepPoint {
  /** Of the logging policy: low is strong exposure bias, high is near uniform. */
  readonly temperature: number
  readonly snips: SeedMean
  readonly truth: SeedMean
  /** ESS over the rows of the log. */
  readonly essRatio: SeedMean
  /** How many of the seeds' 95 % intervals cover the truth. */
  readonly covered: number
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
      table: {
        columns: [
          { name: 'target', label: 'Target policy' },
          { name: 'temperature', label: 'Temperature', kind: 'number' },
          ...withBounds({ name: 'snips', label: 'SNIPS' }),
          { name: 'truth', label: 'True value', kind: 'number' },
          { name: 'ess_ratio', label: 'ESS/n', kind: 'share' },
          { name: 'covered', label: 'Intervals that cover the truth', kind: 'count' },
          { name: 'seeds', label: 'Seeds', kind: 'count' },
        ],
        rows: targets.flatMap(({ label, points: own }) =>
          own.map(({ temperature, snips, truth, essRatio, covered }) => [
            label,
            temperature,
            ...meanCells(snips),
            ...tableNumbers([truth.mean, essRatio.mean]),
            covered,
            seeds,
          ]),
        ),
      },
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
export function temperatureAxis(temperatures: readonly number[], { narrow }: Frame): LinePicture['axis'] {
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
export const rewardPanel = (lines: readonly PanelLine[], { narrow }: Frame): LinePanel => ({
  label: narrow ? 'Reward per impression' : 'Mean reward per impression: SNIPS, and the truth (dashed)',
  isTall: true,
  cutsIntervals: true,
  lines,
})

/** How much of the log it rests on. */
export const sharePanel = (
  lines: readonly PanelLine[],
  includes: readonly number[],
  { narrow }: Frame,
): LinePanel => ({
  label: narrow ? 'ESS/n' : 'Effective share of the log, ESS/n',
  percent: true,
  includes,
  lines,
})
