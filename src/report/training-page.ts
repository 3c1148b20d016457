import type { Cell, Chart, FigureOptions, Table } from '../figures/chart.js'
import {
  certificateFigure,
  learningCurves,
  metricsByBucket,
  modelComparison,
  propensityCalibration,
  trainingWeights,
} from '../figures/index.js'
import type { ColourName } from '../figures/theme.js'
import { METRICS } from '../metrics/metrics.js'
import type { RankingMetrics } from '../metrics/ranking-metrics-of.js'
import type { Metric } from '../metrics/user-mean.js'
import { type NamedFile, textFile } from '../named-file.js'
import { formatCount, formatShare } from '../number-text.js'
import type { EstimatedPropensity } from '../propensity/stand-in.js'
import { parametersOf, parametersText } from '../train/parameters-text.js'
import type { OnTestLog } from '../train/test-log.js'
import { epochsFile, trainingFile } from '../train/training-files.js'
import type { PolicyValue, RankedModel, Training } from '../train/training.js'
import { amongText, ratedColumns, testLogText } from '../words/rated-text.js'
import { trainingAnswer } from '../words/training-answer.js'
import {
  capitalised,
  formatMetric,
  type HeldOutPart,
  measuredPart,
  measureLabel,
  modelLabel,
} from '../words/training-text.js'
import { type PageOptions, type Report, reportHtml } from './report.js'

/** What a page about a training is made from. */
export interface TrainingPage {
  readonly title: string
  readonly training: Training
  /** How the propensities were estimated, where they were: their calibration is drawn. */
  readonly estimatedPropensity?: EstimatedPropensity
}

/**
 * The page about a training, as HTML: how good the model is in words, the figures of `trainingCharts`, every
 * ranking metric of the model and its baselines, notes and settings.
 */
export function trainingPage(page: TrainingPage, { document, generatedBy, notes = {} }: PageOptions): string {
  const { title, training } = page
  return reportHtml({
    title,
    answer: trainingAnswer(training),
    facts: factsOf(training),
    charts: trainingCharts(page, { document }),
    sections: sectionsOf(training),
    settings: { ...training.settings },
    notes,
    generatedBy,
  })
}

/**
 * The certificate of a learnt policy, the comparison with the baselines under uniform exposure where that is known,
 * learning curves, weights, the comparison on the clicks as logged, overall and by popularity, and calibration.
 */
export function trainingCharts(
  {
    training,
    estimatedPropensity,
    colour,
  }: Omit<TrainingPage, 'title'> & {
    /** The colour of the run where others stand beside it; default that of its loss. */
    readonly colour?: ColourName
  },
  options: FigureOptions,
): Chart[] {
  const { epochs, best, settings, weights, ranked, certificate } = training
  const { k } = settings
  const part = measuredPart(ranked)
  const look = { settings, ...(colour && { colour }) }
  const isWeighted = weights.max > weights.min
  return [
    ...(certificate ? [certificateFigure(certificate, options)] : []),
    ...(part && ranked[0]![part]!.ips
      ? [modelComparison({ ranked, k, part, ...look, isCorrected: true }, options)]
      : []),
    ...(epochs.length > 0 ? [learningCurves({ epochs, best, k }, options)] : []),
    // Equal weights make a single bar; the facts say so in fewer words.
    ...(isWeighted ? [trainingWeights(weights, options)] : []),
    ...(part ? [modelComparison({ ranked, k, part, ...look }, options)] : []),
    ...(part && ranked[0]![part]!.buckets.length > 0
      ? [metricsByBucket({ ranked, k, part, ...look }, options)]
      : []),
    ...(estimatedPropensity ? [propensityCalibration(estimatedPropensity, options)] : []),
  ]
}

