import * as Plot from '@observablehq/plot'
import { counted, formatCount } from '../number-text.js'
import type { EpochRecord, Training } from '../train/training.js'
import { formatEstimate } from '../words/estimate-text.js'
import { learningFinding } from '../words/run-finding.js'
import { recordedMeasure } from '../train/stopping-measures.js'
import { capitalised, formatScore, measureLabel } from '../words/training-text.js'
import { bottomAxis, linearTicks, ruleLabel } from './axes.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { hoverStrip } from './rows-layout.js'
import { intervalScale } from './interval-layout.js'
import { type Panel, spreadLabels, stackPanels } from './panels.js'
import { boundedColumns, tableOf } from './table-cells.js'
import { colour, type ColourName, type Frame } from './theme.js'

export interface LearningCurvesInput {
  /** In order. */
  readonly epochs: readonly EpochRecord[]
  readonly best: Training['best']
  /** k of NDCG@k and recall@k. */
  readonly k: number
}

/** A value at an epoch. */
interface CurvePoint {
  epoch: number
  value: number
}

/** A SNIPS value at an epoch. */
interface BandPoint extends CurvePoint {
  interval: readonly [number, number] | null
}

interface Picture {
  input: LearningCurvesInput
  /** What training stops on, where it is none of the others. */
  stopping: readonly CurvePoint[]
  ndcg: readonly CurvePoint[]
  recall: readonly CurvePoint[]
  snips: readonly BandPoint[]
  loss: readonly CurvePoint[]
}

/** With at most so many points of a curve each gets a dot. */
const MOST_DOTS = 40
/** At most about so many epochs say their numbers on hover. */
const MOST_HOVERED = 250

/**
 * How training went, epoch by epoch: what it stops on where that is none of the others, NDCG@k and recall@k on the
 * validation clicks, SNIPS with its interval as a band where it was measured, and the loss, one below the other, with
 * the epoch that was kept.
 */
export function learningCurves(input: LearningCurvesInput, options: FigureOptions): Chart {
  const { epochs, best, k } = input
  if (epochs.length === 0) throw nothingToDraw('no epoch was trained')
  const curve = (value: (record: EpochRecord) => number | null): CurvePoint[] =>
    epochs.flatMap((record) => {
      const found = value(record)
      return found === null || !Number.isFinite(found) ? [] : [{ epoch: record.epoch, value: found }]
    })
  const isDrawn = ['ndcg', 'recall', 'snips'].includes(best.measure)
  const picture: Picture = {
    input,
    stopping: isDrawn ? [] : curve((record) => recordedMeasure(best.measure, record)),
    ndcg: curve(({ ndcg }) => ndcg),
    recall: curve(({ recall }) => recall),
    snips: epochs.flatMap(({ epoch, snips }) =>
      snips?.value === null || snips?.value === undefined
        ? []
        : [{ epoch, value: snips.value, interval: snips.interval }],
    ),
    loss: curve(({ loss }) => loss),
  }
  const hasIntervals = picture.snips.some(({ interval }) => interval)
  return drawChart(
    {
      name: 'learning-curves',
      title: learningFinding(input),
      subtitle: [
        `Training over ${counted(epochs.length, 'epoch')}:`,
        [
          picture.stopping.length > 0 ? `${measureLabel(best.measure, k)}, which training stops on` : '',
          picture.ndcg.length > 0 ? `NDCG@${k} and recall@${k} on the validation clicks` : '',
          picture.snips.length > 0
            ? `SNIPS of the model’s policy on the validation log${hasIntervals ? ' with its 95 % interval' : ''}`
            : '',
          'the loss of the training samples',
        ]
          .filter(Boolean)
          .join('; ') + '.',
      ].join(' '),
      caption:
        'Validation clicks are held out from training. Where their curve falls while the loss still drops, the model ' +
        'overfits; the epoch that was kept comes before that.' +
        (picture.snips.length > 0
          ? ' SNIPS estimates the reward per impression if items were shown by the softmax of the model’s scores.'
          : ''),
      table: tableOf(epochs, [
        { name: 'epoch', label: 'Epoch', kind: 'count', of: 'epoch' },
        { name: 'loss', label: 'Loss', kind: 'number', of: 'loss' },
        { name: 'ndcg', label: `NDCG@${k}`, kind: 'number', of: 'ndcg' },
        { name: 'recall', label: `Recall@${k}`, kind: 'number', of: 'recall' },
        ...boundedColumns({ name: 'snips', label: 'SNIPS' }, ({ snips }: EpochRecord) => snips),
        picture.stopping.length > 0
          ? {
              name: 'stopping',
              label: capitalised(measureLabel(best.measure, k)),
              kind: 'number',
              of: (record) => recordedMeasure(best.measure, record),
            }
          : null,
        { name: 'kept', label: 'Kept', of: ({ epoch }) => (epoch === best.epoch ? 'kept' : '') },
      ]),
      draw: (frame) => draw(frame, picture),
    },
    options,
  )
}

