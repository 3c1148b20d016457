import { counted, formatCount, formatShare } from '../number-text.js'
import type { OnTestLog } from '../train/test-log.js'
import type { EpochRecord, RankedModel, Training } from '../train/training.js'
import type { WeightsReport } from '../train/weights-report.js'
import {
  capitalised,
  formatMetric,
  formatMetricRate,
  formatScore,
  heldOutRows,
  type HeldOutPart,
  measuredPart,
  measureLabel,
  modelLabel,
} from '../words/training-text.js'
import { formatEstimate, formatFixed } from '../words/estimate-text.js'
import { trainingAnswer } from '../words/training-answer.js'
import { standingOf } from '../words/standing-text.js'
import { recordedMeasure } from '../train/stopping-measures.js'
import { amongText, type RatedColumn, ratedColumns, testLogText } from '../words/rated-text.js'
import { bullet, columns, duration, GAP, significant, textTable, WIDTH, wrap } from './format.js'
import { emphasised, type Terminal } from './terminal.js'

/** A training for a terminal of 80 columns: the answer, the validation curve, the model beside its baselines, notes. */
export function trainingText(file: string, training: Training, terminal: Terminal): string {
  const { ranked, epochs, best, settings, notes } = training
  const { k } = settings
  const part = measuredPart(ranked)
  const curve = {
    name: `${capitalised(measureLabel(best.measure, k))} on the validation ${heldOutRows(settings.loss)}`,
    value: (record: EpochRecord) => recordedMeasure(best.measure, record),
  }
  const chart = epochChart(epochs, { ...curve, kept: best.epoch }, terminal)
  const instead = standingOf(training)?.instead
  return [
    terminal.style('bold', file),
    emphasised(wrap(trainingAnswer(training), WIDTH), terminal),
    ...(instead === undefined ? [] : [`To train it: --model ${instead}`]),
    ...(part ? correctedTable(training, part, terminal) : []),
    ...(chart ? ['', ...chart] : []),
    ...testLogTable(training, terminal),
    ...(training.meanRating === undefined
      ? []
      : ratedTable('On the test ratings', training, ({ rated }) => rated, terminal)),
    ...(part
      ? [
          '',
          terminal.style('bold', `On the ${part} clicks${isCorrected(training, part) ? ', as logged' : ''}`),
          ...modelTable(training, part, terminal),
        ]
      : []),
    ...(part ? bucketTable(training, part, terminal) : []),
    ...(notes.length > 0 ? ['', terminal.style('bold', 'Notes'), ...notes.map(bullet)] : []),
  ].join('\n')
}

/** The distribution of training weights, shown before training: events, effective sample size, largest weight, warnings. */
export function weightsText(report: WeightsReport): string {
  const { events, ess, essRatio, rawEssRatio, mean, max, min, topPercentShare, warnings } = report
  const share = (ratio: number): string => formatShare(Math.min(1, ratio))
  const isWeighted = max > min
  const isRegularised = Math.abs(essRatio - rawEssRatio) > 1e-9
  return [
    'Training weights',
    columns([
      ['events', formatCount(events)],
      ...(isWeighted
        ? ([
            [
              'effective sample size',
              `${formatCount(Math.round(ess))} (${share(essRatio)} of the events` +
                `${isRegularised ? `; ${share(rawEssRatio)} before the regulariser` : ''})`,
            ],
            [
              'largest weight',
              `${significant(max / mean)} times the mean; the heaviest 1 % of events carry ${share(topPercentShare)} of the total`,
            ],
            ['smallest weight', `${significant(min / mean)} times the mean`],
          ] satisfies [string, string][])
        : ([['weights', 'all equal']] satisfies [string, string][])),
    ]),
    ...warnings.map((warning) => `${GAP}▲ ${wrap(warning, WIDTH, '    ').trimStart()}`),
  ].join('\n')
}

/**
 * An epoch in one line of at most 80 characters:
 * `epoch 57/1,000, loss 0.204, NDCG@10 0.243, SNIPS 0.301, 1.4 s, 22 min 0 s left`.
 * The time left assumes all epochs; training may stop earlier. If the line is too long, the least
 * important parts are dropped first.
 */
