import { formatCount, formatTick } from 'hindcast'
import {
  type Chart,
  type ColourName,
  drawChart,
  drawLinePanels,
  type FigureOptions,
  linearTicks,
  meanCells,
  nothingToDraw,
  overSeedsText,
  type PanelLine,
  type SeedMean,
  sentences,
  withBounds,
} from 'hindcast/figures'
import { curvesFinding } from '../words/curves-finding.js'

/** What a method is worth after an epoch. */
interface MethodCurvePoint {
  readonly epoch: number
  /** On held-out logs. */
  readonly snips: SeedMean
  readonly truth: SeedMean
}

export interface MethodCurvesInput {
  readonly methods: readonly {
    readonly label: string
    readonly colour: ColourName
    readonly points: readonly MethodCurvePoint[]
  }[]
  /** Of the logging policy. */
  readonly temperature: number
  /** α of the propensity regulariser. */
  readonly alpha: number
  readonly seeds: number
  /** Where the logs come from, for the subtitle. */
  readonly world: string
}

/** SNIPS on held-out logs and the true value of several training methods, epoch by epoch, with bands over seeds. */
export function methodCurves(input: MethodCurvesInput, options: FigureOptions): Chart {
  const { methods, temperature, alpha, seeds, world } = input
  const epochs = methods.flatMap(({ points }) => points.map(({ epoch }) => epoch))
  if (epochs.length === 0) throw nothingToDraw('no epoch was measured')
  const [first, last] = [Math.min(...epochs), Math.max(...epochs)]
  const linesOf = (measure: (point: MethodCurvePoint) => SeedMean): PanelLine[] =>
    methods.map(({ label, colour, points }) => ({
      label,
      colour,
      points: points.map((point) => ({ x: point.epoch, ...measure(point) })),
    }))
  return drawChart(
    {
      name: 'method-curves',
      title: curvesFinding(input),
      subtitle: sentences(
        `What the policy of each training method earns after each epoch, by SNIPS on a held-out log and by its true value; ${overSeedsText(seeds, 'bands')}.`,
        `Logs of temperature ${formatTick(temperature)}, PR with α = ${formatTick(alpha)}. ${world}.`,
      ),
      caption:
        'SNIPS can be known outside a simulation: it uses a held-out log and only pairs that training did not show. The true value shows ' +
        'whether SNIPS is right. A curve that falls towards the end overfits; one that jumps from epoch to epoch is unstable.',
      table: {
        columns: [
          { name: 'method', label: 'Method' },
          { name: 'epoch', label: 'Epoch', kind: 'count' },
          ...withBounds({ name: 'snips', label: 'SNIPS' }),
          ...withBounds({ name: 'truth', label: 'True value' }),
        ],
        rows: methods.flatMap(({ label, points }) =>
          points.map(({ epoch, snips, truth }) => [label, epoch, ...[snips, truth].flatMap(meanCells)]),
        ),
      },
      draw: (frame) =>
        drawLinePanels(frame, {
          intervals: 'bands',
          axis: {
            label: 'Epoch',
            ticks: linearTicks(first, last, frame.narrow ? 5 : 10)
              .filter(Number.isInteger)
              .map((at) => ({ at, text: formatCount(at) })),
            hover: (x) => `epoch ${formatCount(x)}`,
          },
          panels: [
            {
              label: frame.narrow
                ? 'SNIPS, reward per impression'
                : 'SNIPS on a held-out log, mean reward per impression',
              isTall: true,
              lines: linesOf(({ snips }) => snips),
            },
            {
              label: frame.narrow ? 'True value' : 'True value, mean reward per impression',
              isTall: true,
              lines: linesOf(({ truth }) => truth),
            },
          ],
        }),
    },
    options,
  )
}