/** The panels that there is something to draw in, from top to bottom. */
function panelsOf({ input: { k, best }, stopping, ndcg, recall, snips, loss }: Picture, narrow: boolean) {
  const ranking = [...ndcg, ...recall].map(({ value }) => value)
  const bands = snips.flatMap(({ interval }) => (interval ? [interval] : []))
  const [small, large] = narrow ? [72, 150] : [84, 190]
  const { panels, options } = stackPanels([
    ...(stopping.length > 0
      ? [
          {
            label: `${capitalised(measureLabel(best.measure, k))}, which training stops on`,
            range: rangeOf(stopping.map(({ value }) => value)),
            height: small,
            headroom: 28,
          },
        ]
      : []),
    ...(ranking.length > 0
      ? [
          {
            label: `NDCG@${k} and recall@${k}, validation clicks`,
            range: rangeOf(ranking),
            height: large,
            headroom: stopping.length > 0 ? 0 : 28,
          },
        ]
      : []),
    ...(snips.length > 0
      ? [
          {
            label: narrow
              ? 'Reward per impression by SNIPS'
              : 'Mean reward per impression of the model’s policy, by SNIPS',
            range: intervalScale({ points: snips.map(({ value }) => value), intervals: bands }),
            height: small,
            headroom: ranking.length + stopping.length > 0 ? 0 : 28,
          },
        ]
      : []),
    {
      label: narrow ? 'Loss, mean of the samples' : 'Loss, mean of the epoch’s training samples',
      range: rangeOf(loss.map(({ value }) => value)),
      ...(ranking.length + snips.length + stopping.length > 0
        ? { height: small }
        : { height: large, headroom: 28 }),
    },
  ])
  return {
    panels,
    options,
    lossPanel: panels.at(-1)!,
    snipsPanel: snips.length > 0 ? panels.at(-2)! : undefined,
    stoppingPanel: stopping.length > 0 ? panels[0]! : undefined,
    rankingPanel: ranking.length > 0 ? panels[stopping.length > 0 ? 1 : 0]! : undefined,
  }
}

function draw({ narrow, width }: Frame, picture: Picture): Plot.PlotOptions {
  const { input, stopping, ndcg, recall, snips, loss } = picture
  const { epochs, best } = input
  const { panels, options, ...places } = panelsOf(picture, narrow)
  const { lossPanel, snipsPanel, rankingPanel, stoppingPanel } = places
  const [first, last] = [epochs[0]!.epoch, epochs.at(-1)!.epoch]
  const pad = Math.max(0.5, (last - first) * 0.015)
  const [low, high] = [first - pad, last + pad]
  const marginRight = rankingPanel ? 84 : narrow ? 16 : 24
  const ticks = linearTicks(first, last, narrow ? 5 : 10).filter(Number.isInteger)
  const kept = epochs.find(({ epoch }) => epoch === best.epoch)

  return {
    ...options,
    marginRight,
    width,
    x: { domain: [low, high] },
    marks: [
      ...panels.flatMap(({ marks }) => marks),
      bottomAxis(ticks.includes(first) || epochs.length > 2 ? ticks : [first, last], 'Epoch', {
        labelOffset: 44,
        tickFormat: formatCount,
      }),
      ...(kept ? keptRule(best.epoch, panels, (best.epoch - low) / (high - low) > 0.5) : []),
      ...(snipsPanel ? bandMarks(snips, snipsPanel) : []),
      ...(stoppingPanel ? curveMarks(stopping, stoppingPanel, 'ink') : []),
      ...(rankingPanel ? curveMarks(recall, rankingPanel, 'logged') : []),
      ...(rankingPanel ? curveMarks(ndcg, rankingPanel, 'ink') : []),
      ...(snipsPanel ? curveMarks(snips, snipsPanel, 'snips') : []),
      ...curveMarks(loss, lossPanel, 'ink'),
      ...(kept ? keptMarks(kept, best.measure, places) : []),
      ...(rankingPanel ? endLabels(picture, rankingPanel) : []),
      hoverMark(input, high, panels.at(-1)!.bottom),
    ],
  }
}

/** A line through all panels at the epoch that was kept, with its words. */
const keptRule = (epoch: number, panels: readonly Panel[], onLeft: boolean): Plot.Markish[] => [
  Plot.ruleX(panels, {
    x: epoch,
    y1: 'top',
    y2: 'bottom',
    stroke: colour('ink'),
    strokeWidth: 1.5,
    strokeOpacity: 0.45,
  }),
  ruleLabel({ at: epoch, text: `epoch ${formatCount(epoch)} kept`, onLeft, y: 0, dy: 2, isStrong: true }),
]

/** From the least to the largest, with a little room so that no curve lies on the edge. */
function rangeOf(values: readonly number[]): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const room = (high - low) * 0.06
  return [low - room, high + room]
}

