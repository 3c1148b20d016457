import type { RankingMetrics } from '../metrics/ranking-metrics-of.js'
import type { Metric } from '../metrics/user-mean.js'
import { counted } from '../number-text.js'
import type { TrainSettings } from '../train/settings.js'
import type { RankedModel } from '../train/training.js'
import { rangeText } from '../words/estimate-text.js'
import { rankingFinding, type RankedOnPart } from '../words/ranking-finding.js'
import { capitalised, formatMetric, modelLabel } from '../words/training-text.js'
import { sentences } from '../words/seed-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { type IntervalPicture, type IntervalRow, middleHalf } from './interval-layout.js'
import { arrowSentence, drawIntervalRows } from './interval-rows.js'
import { tableOf } from './table-cells.js'
import { lossColour } from './family-colour.js'
import type { ColourName } from './theme.js'

export interface RankedInput extends RankedOnPart {
  /** How the model was trained: gives it the colour of its loss. Default: ink. */
  readonly settings?: Pick<TrainSettings, 'loss' | 'regulariser'>
  /** Another colour for it, which it has in figures beside this one. */
  readonly colour?: ColourName
  /** Whether NDCG is that under uniform exposure, each click weighted by 1/propensity; default as logged. */
  readonly isCorrected?: boolean
}

/** NDCG@k of the trained model and of each baseline on the same held-out clicks, in rows on one scale. */
export function modelComparison(input: RankedInput, options: FigureOptions): Chart {
  const { ranked, k, part, settings, colour = lossColour(settings), isCorrected = false } = input
  const metric = `NDCG@${k}${isCorrected ? ' under uniform exposure' : ''}`
  if (!ranked.some((model) => model[part])) throw nothingToDraw(`no model was measured on the ${part} clicks`)
  const users = ranked.find((model) => model[part])![part]!.users
  const ndcg = ({ [part]: metrics }: RankedModel): Metric | undefined => ndcgOf(metrics, isCorrected)
  const picture: IntervalPicture = {
    rows: ranked.map((model, place) =>
      rowOf(model, input, place === 0 ? { colour } : { colour: 'logged', hollow: true }),
    ),
    axis: `${metric} on the ${part} clicks`,
    lines: [],
  }
  return drawChart(
    {
      name: isCorrected ? 'model-comparison-corrected' : 'model-comparison',
      title: rankingFinding(input),
      subtitle: sentences(
        `${metric} over ${counted(users, 'user')} with ${part} clicks, ranked against all items: one dot per model with its 95 % interval, thick for 50 %; rings are baselines.`,
        arrowSentence(picture),
      ),
      caption:
        `NDCG@${k} is 1 where a user’s held-out clicks come first in the list and 0 where none is in the first ${k}. ` +
        (isCorrected
          ? 'Each click is weighted by one over the propensity of its item, as if all items had been shown equally often. '
          : '') +
        'All models are measured on the same users, so differences are more certain than the intervals suggest.',
      table: tableOf(ranked, [
        { name: 'model', label: 'Model', of: 'model' },
        { name: 'ndcg', label: `NDCG@${k}`, kind: 'number', of: (model) => ndcg(model)?.value },
        { name: 'lower', label: 'Lower 95 %', kind: 'number', of: (model) => ndcg(model)?.interval?.[0] },
        { name: 'upper', label: 'Upper 95 %', kind: 'number', of: (model) => ndcg(model)?.interval?.[1] },
        { name: 'users', label: 'Users', kind: 'count', of: ({ [part]: metrics }) => metrics?.users },
      ]),
      draw: (frame) => drawIntervalRows(frame, picture),
    },
    options,
  )
}

const ndcgOf = (metrics: RankingMetrics | null, isCorrected: boolean): Metric | undefined =>
  (isCorrected ? metrics?.ips : metrics)?.ndcg

function rowOf(
  ranked: RankedModel,
  { k, part, isCorrected = false }: RankedInput,
  style: Pick<IntervalRow, 'colour' | 'hollow'>,
): IntervalRow {
  const label = capitalised(modelLabel(ranked.model))
  const ndcg = ndcgOf(ranked[part], isCorrected)
  if (!ndcg) {
    const reason = `not measured on the ${part} clicks`
    const written = { value: '', interval: null }
    return { label, ...style, value: null, interval: null, reason, written, title: `${label}\n${reason}` }
  }
  const written = formatMetric(ndcg)
  const inner = middleHalf(ndcg.value, ndcg.interval, 0.95)
  return {
    label,
    ...style,
    value: ndcg.value,
    interval: ndcg.interval,
    ...(inner && { inner }),
    written,
    title: `${label}: NDCG@${k} ${written.value}\n${rangeText(written.interval)}`,
  }
}
