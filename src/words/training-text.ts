import type { Metric, MetricsAtK } from '../metrics/ranking-metrics.js'
import { BASELINES } from '../model/baselines.js'
import { isSolved, TRAINED_MODELS } from '../model/trained-models.js'
import { formatCount, formatPercent, formatRate, supportedDecimals } from '../number-text.js'
import { LOSSES } from '../train/losses/index.js'
import { parametersOf, parametersText } from '../train/parameters-text.js'
import { STOPPING_MEASURES } from '../train/stopping-measures.js'
import type { RankedModel, Training } from '../train/training.js'
import { certificateSentences } from './certificate-text.js'
import { formatEstimate, formatFixed } from './estimate-text.js'

/** Held-out clicks: those that chose the epoch, and those that nothing was chosen on. */
export type HeldOutPart = 'validation' | 'test'

/** The name of a model as papers write it: `ease` gives "EASE"; unknown names stay. */
export const modelLabel = (model: string): string =>
  (TRAINED_MODELS.find(model) ?? BASELINES.find(model))?.label ?? model

/** A name at the beginning of a sentence; one like iALS keeps its small letter. */
export const capitalised = (text: string): string =>
  /^\p{Ll}\p{Lu}/u.test(text) ? text : `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`

/** What decides which epoch is best, in words: `ndcg` gives "NDCG@10". */
export function measureLabel(measure: string, k: number): string {
  const known = STOPPING_MEASURES.find(measure.replace(/@\d+$/, ''))
  return known ? known.label.replace('@k', `@${k}`) : measure
}

/** A score between 0 and 1 that comes without an interval, with three digits that count. */
export const formatScore = (value: number): string =>
  formatFixed(value, value > 0 && value < 0.1 ? Math.min(6, 2 - Math.floor(Math.log10(value))) : 3)

/** A metric as a percentage with its interval, rounded to what that supports. */
export function formatMetricRate({ value, interval }: Metric): { value: string; interval: string | null } {
  if (!interval) return { value: formatPercent(value, 1), interval: null }
  const { rate, interval: between } = formatRate(value, interval)
  return { value: rate, interval: between }
}

/** A metric as a number with its interval; without one, with three digits that count. */
export const formatMetric = ({ value, interval }: Metric): { value: string; interval: string | null } =>
  interval ? formatEstimate(value, interval) : { value: formatScore(value), interval: null }

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

/** Whether two intervals share a value; false where either is missing. */
export const overlap = (a: Metric, b: Metric): boolean =>
  a.interval !== null &&
  b.interval !== null &&
  a.interval[0] <= b.interval[1] &&
  b.interval[0] <= a.interval[1]

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
    rankingSentences(training),
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
function solvedSentence({ best, settings, tried = [], epochs, stopped }: Training): string {
  const cut =
    stopped === 'interrupted'
      ? ' Interrupted: this is the best model up to then, and a longer run may improve it.'
      : ''
  const said = parametersText(parametersOf(settings))
  if (said === '') return cut.trimStart()
  const by =
    best.value === null
      ? ''
      : ` by ${measureLabel(best.measure, settings.k)} on the validation clicks (${formatScore(best.value)})`
  const sweeps =
    epochs.length > 0 ? `, after ${formatCount(best.epoch)} of ${formatCount(epochs.length)} sweeps` : ''
  return tried.length > 1
    ? `Solved with ${said}${sweeps}, the best of ${formatCount(tried.length)} choices${by}.${cut}`
    : `Solved with ${said}${sweeps}.${cut}`
}

function epochSentence(training: Training): string {
  const { epochs, best, stopped, settings } = training
  if (isSolved(settings.model)) return solvedSentence(training)
  const last = epochs.at(-1)?.epoch
  if (last === undefined) return 'No epoch was trained.'
  const held = LOSSES.named(settings.loss).objective ? 'impressions' : 'clicks'
  const by =
    best.value === null
      ? ''
      : ` by ${measureLabel(best.measure, settings.k)} on the validation ${held} (${formatScore(best.value)})`
  const kept = formatCount(best.epoch)
  if (stopped === 'interrupted') {
    const so = `Interrupted after epoch ${formatCount(last)} of at most ${formatCount(settings.epochs)}`
    return best.value === null ? `${so}.` : `${so}; best so far after epoch ${kept}${by}.`
  }
  if (best.value === null)
    return `Trained for ${formatCount(last)} ${last === 1 ? 'epoch' : 'epochs'}; the last is kept.`
  if (last === 1 && epochs.length === 1)
    return `Trained for one epoch: ${measureLabel(best.measure, settings.k)} on the validation ${held} is ${formatScore(best.value)}.`
  const more = stopped === 'epochs' && best.epoch === last ? ', the last one: more epochs may help' : ''
  return `Best after epoch ${kept} of ${formatCount(last)}${by}${more}.`
}