function curveMarks(points: readonly CurvePoint[], panel: Panel, name: ColourName): Plot.Markish[] {
  const y = ({ value }: CurvePoint): number => panel.place(value)
  return [
    ...(points.length > 1
      ? [
          Plot.line(points, {
            x: 'epoch',
            y,
            stroke: colour(name),
            strokeWidth: points.length > 300 ? 1.25 : 2,
            strokeLinejoin: 'round',
          }),
        ]
      : []),
    ...(points.length <= MOST_DOTS
      ? [Plot.dot(points, { x: 'epoch', y, r: points.length === 1 ? 5 : 3, fill: colour(name) })]
      : []),
  ]
}

/** Intervals as a band, or as a line where there is only one. */
function bandMarks(points: readonly BandPoint[], panel: Panel): Plot.Markish[] {
  const ranged = points.filter(({ interval }) => interval)
  const end = (which: 0 | 1) => (point: BandPoint) => panel.place(point.interval![which])
  return ranged.length > 1
    ? [Plot.areaY(ranged, { x: 'epoch', y1: end(0), y2: end(1), fill: colour('snips'), fillOpacity: 0.16 })]
    : [Plot.ruleX(ranged, { x: 'epoch', y1: end(0), y2: end(1), stroke: colour('snips'), strokeWidth: 2 })]
}

/** A larger dot on every curve at the epoch that was kept. */
function keptMarks(
  record: EpochRecord,
  measure: string,
  panels: Record<'rankingPanel' | 'snipsPanel' | 'stoppingPanel', Panel | undefined> & { lossPanel: Panel },
): Plot.Markish[] {
  const { epoch, ndcg, recall, snips, loss } = record
  const { rankingPanel, snipsPanel, stoppingPanel, lossPanel } = panels
  const dots: readonly (readonly [number | null | undefined, Panel | undefined, ColourName])[] = [
    [stoppingPanel && recordedMeasure(measure, record), stoppingPanel, 'ink'],
    [recall, rankingPanel, 'logged'],
    [ndcg, rankingPanel, 'ink'],
    [snips?.value, snipsPanel, 'snips'],
    [loss, lossPanel, 'ink'],
  ]
  return dots.flatMap(([value, panel, name]) =>
    value === null || value === undefined || !panel
      ? []
      : [
          Plot.dot([epoch], {
            x: [epoch],
            y: [panel.place(value)],
            r: 5,
            fill: colour(name),
            stroke: colour('paper'),
            strokeWidth: 1.5,
          }),
        ],
  )
}

function endLabels({ ndcg, recall, input: { k } }: Picture, panel: Panel): Plot.Markish[] {
  const labels = [
    { text: `NDCG@${k}`, point: ndcg.at(-1), fill: colour('ink') },
    { text: `recall@${k}`, point: recall.at(-1), fill: colour('muted') },
  ].flatMap(({ point, ...label }) => (point ? [{ ...label, y: panel.place(point.value) }] : []))
  const places = spreadLabels(
    labels.map(({ y }) => y),
    { apart: 16, top: panel.top + 8, bottom: panel.bottom - 4 },
  )
  return labels.map(({ text, fill }, k) =>
    Plot.text([text], { y: [places[k]!], frameAnchor: 'right', dx: 8, textAnchor: 'start', fill }),
  )
}

/** Something to point at over each epoch, or each few where there are very many. */
function hoverMark({ epochs, best, k }: LearningCurvesInput, right: number, bottom: number): Plot.Markish {
  const every = Math.ceil(epochs.length / MOST_HOVERED)
  const shown = epochs.filter(({ epoch }, place) => place % every === 0 || epoch === best.epoch)
  const edges = shown.map(({ epoch }, place) =>
    place === 0 ? epoch - 0.5 : (epoch + shown[place - 1]!.epoch) / 2,
  )
  const reached = (place: number): number => edges[place + 1] ?? right
  return hoverStrip(
    shown,
    {
      x1: (_: EpochRecord, place: number) => edges[place]!,
      x2: (_: EpochRecord, place: number) => reached(place),
      y1: 0,
      y2: bottom,
    },
    (record) => hoverText(record, best.epoch, k),
  )
}

function hoverText({ epoch, loss, ndcg, recall, snips }: EpochRecord, kept: number, k: number): string {
  const estimate = snips?.value === null || !snips ? null : formatEstimate(snips.value, snips.interval)
  return [
    `epoch ${formatCount(epoch)}${epoch === kept ? ', kept' : ''}`,
    ndcg === null ? '' : `NDCG@${k} ${formatScore(ndcg)}`,
    recall === null ? '' : `recall@${k} ${formatScore(recall)}`,
    estimate ? `SNIPS ${estimate.value}${estimate.interval ? ` (95 % CI ${estimate.interval})` : ''}` : '',
    `loss ${formatScore(loss)}`,
  ]
    .filter(Boolean)
    .join('\n')
}