function sectionsOf(training: Training): NonNullable<Report['sections']> {
  const { ranked, settings, notes, weights } = training
  const { k } = settings
  const part = measuredPart(ranked)
  const said = [...weights.warnings, ...notes]
  return [
    ...(part && ranked.some(({ [part]: metrics }) => metrics?.ips)
      ? [
          {
            heading: 'Weighted by 1/propensity',
            text: [
              'The first row is the reward per impression if the items that a user was not shown in training were shown in ' +
                'proportion to 1/rank, estimated by SNIPS on the test impressions; it is empty where those are too few. The ' +
                'others are ranking metrics, with each held-out click weighted by one over the propensity of its item, ' +
                'normalised over all users: what they would be if every item had been shown equally. Where they name another ' +
                'winner, the plain metrics below reward what the logging policy tended to show. NDCG and recall are fully ' +
                'corrected, the others to first order.',
            ],
            table: weightedTable(ranked, part, k),
          },
        ]
      : []),
    ...ratedSections(training),
    ...(part
      ? [
          {
            heading: `Ranking metrics on the ${part} clicks`,
            text: [
              `Each number is a mean over users, from the first ${formatCount(k)} of a ranking of all items, with its 95 % ` +
                'CI in parentheses. Recall is the share of a user’s held-out clicks that are found; precision is the ' +
                'share of the list that was clicked; hit rate is the share of users with at least one click found. NDCG, ' +
                'MAP and MRR also count how early the clicks come. Coverage is the share of items recommended to anyone. ' +
                'The Gini index is 0 if all are recommended equally, 1 if only one is. The last row is the mean number of ' +
                'training clicks per recommended item.',
            ],
            table: metricsTable(ranked, part, k),
          },
        ]
      : []),
    ...(said.length > 0 ? [{ heading: 'Notes', text: said }] : []),
  ]
}

/** What was measured on a test log, and on the ratings of the test part. */
function ratedSections({ ranked, settings, testLog, meanRating }: Training): NonNullable<Report['sections']> {
  const { k } = settings
  const how =
    'MSE and MAE are the mean squared and absolute errors of predicted ratings. AUC is the share of pairs of different ' +
    'ratings in the right order; NDCG counts high ratings more the earlier they come. Each has its 95 % CI by user in parentheses.'
  const tableOf = (of: (model: RankedModel) => OnTestLog | null | undefined): Table => {
    const judged = ranked.flatMap((model) => {
      const metrics = of(model)
      return metrics ? [{ model: model.model, metrics }] : []
    })
    return {
      columns: [{ name: 'metric', label: 'Metric' }, ...judged.map(columnOf)],
      rows: ratedColumns(ranked.map(of), k).map(({ label, metric }): Cell[] => [
        label,
        ...judged.map(({ metrics }) => {
          const found = metric(metrics)
          return found ? metricText(found) : '–'
        }),
      ]),
    }
  }
  return [
    ...(testLog && ranked[0]?.testLog
      ? [
          {
            heading: `On the test log, ${amongText(testLog)}`,
            text: [testLogText(testLog), how],
            table: tableOf((model) => model.testLog),
          },
        ]
      : []),
    ...(meanRating !== undefined && ranked[0]?.rated
      ? [{ heading: 'On the test ratings', text: [how], table: tableOf(({ rated }) => rated) }]
      : []),
  ]
}

/** Metrics in rows and models in columns: four models with their intervals fit a page, ten metrics do not. */
function metricsTable(ranked: Training['ranked'], part: HeldOutPart, k: number): Table {
  const measured = ranked.flatMap(({ model, [part]: metrics }) => (metrics ? [{ model, metrics }] : []))
  const row = (label: string, write: (metrics: RankingMetrics) => Cell): Cell[] => [
    label,
    ...measured.map(({ metrics }) => write(metrics)),
  ]
  return {
    columns: [{ name: 'metric', label: 'Metric' }, ...measured.map(columnOf)],
    rows: [
      ...METRICS.all.map(({ name, label }) => row(`${label}@${k}`, (metrics) => metricText(metrics[name]))),
      row('Coverage', ({ coverage }) => formatShare(coverage)),
      row('Gini', ({ gini }) => gini.toFixed(2)),
      row('Clicks per recommended item', ({ meanPopularity }) => meanPopularity.toFixed(1)),
    ],
  }
}

function weightedTable(ranked: Training['ranked'], part: HeldOutPart, k: number): Table {
  const weighted = ranked.flatMap(({ model, policy, [part]: metrics }) =>
    metrics?.ips ? [{ model, metrics: metrics.ips, policy }] : [],
  )
  return {
    columns: [{ name: 'metric', label: 'Metric' }, ...weighted.map(columnOf)],
    rows: [
      ...(weighted.some(({ policy }) => policy)
        ? [['Reward per impression', ...weighted.map(({ policy }) => rewardText(policy))]]
        : []),
      ...METRICS.all.map(({ name, label }) => [
        `${label}@${k}`,
        ...weighted.map(({ metrics }) => metricText(metrics[name])),
      ]),
    ],
  }
}