export function epochLine(record: EpochRecord, totalEpochs: number, k: number): string {
  const { epoch, loss, ndcg, snips, seconds } = record
  const left = seconds * Math.max(0, totalEpochs - epoch)
  const parts: readonly (readonly [text: string, needed: number])[] = [
    [`epoch ${formatCount(epoch)}/${formatCount(totalEpochs)}`, 4],
    [`loss ${formatScore(loss)}`, 3],
    [ndcg === null ? '' : `NDCG@${k} ${formatScore(ndcg)}`, 3],
    [record.ratings ? `MSE ${formatScore(record.ratings.mse)}` : '', 3],
    [snips?.value === null || !snips ? '' : `SNIPS ${formatScore(snips.value)}`, 2],
    [`${significant(seconds, 2)} s`, 1],
    [epoch < totalEpochs ? `${duration(left)} left` : '', 2],
  ]
  const written = parts.filter(([text]) => text !== '')
  for (const least of [1, 2, 3, 4]) {
    const line = written.flatMap(([text, needed]) => (needed >= least ? [text] : [])).join(', ')
    if (line.length < WIDTH) return line
  }
  return written[0]![0]
}

const isCorrected = ({ ranked }: Training, part: HeldOutPart): boolean =>
  ranked.some(({ policy, [part]: metrics }) => policy ?? metrics?.ips)

/** What does not favour the models that resemble the logging policy: what lists would earn, and NDCG under uniform exposure. */
function correctedTable(training: Training, part: HeldOutPart, terminal: Terminal): string[] {
  const { ranked, settings } = training
  if (!isCorrected(training, part)) return []
  const rows = ranked.map(({ model, policy, [part]: metrics }) => {
    const earns =
      policy && policy.value !== null && policy.doubt === undefined
        ? formatEstimate(policy.value, policy.interval)
        : { value: '–', interval: '' }
    const ndcg = metrics?.ips ? formatMetric(metrics.ips.ndcg) : { value: '–', interval: '' }
    return [
      capitalised(modelLabel(model)),
      earns.value,
      earns.interval ?? '',
      ndcg.value,
      ndcg.interval ?? '',
    ]
  })
  const heads = ['model', 'reward', '95 % CI', `NDCG@${settings.k}`, '95 % CI']
  return [
    '',
    terminal.style('bold', 'Corrected for exposure'),
    ...textTable(heads, rows, terminal),
    wrap(
      'reward: per impression, if items not shown in training were shown in proportion to 1/rank, by SNIPS; – where the impressions are too few. NDCG under uniform exposure: clicks weighted by 1/propensity',
      WIDTH,
      GAP,
    ),
  ]
}

/** What was measured on the test log, one model per row. */
function testLogTable(training: Training, terminal: Terminal): string[] {
  const { testLog } = training
  if (!testLog) return []
  const heading = `On the test log, ${amongText(testLog)}`
  return [
    ...ratedTable(heading, training, (model) => model.testLog, terminal),
    wrap(testLogText(testLog), WIDTH, GAP),
  ]
}

/** Errors, AUC and NDCG with their intervals, one model per row. */
function ratedTable(
  heading: string,
  { ranked, settings }: Training,
  of: (model: RankedModel) => OnTestLog | null | undefined,
  terminal: Terminal,
): string[] {
  const shown = ratedColumns(ranked.map(of), settings.k)
  if (shown.length === 0) return []
  // Four intervals do not fit a line; the report has them all.
  const hasInterval = ({ label }: RatedColumn): boolean => shown.length <= 3 || ['MSE', 'AUC'].includes(label)
  const rows = ranked.flatMap((model) => {
    const metrics = of(model)
    if (!metrics) return []
    const cells = shown.flatMap((column) => {
      const found = column.metric(metrics)
      const { value, interval } = found ? formatMetric(found) : { value: '–', interval: null }
      return hasInterval(column) ? [value, interval ?? ''] : [value]
    })
    return [[capitalised(modelLabel(model.model)), ...cells]]
  })
  const heads = [
    'model',
    ...shown.flatMap((column) => (hasInterval(column) ? [column.label, '95 % CI'] : [column.label])),
  ]
  return ['', terminal.style('bold', heading), ...textTable(heads, rows, terminal)]
}

/** NDCG and recall with their intervals, and the share of the catalogue that is recommended, one model per row. */
function modelTable({ ranked, settings }: Training, part: HeldOutPart, terminal: Terminal): string[] {
  const { k } = settings
  const rows = ranked.map(({ model, [part]: metrics }) => {
    const name = capitalised(modelLabel(model))
    if (!metrics) return [name, '–', '', '–', '', '–']
    const [ndcg, recall] = [formatMetric(metrics.ndcg), formatMetricRate(metrics.recall)]
    return [
      name,
      ndcg.value,
      ndcg.interval ?? '',
      recall.value,
      recall.interval ?? '',
      formatShare(metrics.coverage),
    ]
  })
  const heads = ['model', `NDCG@${k}`, '95 % CI', `recall@${k}`, '95 % CI', 'catalogue']
  const users = ranked.find((model) => model[part])![part]!.users
  return [
    ...textTable(heads, rows, terminal),
    `${GAP}means over ${counted(users, 'user')}; catalogue: share of items recommended to anyone`,
  ]
}

