import type * as Plot from '@observablehq/plot'
import { formatTick } from 'hindcast'
import {
  type Chart,
  type ColourName,
  drawChart,
  drawLinePanels,
  type FigureOptions,
  type LinePanel,
  meanCells,
  nothingToDraw,
  overSeedsText,
  type SeedMean,
  sentences,
  withBounds,
} from 'hindcast/figures'
import { methodsFinding } from '../words/methods-finding.js'

/** How good a method is at one temperature of the log it was trained on. */
interface MethodComparisonPoint {
  readonly temperature: number
  readonly truth: SeedMean
  /** NDCG@k on held-out clicks under uniform exposure, and under that of the logging policy. */
  readonly uniformNdcg: SeedMean
  readonly biasedNdcg: SeedMean
}

export interface MethodComparisonInput {
  readonly methods: readonly {
    readonly label: string
    readonly colour: ColourName
    /** Not trained here: drawn hollow. */
    readonly isBaseline: boolean
    readonly points: readonly MethodComparisonPoint[]
  }[]
  readonly k: number
  readonly seeds: number
  readonly world: string
}

type Measure = (point: MethodComparisonPoint) => SeedMean

const BASELINE_SYMBOLS: readonly Plot.SymbolType[] = ['square', 'triangle', 'diamond', 'wye']

/** True value and NDCG, under uniform and under biased exposure, of several methods by the temperature of the log. */
export function methodComparison(input: MethodComparisonInput, options: FigureOptions): Chart {
  const { methods, k, seeds, world } = input
  const temperatures = [
    ...new Set(methods.flatMap(({ points }) => points.map(({ temperature }) => temperature))),
  ].sort((a, b) => a - b)
  if (temperatures.length === 0) throw nothingToDraw('no method was measured')
  const measures: readonly (readonly [Measure, string, string])[] = [
    [({ truth }) => truth, 'True value, clicks per impression', 'True value'],
    [
      ({ uniformNdcg }) => uniformNdcg,
      `NDCG@${k} on held-out clicks, all items shown equally`,
      `NDCG@${k}, all items shown equally`,
    ],
    [
      ({ biasedNdcg }) => biasedNdcg,
      `NDCG@${k} on held-out clicks, items shown by the logging policy`,
      `NDCG@${k}, shown by the logging policy`,
    ],
  ]
  const baselines = methods.filter(({ isBaseline }) => isBaseline)
  return drawChart(
    {
      name: 'method-comparison',
      title: methodsFinding(input),
      subtitle: sentences(
        `What the policy of each method earns, and how well it ranks held-out clicks, by temperature of its training log; ${overSeedsText(seeds, 'lines')}.`,
        baselines.length > 0 ? 'Hollow: baselines.' : '',
        `${world}.`,
      ),
      caption:
        'Held-out clicks from a log that showed all items equally do not favour popular items; those of the logging policy do. A ' +
        'method that wins only on the latter has learned what was shown, not what users like.',
      table: {
        columns: [
          { name: 'method', label: 'Method' },
          { name: 'temperature', label: 'Temperature', kind: 'number' },
          ...(
            [
              ['truth', 'True value'],
              ['ndcg_uniform', `NDCG@${k}, uniform exposure`],
              ['ndcg_biased', `NDCG@${k}, biased exposure`],
            ] as const
          ).flatMap(([name, label]) => withBounds({ name, label })),
        ],
        rows: methods.flatMap(({ label, points }) =>
          points.map((point) => [
            label,
            point.temperature,
            ...measures.map(([measure]) => measure(point)).flatMap(meanCells),
          ]),
        ),
      },
      draw: (frame) =>
        drawLinePanels(frame, {
          intervals: 'bars',
          axis: {
            label: frame.narrow
              ? 'Temperature of the log (log scale)'
              : 'Temperature of the logging policy (log scale)',
            isLog: true,
            ticks: temperatures.map((at) => ({ at, text: formatTick(at) })),
            hover: (x) => `temperature ${formatTick(x)}`,
            ends: ['stronger bias', 'weaker bias'],
          },
          panels: measures.map(([measure, label, short]): LinePanel => ({
            label: frame.narrow ? short : label,
            isTall: true,
            lines: methods.map((method, place) => ({
              label: method.label,
              colour: method.colour,
              points: method.points.map((point) => ({ x: point.temperature, ...measure(point) })),
              shift: (place - (methods.length - 1) / 2) * (frame.narrow ? 4 : 7),
              ...(method.isBaseline && {
                hollow: true,
                symbol: BASELINE_SYMBOLS[baselines.indexOf(method) % BASELINE_SYMBOLS.length]!,
              }),
            })),
          })),
        }),
    },
    options,
  )
}
