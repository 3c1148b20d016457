import * as Plot from '@observablehq/plot'
import type { RankingMetrics } from '../metrics/ranking-metrics-of.js'
import type { Metric } from '../metrics/user-mean.js'
import { BASELINES } from '../model/baselines.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import { bucketFinding } from '../words/ranking-finding.js'
import { capitalised, formatMetric, formatMetricRate, modelLabel } from '../words/training-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { hoverStrip } from './rows-layout.js'
import { intervalScale } from './interval-layout.js'
import type { RankedInput } from './model-comparison.js'
import { type Panel, spreadLabels, stackPanels } from './panels.js'
import { boundedColumns, tableOf } from './table-cells.js'
import { colour, type ColourName, type Frame } from './theme.js'
import { lossColour } from './family-colour.js'

type Bucket = RankingMetrics['buckets'][number]

/** A model as it is drawn: in one colour and shape throughout. */
interface Series {
  label: string
  buckets: readonly Bucket[]
  colour: ColourName
  symbol: Plot.SymbolType
  isTrained: boolean
  /** Distance from the middle of a bucket, so that intervals do not lie upon one another. */
  shift: number
}

/** One symbol for each baseline wherever it appears, in their order; those beyond take what is left. */
const BASELINE_SYMBOLS: readonly Plot.SymbolType[] = ['square', 'triangle', 'diamond']

const symbolOf = (model: string): Plot.SymbolType =>
  BASELINE_SYMBOLS[BASELINES.all.findIndex(({ name }) => name === model)] ??
  (TRAINED_MODELS.find(model) ? 'circle' : 'wye')

/**
 * What each model finds of the clicks on popular, middling and rare items: recall@k with its interval in each
 * popularity bucket, and below it the share of all recommendations that fall into the bucket.
 */
export function metricsByBucket(input: RankedInput, options: FigureOptions): Chart {
  const { ranked, k, part, settings, colour: trained = lossColour(settings) } = input
  const measured = ranked.flatMap(({ model, [part]: metrics }) =>
    metrics && metrics.buckets.length > 0 ? [{ model, metrics, isTrained: model === ranked[0]!.model }] : [],
  )
  const buckets = measured[0]?.metrics.buckets
  if (!buckets) throw nothingToDraw(`no model was measured by popularity on the ${part} clicks`)
  const apart = Math.min(0.13, 0.6 / measured.length)
  const series = measured.map(({ model, metrics, isTrained }, place): Series => ({
    label: capitalised(modelLabel(model)),
    buckets: metrics.buckets,
    colour: isTrained ? trained : 'logged',
    symbol: isTrained ? 'circle' : symbolOf(model),
    isTrained,
    shift: (place - (measured.length - 1) / 2) * apart,
  }))
  return drawChart(
    {
      name: 'metrics-by-bucket',
      title: bucketFinding(input),
      subtitle:
        `Recall@${k} on ${part} clicks within each popularity bucket, with 95 % intervals, and the share ` +
        'of all recommendations that go to the bucket. Filled: the trained model; hollow: baselines.',
      caption:
        'Buckets group items by their training clicks, from the most clicked (head) to the least ' +
        '(tail). A model that follows popularity alone finds nothing in the tail and recommends nothing from it.',
      table: tableOf(
        buckets.flatMap((_, place) =>
          measured.map(({ model, metrics }) => ({ model, ...metrics.buckets[place]! })),
        ),
        [
          { name: 'bucket', label: 'Bucket', of: 'bucket' },
          { name: 'items', label: 'Items', kind: 'count', of: 'items' },
          { name: 'users', label: 'Users', kind: 'count', of: 'users' },
          { name: 'model', label: 'Model', of: 'model' },
          ...boundedColumns(
            { name: 'recall', label: `Recall@${k}`, kind: 'rate' },
            ({ recall }: Bucket) => recall,
          ),
          { name: 'ndcg', label: `NDCG@${k}`, kind: 'number', of: ({ ndcg }) => ndcg.value },
          {
            name: 'recommended_share',
            label: 'Share of recommendations',
            kind: 'share',
            of: 'recommendedShare',
          },
        ],
      ),
      draw: (frame) => draw(frame, series, input),
    },
    options,
  )
}

