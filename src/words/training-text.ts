import type { Metric, MetricsAtK } from '../metrics/ranking-metrics.js'
import { formatCount, supportedDecimals } from '../number-text.js'
import { LOSSES } from '../train/losses/index.js'
import { parametersOf, parametersText } from '../train/parameters-text.js'
import { STOPPING_MEASURES } from '../train/stopping-measures.js'
import type { RankedModel, Training } from '../train/training.js'
import { certificateSentences } from './certificate-text.js'
import { ratingSentences, testLogSentences } from './rated-text.js'
import {
  capitalised,
  formatMetric,
  formatMetricRate,
  formatScore,
  modelLabel,
  overlap,
} from './metric-text.js'

export {
  capitalised,
  formatMetric,
  formatMetricRate,
  formatScore,
  modelLabel,
  overlap,
} from './metric-text.js'

/** Held-out clicks: those that chose the epoch, and those that nothing was chosen on. */
export type HeldOutPart = 'validation' | 'test'

/** What decides which epoch is best, in words: `ndcg` gives "NDCG@10". */
export function measureLabel(measure: string, k: number): string {
  const known = STOPPING_MEASURES.find(measure.replace(/@\d+$/, ''))
  return known ? known.label.replace('@k', `@${k}`) : measure
}

/** The value of a measure as it is said: an error without its sign. */
export const measureText = (measure: string, value: number): string =>
  formatScore(STOPPING_MEASURES.find(measure)?.isError ? -value : value)

/** What the validation part holds, in the words of a loss. */
function heldOutRows(loss: string): string {
  const { objective, form } = LOSSES.named(loss)
  if (form === 'squared') return 'ratings'
  return objective ? 'impressions' : 'clicks'
}

/** The part to speak about: the test clicks where the trained model was measured on them, else validation; null where on neither. */
export function measuredPart([trained]: readonly RankedModel[]): HeldOutPart | null {
  if (trained?.test) return 'test'
  return trained?.validation ? 'validation' : null
}

/** A model with what was measured on one part. */
interface MeasuredModel<Name extends keyof MetricsAtK = keyof MetricsAtK> {
  readonly model: string
  readonly metrics: Readonly<Record<Name, Metric>>
}

/** The baseline with the largest value of a metric; undefined where none was measured. */
export function bestBaseline<Name extends keyof MetricsAtK>(
  baselines: readonly MeasuredModel<Name>[],
  name: Name,
): MeasuredModel<Name> | undefined {
  return baselines.reduce<MeasuredModel<Name> | undefined>(
    (best, baseline) => (best && best.metrics[name].value >= baseline.metrics[name].value ? best : baseline),
    undefined,
  )
}

/** Baselines that were measured on a part. */
export const measuredBaselines = (ranked: readonly RankedModel[], part: HeldOutPart): MeasuredModel[] =>
  ranked.slice(1).flatMap(({ model, [part]: metrics }) => (metrics ? [{ model, metrics }] : []))

/**
 * The answer to "how good is the trained model?": what it finds with its interval, how it compares with the best
 * baseline, and which epoch was kept; of an objective first what its policy surely earns. A baseline that does better is named between `**`.
 */
export function trainingAnswer(training: Training): string {
  const { certificate } = training
  return [
    ...(certificate ? certificateSentences(certificate) : []),
    ...testLogSentences(training),
    training.meanRating === undefined ? rankingSentences(training) : ratingSentences(training),
    epochSentence(training),
  ]
    .filter(Boolean)
    .join(' ')
}

