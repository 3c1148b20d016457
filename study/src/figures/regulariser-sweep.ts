import { formatTick } from 'hindcast'
import {
  type Chart,
  type ColourName,
  drawChart,
  drawLinePanels,
  type FigureOptions,
  meanCells,
  nothingToDraw,
  overSeedsText,
  type PanelLine,
  peakOf,
  type SeedMean,
  sentences,
  withBounds,
} from 'hindcast/figures'

/** What a strength of the regulariser gives. */
interface RegulariserSweepPoint {
  /** Null is ∞: all clicks count equally. */
  readonly alpha: number | null
  /** Effective share of the training events. */
  readonly trainingEssRatio: SeedMean
  readonly truth: SeedMean
  readonly snips: SeedMean
  readonly ndcgBiased: SeedMean
  readonly ndcgUniform: SeedMean
}

export interface RegulariserSweepInput {
  readonly points: readonly RegulariserSweepPoint[]
  /** Of the logging policy. */
  readonly temperature: number
  readonly k: number
  readonly seeds: number
  readonly world: string
}

const alphaText = (alpha: number | null): string => (alpha === null ? '∞' : formatTick(alpha))

/**
 * What the strength α of the propensity regulariser does, from none (0: IPS weights unchanged) to all (∞: plain
 * BPR): value of the learned policy, ranking quality, and how many training events carry weight.
 */
export function regulariserSweep(input: RegulariserSweepInput, options: FigureOptions): Chart {
  const { points, temperature, k, seeds, world } = input
  if (points.length === 0) throw nothingToDraw('no strength of the regulariser was tried')
  const finite = points.flatMap(({ alpha }) => (alpha !== null && alpha > 0 ? [alpha] : []))
  const [least, most] = finite.length > 0 ? [Math.min(...finite), Math.max(...finite)] : [0.1, 10]
  const step = Math.max(2, (most / least) ** 0.12)
  // 0 and ∞ have no place on a logarithmic axis: they stand one step outside.
  const xOf = (alpha: number | null): number =>
    alpha === null ? most * step : alpha === 0 ? least / step : alpha
  const line = (
    label: string,
    colour: ColourName,
    measure: (point: RegulariserSweepPoint) => SeedMean,
    isRinged = true,
  ): PanelLine => {
    const peak = isRinged ? peakOf(points, measure) : undefined
    return {
      label,
      colour,
      points: points.map((point) => ({ x: xOf(point.alpha), ...measure(point) })),
      ...(peak && { ringed: xOf(peak.at.alpha) }),
    }
  }
  return drawChart(
    {
      name: 'regulariser-sweep',
      title: findingOf(input),
      subtitle: sentences(
        `IPS-BPR with propensity regulariser of strength α, trained on logs of temperature ${formatTick(temperature)}; ${overSeedsText(seeds, 'bands')}.`,
        'Rings: the peak of each line.',
        `${world}.`,
      ),
      caption:
        'The regulariser turns a weight w into w/(1 + αw): at α = 0 weights are unchanged; at ∞ every click counts equally, as in plain ' +
        'BPR. The larger α, the more training events carry weight, and the more the model learns what was shown instead of what users like.',
      table: {
        columns: [
          { name: 'alpha', label: 'α', kind: 'number' },
          ...(
            [
              ['truth', 'True value', 'number'],
              ['snips', 'SNIPS', 'number'],
              ['ndcg_uniform', `NDCG@${k}, uniform exposure`, 'number'],
              ['ndcg_biased', `NDCG@${k}, biased exposure`, 'number'],
              ['training_ess_ratio', 'Effective training events', 'share'],
            ] as const
          ).flatMap(([name, label, kind]) => withBounds({ name, label, kind })),
        ],
        rows: points.map(({ alpha, truth, snips, ndcgUniform, ndcgBiased, trainingEssRatio }) => [
          alpha === null ? '∞' : alpha,
          ...[truth, snips, ndcgUniform, ndcgBiased, trainingEssRatio].flatMap(meanCells),
        ]),
      },
      draw: (frame) =>
        drawLinePanels(frame, {
          intervals: 'bands',
          axis: {
            label: 'Strength α of the regulariser (log scale)',
            isLog: true,
            ticks: points.map(({ alpha }) => ({ at: xOf(alpha), text: alphaText(alpha) })),
            hover: (x) => `α = ${alphaText(points.find(({ alpha }) => xOf(alpha) === x)?.alpha ?? null)}`,
            ends: frame.narrow ? ['IPS-BPR', 'plain BPR'] : ['0: weights unchanged', '∞: plain BPR'],
          },
          panels: [
            {
              label: frame.narrow
                ? 'Reward per impression'
                : 'Mean reward per impression of the learned policy',
              isTall: true,
              lines: [
                { ...line('true value', 'truth', ({ truth }) => truth), dashed: true },
                line('SNIPS', 'snips', ({ snips }) => snips),
              ],
            },
            {
              label: `NDCG@${k} on held-out clicks`,
              isTall: true,
              lines: [
                line('uniform exposure', 'ips-bpr', ({ ndcgUniform }) => ndcgUniform),
                line('biased exposure', 'logged', ({ ndcgBiased }) => ndcgBiased),
              ],
            },
            {
              label: frame.narrow ? 'Effective training events' : 'Effective share of the training events',
              percent: true,
              includes: [0],
              lines: [line('training events', 'muted', ({ trainingEssRatio }) => trainingEssRatio, false)],
            },
          ],
        }),
    },
    options,
  )
}

function findingOf({ points, k }: RegulariserSweepInput): string {
  const best = (measure: (point: RegulariserSweepPoint) => SeedMean): string => {
    const peak = peakOf(points, measure)
    return peak
      ? `at α\u00a0=\u00a0${alphaText(peak.at.alpha)}${peak.isLevel ? ' (no clear peak)' : ''}`
      : 'nowhere'
  }
  return `The true value is highest ${best(({ truth }) => truth)}; NDCG@${k} under uniform exposure ${best(({ ndcgUniform }) => ndcgUniform)}`
}