function draw({ narrow, width }: Frame, series: readonly Series[], input: RankedInput): Plot.PlotOptions {
  const { k } = input
  const cells = series.flatMap((each) => each.buckets)
  const buckets = series[0]!.buckets
  const [, most] = intervalScale({
    points: [0, ...cells.map(({ recall }) => recall.value)],
    intervals: cells.flatMap(({ recall }) => (recall.interval ? [recall.interval] : [])),
  })
  const { panels, options } = stackPanels([
    { label: `Recall@${k}`, range: [0, most], height: narrow ? 190 : 220, percent: true },
    {
      label: 'Share of all recommendations',
      range: [0, 1],
      height: narrow ? 88 : 100,
      percent: true,
    },
  ])
  const [recallPanel, sharePanel] = panels as [Panel, Panel]
  const marginRight = 24 + 7.4 * Math.max(...series.map(({ label }) => label.length)) + 16
  const [low, high] = [-0.5, buckets.length - 0.5]
  const ink = colour('ink')
  // Baselines first, so that the trained model lies on top.
  const layers = series.toSorted((a, b) => Number(a.isTrained) - Number(b.isTrained))

  return {
    ...options,
    width,
    marginRight,
    marginBottom: 66,
    height: options.height + 14,
    x: { domain: [low, high] },
    marks: [
      ...panels.flatMap(({ marks }) => marks),
      ...panels.map(({ bottom }) => Plot.ruleY([bottom], { stroke: ink, strokeOpacity: 0.4 })),
      Plot.axisX(
        buckets.map((_, place) => place),
        {
          label: narrow ? 'Popularity, and number of items' : 'Popularity of the item',
          labelArrow: 'none',
          labelAnchor: 'center',
          labelOffset: 58,
          tickSize: 0,
          tickPadding: 8,
          tickFormat: (_: number, place: number) => bucketText(buckets[place]!, narrow),
        },
      ),
      ...layers.flatMap((each) => [
        ...seriesMarks(each, recallPanel, ({ recall }) => recall),
        ...seriesMarks(each, sharePanel, ({ recommendedShare }) => ({
          value: recommendedShare,
          interval: null,
        })),
      ]),
      ...nameMarks(series, recallPanel),
      hoverStrip(
        buckets,
        {
          x1: (_: Bucket, place: number) => place - 0.5,
          x2: (_: Bucket, place: number) => place + 0.5,
          y1: recallPanel.top,
          y2: sharePanel.bottom,
        },
        ({ bucket, users }, place) =>
          [
            `${bucket}: ${formatCount(users)} ${users === 1 ? 'user has' : 'users have'} clicks there`,
            ...series.map(({ label, buckets: own }) => hoverText(label, own[place]!, k)),
          ].join('\n'),
      ),
    ],
  }
}

const bucketText = ({ bucket, items }: Bucket, narrow: boolean): string =>
  `${bucket}\n${narrow ? formatCount(items) : counted(items, 'item')}`

function hoverText(label: string, { recall, ndcg, recommendedShare }: Bucket, k: number): string {
  const { value, interval } = formatMetricRate(recall)
  return (
    `${label}: recall@${k} ${value}${interval === null ? '' : ` (${interval})`}, ` +
    `NDCG@${k} ${formatMetric(ndcg).value}, ${formatShare(recommendedShare)} of recommendations`
  )
}

const dotStyle = ({ colour: name, symbol, isTrained }: Series) => ({
  symbol,
  r: isTrained ? 5.5 : 4.5,
  fill: colour(isTrained ? name : 'paper'),
  stroke: colour(isTrained ? 'paper' : name),
  strokeWidth: isTrained ? 1.5 : 1.75,
})

/** A model's dots with their intervals, joined so that the eye follows them from head to tail. */
function seriesMarks(series: Series, panel: Panel, valueOf: (bucket: Bucket) => Metric): Plot.Markish[] {
  const points = series.buckets.map((bucket, place) => ({ x: place + series.shift, ...valueOf(bucket) }))
  const ranged = points.filter(({ interval }) => interval)
  const stroke = colour(series.colour)
  const y = ({ value }: Metric): number => panel.place(value)
  return [
    Plot.line(points, {
      x: 'x',
      y,
      stroke,
      strokeWidth: series.isTrained ? 2 : 1,
      strokeOpacity: series.isTrained ? 0.6 : 0.45,
    }),
    Plot.ruleX(ranged, {
      x: 'x',
      y1: ({ interval }: Metric) => panel.place(interval![0]),
      y2: ({ interval }: Metric) => panel.place(interval![1]),
      stroke,
      strokeWidth: 1.5,
    }),
    Plot.dot(points, { x: 'x', y, ...dotStyle(series) }),
  ]
}

/** Names at the right, each with its shape, as near as can be to where the model ends. */
function nameMarks(series: readonly Series[], panel: Panel): Plot.Markish[] {
  const places = spreadLabels(
    series.map(({ buckets }) => panel.place(buckets.at(-1)!.recall.value)),
    { apart: 18, top: panel.top + 8, bottom: panel.bottom - 4 },
  )
  return series.flatMap((each, k) => [
    Plot.dot([each.label], { y: [places[k]!], frameAnchor: 'right', dx: 12, ...dotStyle(each) }),
    Plot.text([each.label], {
      y: [places[k]!],
      frameAnchor: 'right',
      dx: 22,
      textAnchor: 'start',
      fill: colour(each.isTrained ? 'ink' : 'muted'),
      fontWeight: each.isTrained ? 600 : 400,
    }),
  ])
}
