import { counted, formatCount } from '../number-text.js'
import type { EpochRecord } from '../train/training.js'
import { ndcgLabel, runFinding } from '../words/run-finding.js'
import { bareMean, type SeedMean, sentences } from '../words/seed-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { drawLinePanels, type LinePanel, type PanelLine } from './line-panels.js'
import { boundedColumns, tableOf } from './table-cells.js'
import type { Frame } from './theme.js'
import { linearTicks } from './axes.js'

/** A training, finished or under way. */
export interface RunCurve extends Pick<PanelLine, 'label' | 'colour' | 'symbol' | 'hollow'> {
  /** In order; none yet for a run that has just begun. */
  readonly epochs: readonly EpochRecord[]
  /** The epoch whose model was kept, once that is known. */
  readonly kept?: number
}

export interface RunCurvesInput {
  readonly runs: readonly RunCurve[]
  /** k of NDCG@k; null where the runs differ in it. */
  readonly k: number | null
}

/** Of longer runs every second, third, … epoch is drawn, so that drawing keeps up with training. */
const MOST_EPOCHS = 160
/** Up to so many epochs each is a dot; beyond, runs of different lengths should look alike. */
const FEW_EPOCHS = 12
/** The bands of more runs would hide one another. */
const MOST_BANDS = 4

/**
 * How several trainings go, side by side and epoch by epoch: NDCG@k on the validation clicks; SNIPS of each policy
 * with its interval as a band, and its effective sample size as a share of the rows; the loss.
 */
export function runCurves(input: RunCurvesInput, options: FigureOptions): Chart {
  const { runs } = input
  const longest = Math.max(0, ...runs.map(({ epochs }) => epochs.at(-1)?.epoch ?? 0))
  if (longest === 0) throw nothingToDraw('no epoch was trained')
  const every = Math.ceil(longest / MOST_EPOCHS)
  const ndcg = ndcgLabel(input.k)
  const hasSnips = runs.some(({ epochs }) => epochs.some(({ snips }) => snips?.value != null))
  const bands =
    runs.length <= MOST_BANDS ? 'with its 95 % interval as a band' : '(intervals are in the table)'
  return drawChart(
    {
      name: 'run-curves',
      title: runFinding(input),
      subtitle: sentences(
        `${counted(runs.length, 'run')} of training, epoch by epoch: ${ndcg} on the validation clicks;`,
        hasSnips
          ? `SNIPS of the policy ${bands}, and its effective sample size as a share of the validation rows;`
          : undefined,
        'the loss of the training samples.',
        runs.some(({ kept }) => kept !== undefined) ? 'Rings: the epochs that were kept.' : undefined,
        every > 1 ? `One in ${every} epochs is drawn; the table has all.` : undefined,
      ),
      caption: sentences(
        'Validation clicks are held out from training. Where their curve falls while the loss still drops, a model overfits.',
        hasSnips
          ? 'SNIPS estimates the reward per impression if items were shown by the softmax of the model’s scores; the smaller the effective sample, the less certain it is.'
          : undefined,
        runs.length > 1
          ? 'Different losses have different units: compare their shapes, not their heights.'
          : undefined,
      ),
      table: tableOf(
        runs.flatMap(({ label, epochs, kept }) => epochs.map((record) => ({ label, kept, ...record }))),
        [
          { name: 'run', label: 'Run', of: 'label' },
          { name: 'epoch', label: 'Epoch', kind: 'count', of: 'epoch' },
          { name: 'loss', label: 'Loss', kind: 'number', of: 'loss' },
          { name: 'ndcg', label: ndcg, kind: 'number', of: 'ndcg' },
          ...boundedColumns({ name: 'snips', label: 'SNIPS' }, ({ snips }: EpochRecord) => snips),
          {
            name: 'effective_share',
            label: 'Effective sample',
            kind: 'share',
            of: ({ snips }) => snips?.essRatio,
          },
          { name: 'kept', label: 'Kept', of: ({ epoch, kept }) => (epoch === kept ? 'kept' : '') },
        ],
      ),
      draw: (frame) =>
        drawLinePanels(frame, {
          intervals: 'bands',
          mostDots: longest <= FEW_EPOCHS ? FEW_EPOCHS : 1,
          axis: {
            label: 'Epoch',
            ticks: ticksTo(longest, frame).map((at) => ({ at, text: formatCount(at) })),
            hover: (x) => `epoch ${formatCount(x)}`,
          },
          panels: panelsOf(input, every, frame),
        }),
    },
    options,
  )
}

function ticksTo(longest: number, { narrow }: Frame): number[] {
  const ticks = linearTicks(1, Math.max(2, longest), narrow ? 5 : 10).filter(Number.isInteger)
  return ticks.filter((tick) => tick <= longest)
}

/** The panels that there is something to draw in. */
function panelsOf(input: RunCurvesInput, every: number, { narrow }: Frame): LinePanel[] {
  const drawn = input.runs.map((run) => ({ ...run, epochs: run.epochs.filter(isDrawn(run, every)) }))
  const linesOf = (measure: (record: EpochRecord) => SeedMean): PanelLine[] =>
    drawn.flatMap(({ epochs, kept, ...look }) => {
      const points = epochs
        .map((record) => ({ x: record.epoch, ...measure(record) }))
        .filter(({ mean }) => mean !== null && Number.isFinite(mean))
      return points.length === 0 ? [] : [{ ...look, points, ...(kept !== undefined && { ringed: kept }) }]
    })
  const panels: LinePanel[] = [
    {
      label: `${ndcgLabel(input.k)}${input.k === null && !narrow ? ', k as each run has it' : ''}, validation clicks`,
      isTall: true,
      lines: linesOf(({ ndcg }) => bareMean(ndcg)),
    },
    {
      label: narrow ? 'SNIPS, reward per impression' : 'SNIPS of the policy, mean reward per impression',
      isTall: true,
      cutsIntervals: true,
      lines: linesOf(({ snips }) => ({
        mean: snips?.value ?? null,
        interval: input.runs.length <= MOST_BANDS ? (snips?.interval ?? null) : null,
      })),
    },
    {
      label: narrow ? 'Effective sample' : 'Effective sample size, share of the validation rows',
      percent: true,
      includes: [0],
      lines: linesOf(({ snips }) => bareMean(snips?.essRatio ?? null)),
    },
    {
      label: narrow ? 'Loss, mean of the samples' : 'Loss, mean of the epoch’s training samples',
      lines: linesOf(({ loss }) => bareMean(loss)),
    },
  ]
  return panels.filter(({ lines }) => lines.length > 0)
}

/** Besides every so many, the ends of a run and the epoch that was kept. */
const isDrawn =
  ({ epochs, kept }: RunCurve, every: number) =>
  ({ epoch }: EpochRecord, place: number): boolean =>
    epoch % every === 0 || place === 0 || place === epochs.length - 1 || epoch === kept
