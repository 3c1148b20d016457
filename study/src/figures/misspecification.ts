import type * as Plot from '@observablehq/plot'
import { estimatorLabel, formatTick, listed } from 'hindcast'
import {
  type Chart,
  drawChart,
  drawLinePanels,
  familyColour,
  type FigureOptions,
  type LinePanel,
  meanCells,
  nothingToDraw,
  overSeedsText,
  type SeedMean,
  sentences,
  tableNumbers,
  withBounds,
} from 'hindcast/figures'

/** How far estimators are off with propensities b^γ in place of b. */
interface MisspecifiedPoint {
  readonly gamma: number
  readonly estimators: readonly {
    readonly estimator: string
    /** Mean of estimate minus truth. */
    readonly error: SeedMean
    readonly rmse: number | null
  }[]
  /** 1 where the propensities are right. */
  readonly meanWeight: SeedMean
}

export interface MisspecificationInput {
  readonly targets: readonly { readonly label: string; readonly points: readonly MisspecifiedPoint[] }[]
  /** Of the logging policy. */
  readonly temperature: number
  readonly seeds: number
  readonly world: string
}

const SYMBOLS: Readonly<Record<string, Plot.SymbolType>> = {
  dm: 'circle',
  ips: 'triangle',
  snips: 'square',
  dr: 'diamond',
}

/** Error of each estimator when the propensities are wrong by an exponent γ: a panel for each target policy. */
export function misspecification(input: MisspecificationInput, options: FigureOptions): Chart {
  const { targets, temperature, seeds, world } = input
  const gammas = [...new Set(targets.flatMap(({ points }) => points.map(({ gamma }) => gamma)))].sort(
    (a, b) => a - b,
  )
  if (gammas.length === 0) throw nothingToDraw('no exponent was tried')
  return drawChart(
    {
      name: 'misspecification',
      title: findingOf(input),
      subtitle: sentences(
        `Bias of each estimator (estimate minus truth) with propensities b^γ, renormalised, in place of the true b; logs of temperature ${formatTick(temperature)}; ${overSeedsText(seeds, 'bands')}.`,
        `${world}.`,
      ),
      caption:
        'At γ = 1, the propensities are right. Below 1, they are flatter than the truth, as when an estimate shrinks them; above 1, ' +
        'steeper. A mean weight away from 1 reveals the error; SNIPS divides by it, IPS does not.',
      table: {
        columns: [
          { name: 'target', label: 'Target policy' },
          { name: 'gamma', label: 'γ', kind: 'number' },
          { name: 'estimator', label: 'Estimator' },
          ...withBounds({ name: 'bias', label: 'Bias' }),
          { name: 'rmse', label: 'RMSE', kind: 'number' },
          { name: 'mean_weight', label: 'Mean weight', kind: 'number' },
        ],
        rows: targets.flatMap(({ label, points }) =>
          points.flatMap(({ gamma, estimators, meanWeight }) =>
            estimators.map(({ estimator, error, rmse }) => [
              label,
              gamma,
              estimatorLabel(estimator),
              ...meanCells(error),
              ...tableNumbers([rmse, meanWeight.mean]),
            ]),
          ),
        ),
      },
      draw: (frame) =>
        drawLinePanels(frame, {
          intervals: 'bands',
          axis: {
            label: 'Exponent γ of the propensities',
            ticks: gammas
              .filter((_, k) => !frame.narrow || gammas.length < 7 || k % 2 === 0)
              .map((at) => ({ at, text: formatTick(at) })),
            hover: (x) => `γ = ${formatTick(x)}`,
            mark: { at: 1, text: 'right propensities' },
            ends: frame.narrow
              ? ['too flat', 'too steep']
              : ['propensities too flat', 'propensities too steep'],
          },
          panels: targets.map(({ label, points }): LinePanel => ({
            label: frame.narrow ? `Bias: ${label}` : `Bias, clicks per impression: ${label}`,
            isTall: true,
            level: 0,
            lines: estimatorsOf(points).map((estimator) => ({
              label: estimatorLabel(estimator),
              colour: familyColour(estimator),
              symbol: SYMBOLS[estimator] ?? 'wye',
              points: points.flatMap((point) => {
                const found = point.estimators.find((each) => each.estimator === estimator)
                return found ? [{ x: point.gamma, ...found.error }] : []
              }),
            })),
          })),
        }),
    },
    options,
  )
}

const estimatorsOf = (points: readonly MisspecifiedPoint[]): string[] => [
  ...new Set(points.flatMap(({ estimators }) => estimators.map(({ estimator }) => estimator))),
]

/** How far wrong propensities move the mean estimate of each estimator from where right ones put it, the most moved first. */
function findingOf({ targets }: MisspecificationInput): string {
  const moved = estimatorsOf(targets.flatMap(({ points }) => points))
    .map((estimator) => ({
      label: estimatorLabel(estimator),
      most: Math.max(0, ...targets.flatMap(({ points }) => movesOf(points, estimator))),
    }))
    .toSorted((a, b) => b.most - a.most)
  const still = moved.filter(({ most }) => most < 1e-9).map(({ label }) => label)
  const texts = moved
    .slice(0, moved.length - still.length)
    .map(({ label, most }, k) => `${label}${k === 0 ? ' by up to' : ' by'} ${Number(most.toPrecision(2))}`)
  if (texts.length === 0) return 'Wrong propensities do not move any estimate'
  return `Wrong propensities move ${listed(texts)} clicks per impression${still.length > 0 ? `, and do not move ${listed(still)}` : ''}`
}

function movesOf(points: readonly MisspecifiedPoint[], estimator: string): number[] {
  const errorAt = (point: MisspecifiedPoint | undefined): number | null =>
    point?.estimators.find((each) => each.estimator === estimator)?.error.mean ?? null
  const right = errorAt(points.find(({ gamma }) => gamma === 1)) ?? 0
  return points.flatMap((point) => {
    const error = errorAt(point)
    return error === null ? [] : [Math.abs(error - right)]
  })
}