function rankingSentences({ ranked, settings }: Training): string {
  const { k } = settings
  const name = modelLabel(ranked[0]?.model ?? settings.model)
  const part = measuredPart(ranked)
  if (!part) return `There are no held-out clicks to show how well ${name} ranks.`
  const metrics = ranked[0]![part]!
  const { value, interval } = formatMetricRate(metrics.recall)
  const range = interval === null ? 'no interval' : `95 % CI ${interval}`
  const found = `${capitalised(name)} finds ${value} of a user’s held-out clicks in its first ${formatCount(k)} (recall@${k}; ${range})`
  const caveat =
    part === 'test'
      ? ''
      : ' These are the validation clicks, which also chose the epoch: expect less on new clicks.'
  const baselines = measuredBaselines(ranked, part)
  const best = bestBaseline(baselines, 'recall')
  if (!best) return `${found}.${caveat}`
  const other = best.metrics.recall
  const label = modelLabel(best.model)
  const points = pointsText(metrics.recall, other)
  const close = overlap(metrics.recall, other) ? '; their intervals overlap' : ''
  // What rounds to nothing is not a lead.
  const against =
    parseFloat(points) === 0
      ? `, the same as the best baseline, ${label}.`
      : metrics.recall.value > other.value
        ? `, ${points} more than the best baseline, ${label}${close}.`
        : `. **The baseline ${label} beats it**: ${formatMetricRate(other).value}, ${points} more${close}.`
  return `${found}${against}${byNdcg(name, metrics, baselines, k)}${caveat}`
}

/** Where NDCG names another winner than recall does. */
function byNdcg(name: string, metrics: MetricsAtK, baselines: readonly MeasuredModel[], k: number): string {
  const best = bestBaseline(baselines, 'ndcg')!
  const wins = metrics.recall.value >= bestBaseline(baselines, 'recall')!.metrics.recall.value
  const winsByNdcg = metrics.ndcg.value >= best.metrics.ndcg.value
  if (wins === winsByNdcg) return ''
  const [own, other] = [metrics.ndcg, best.metrics.ndcg].map((metric) => formatMetric(metric).value)
  return winsByNdcg
    ? ` By NDCG@${k}, which also counts the order, ${name} is ahead: ${own} against ${other} for ${modelLabel(best.model)}.`
    : ` By NDCG@${k}, which also counts the order, **the baseline ${modelLabel(best.model)} beats it**: ${other} against ${own}.`
}

function pointsText(own: Metric, other: Metric): string {
  const half = own.interval ? (own.interval[1] - own.interval[0]) / 2 : 0
  const points = (Math.abs(own.value - other.value) * 100).toFixed(half > 0 ? supportedDecimals(half) : 1)
  return `${points} ${Number(points) === 1 ? 'point' : 'points'}`
}

/** How the parameters of a solved model were chosen. */
function solvedSentence({ best, settings, tried = [], epochs }: Training): string {
  const said = parametersText(parametersOf(settings))
  if (said === '') return ''
  const by =
    best.value === null
      ? ''
      : ` by ${measureLabel(best.measure, settings.k)} on the validation clicks (${measureText(best.measure, best.value)})`
  const sweeps =
    epochs.length > 0 ? `, after ${formatCount(best.epoch)} of ${formatCount(epochs.length)} sweeps` : ''
  return tried.length > 1
    ? `Solved with ${said}${sweeps}, the best of ${formatCount(tried.length)} choices${by}.`
    : `Solved with ${said}${sweeps}.`
}

function epochSentence(training: Training): string {
  const { epochs, best, stopped, settings } = training
  if (stopped === 'solved') return solvedSentence(training)
  const last = epochs.at(-1)?.epoch
  if (last === undefined) return 'No epoch was trained.'
  const held = heldOutRows(settings.loss)
  const by =
    best.value === null
      ? ''
      : ` by ${measureLabel(best.measure, settings.k)} on the validation ${held} (${measureText(best.measure, best.value)})`
  const kept = formatCount(best.epoch)
  if (stopped === 'interrupted') {
    const so = `Interrupted after epoch ${formatCount(last)} of at most ${formatCount(settings.epochs)}`
    return best.value === null ? `${so}.` : `${so}; best so far after epoch ${kept}${by}.`
  }
  if (best.value === null)
    return `Trained for ${formatCount(last)} ${last === 1 ? 'epoch' : 'epochs'}; the last is kept.`
  if (last === 1 && epochs.length === 1)
    return `Trained for one epoch: ${measureLabel(best.measure, settings.k)} on the validation ${held} is ${measureText(best.measure, best.value)}.`
  const more = stopped === 'epochs' && best.epoch === last ? ', the last one: more epochs may help' : ''
  return `Best after epoch ${kept} of ${formatCount(last)}${by}${more}.`
}