/** What lists would earn; empty where a verdict refuses it. */
const rewardText = (policy: PolicyValue | undefined): string =>
  policy && policy.value !== null && policy.doubt === undefined
    ? metricText({ value: policy.value, interval: policy.interval })
    : ''

const columnOf = ({ model }: { model: string }): Table['columns'][number] => ({
  name: model,
  label: capitalised(modelLabel(model)),
  kind: 'number',
})

function metricText(metric: Metric): string {
  const { value, interval } = formatMetric(metric)
  return interval === null ? value : `${value} (${interval})`
}

function factsOf({ log, settings, weights, epochs, best, stopped, meanRating }: Training): Report['facts'] {
  const { regulariser, loss } = settings
  const seconds = epochs.reduce((sum, epoch) => sum + epoch.seconds, 0)
  const ended = {
    patience: 'early stopping',
    epochs: 'all requested',
    interrupted: 'interrupted',
    solved: 'sweeps of a model that is solved',
  }
  const isSolved = stopped === 'solved'
  const rows = meanRating === undefined ? 'clicks' : 'ratings'
  const isWeighted = weights.max > weights.min
  return [
    {
      label: `Training ${rows}`,
      value: formatCount(log.trainClicks),
      note: `${formatCount(log.users)} users, ${formatCount(log.items)} items`,
    },
    {
      label: `Held-out ${rows}`,
      value: formatCount(log.validationClicks + log.testClicks),
      note: `${formatCount(log.validationClicks)} validation, ${formatCount(log.testClicks)} test`,
    },
    {
      label: isSolved ? 'Model' : 'Model and loss',
      value: modelLabel(settings.model),
      note: isSolved
        ? parametersText(parametersOf(settings))
        : `${loss}${regulariser.kind === 'none' ? '' : `, regulariser ${regulariser.kind} ${regulariser.strength}`}`,
    },
    ...(epochs.length > 0
      ? [
          {
            label: 'Epochs',
            value: formatCount(epochs.length),
            note:
              `${ended[stopped]}; epoch ${formatCount(best.epoch)} is kept` +
              (best.value === null ? '' : `, by ${measureLabel(best.measure, settings.k)}`),
          },
          {
            label: 'Time',
            value:
              seconds < 120
                ? `${Number(seconds.toPrecision(2))} s`
                : `${formatCount(Math.round(seconds / 60))} min`,
            note: 'evaluation included',
          },
        ]
      : []),
    { label: 'Propensities', value: log.propensitySource, ...(isSolved && { note: 'not used' }) },
    ...(isSolved
      ? []
      : [
          {
            label: 'Effective sample size',
            value: formatCount(Math.round(weights.ess)),
            note: isWeighted
              ? `${formatShare(Math.min(1, weights.essRatio))} of the events; ${formatShare(Math.min(1, weights.rawEssRatio))} before the regulariser`
              : 'all events have the same weight',
          },
        ]),
    ...(isWeighted
      ? [
          {
            label: 'Largest weight',
            value: formatCount(Number((weights.max / weights.mean).toPrecision(3))),
            note: `times the mean; the heaviest 1 % of events carry ${formatShare(weights.topPercentShare)}`,
          },
        ]
      : []),
  ]
}

/** What the page of a training is called in its folder. */
export const REPORT_FILE = 'report.html'

/** What the folder of a training is made from. */
export interface TrainingFolder extends TrainingPage {
  /** By `modelFiles`. */
  readonly model: readonly NamedFile[]
}

/**
 * The files of a training folder, checkpoints aside: `model.json`,
 * `embeddings.safetensors`, `epochs.ndjson`, `training.json`, `report.html`.
 */
export const trainingFolder = (
  { model, ...page }: TrainingFolder,
  options: PageOptions,
): readonly NamedFile[] => [
  ...model,
  epochsFile(page.training.epochs),
  trainingFile(page.training),
  textFile(REPORT_FILE, trainingPage(page, options)),
]