/** Recall with its interval and the share of recommendations, per popularity bucket. */
function bucketTable({ ranked, settings }: Training, part: HeldOutPart, terminal: Terminal): string[] {
  const buckets = ranked[0]![part]!.buckets
  if (buckets.length === 0) return []
  const rows = buckets.flatMap(({ bucket, items }, place) =>
    ranked.flatMap(({ model, [part]: metrics }, row) => {
      const own = metrics?.buckets[place]
      if (!own) return []
      const { value, interval } = formatMetricRate(own.recall)
      return [
        [
          row === 0 ? `${bucket}, ${counted(items, 'item')}` : '',
          capitalised(modelLabel(model)),
          value,
          interval ?? '',
          formatShare(own.recommendedShare),
        ],
      ]
    }),
  )
  const heads = ['popularity', 'model', `recall@${settings.k}`, '95 % CI', 'recommended']
  return [
    '',
    terminal.style('bold', 'By item popularity'),
    ...textTable(heads, rows, terminal, 2),
    `${GAP}recommended: share of all recommendations that go to these items`,
  ]
}

const HEIGHT = 5
const MOST_COLUMNS = 64
const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Epochs drawn in one column, and the best value among them. */
interface Column {
  from: number
  to: number
  value: number
}

/**
 * A value per epoch as columns of block characters: its largest and smallest value at the left, the epochs below,
 * the one that was kept marked. With more epochs than fit in a line, each column shows the best of several.
 * Undefined if fewer than two epochs have a value: there is nothing to draw.
 */
export function epochChart(
  epochs: readonly EpochRecord[],
  { name, value, kept }: { name: string; value(epoch: EpochRecord): number | null; kept: number },
  terminal: Terminal,
): string[] | undefined {
  const points = epochs.flatMap((epoch) => {
    const found = value(epoch)
    return found === null || !Number.isFinite(found) ? [] : [{ epoch: epoch.epoch, value: found }]
  })
  if (points.length < 2) return undefined
  const each = Math.ceil(points.length / MOST_COLUMNS)
  const columns = Array.from({ length: Math.ceil(points.length / each) }, (_, k): Column => {
    const group = points.slice(k * each, (k + 1) * each)
    return {
      from: group[0]!.epoch,
      to: group.at(-1)!.epoch,
      value: Math.max(...group.map((point) => point.value)),
    }
  })
  const values = columns.map((column) => column.value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  // Short runs get wider columns, so that there is something to see.
  const wide = Math.max(1, Math.min(4, Math.floor(32 / columns.length)))
  // The smallest value keeps an eighth of a character, because it was measured.
  const eighths = values.map((each) =>
    most > least ? 1 + Math.round(((each - least) / (most - least)) * (HEIGHT * 8 - 1)) : HEIGHT * 4,
  )
  const isKept = columns.map(({ from, to }) => from <= kept && kept <= to)
  const labels = Array.from({ length: HEIGHT }, () => '')
  const written = formatScore(most)
  labels[most > least ? 0 : HEIGHT >> 1] = written
  if (most > least) labels[HEIGHT - 1] = formatFixed(least, written.length - written.indexOf('.') - 1)
  const left = Math.max(...labels.map((label) => label.length))
  const rows = labels.map((label, row) => {
    const drawn = eighths.map((height, k) => {
      const letter = EIGHTHS[Math.min(8, Math.max(0, height - (HEIGHT - 1 - row) * 8))]!.repeat(wide)
      return letter.trim() === '' ? letter : terminal.style(isKept[k] ? 'green' : 'blue', letter)
    })
    return `  ${label.padStart(left)} ${drawn.join('')}`.trimEnd()
  })
  const indent = ' '.repeat(left + 3)
  const title = `  ${name} by epoch${each > 1 ? `, each column the best of ${formatCount(each)}` : ''}`
  const place = isKept.indexOf(true)
  return [
    title,
    ...rows,
    `${indent}${endsLine(columns, columns.length * wide)}`,
    ...(place < 0 ? [] : [keptLine(kept, place * wide, indent)]),
  ]
}

/** The first and the last epoch below the ends of the chart. */
function endsLine(columns: readonly Column[], width: number): string {
  const [first, last] = [formatCount(columns[0]!.from), formatCount(columns.at(-1)!.to)]
  return `${first}${last.padStart(Math.max(width - first.length, last.length + 1))}`
}

/** `▲ epoch 57 kept` below the column, with the words on the side that has room. */
function keptLine(kept: number, place: number, indent: string): string {
  const label = `epoch ${formatCount(kept)} kept`
  return place > label.length + 1
    ? `${indent}${' '.repeat(place - label.length - 1)}${label} ▲`
    : `${indent}${' '.repeat(place)}▲ ${label}`
}
