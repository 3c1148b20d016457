import { listed } from '../listed.js'
import type { MetricsAtK } from '../metrics/ranking-metrics-of.js'
import type { Metric } from '../metrics/user-mean.js'
import { isLinear, isSolved } from '../model/trained-models.js'
import { formatCount, supportedDecimals } from '../number-text.js'
import { parametersOf, parametersText } from '../train/parameters-text.js'
import type { Training } from '../train/training.js'
import { rangeText } from './estimate-text.js'
import { certificateSentences } from './certificate-text.js'
import { ratingSentences, testLogSentences } from './rated-text.js'
import { asLoggedText, policyText, standingOf } from './standing-text.js'
import {
  bestBaseline,
  capitalised,
  formatMetric,
  formatMetricRate,
  formatScore,
  measuredBaselines,
  type MeasuredModel,
  measuredPart,
  heldOutRows,
  measureLabel,
  measureText,
  modelLabel,
  overlap,
} from './training-text.js'
import { sentences } from './seed-text.js'

/**
 * The answer to "how good is the trained model?": of an objective first what its policy surely earns; whether the model
 * beats the others by more than noise, and what its lists would earn; then what it finds of the clicks as logged, and
 * which epoch was kept. A model that does better is named between `**`.
 */
export function trainingAnswer(training: Training): string {
  const { certificate } = training
  const standing = standingOf(training)
  return sentences(
    ...(certificate ? certificateSentences(certificate) : []),
    ...testLogSentences(training),
    standing?.text,
    policyText(training),
    training.meanRating === undefined
      ? rankingSentences(training, standing !== undefined)
      : ratingSentences(training),
    asLoggedText(training),
    chosenSentence(training),
    epochSentence(training),
  )
}

/** Which models were solved to choose from. */
function chosenSentence({ chosenFrom, best, settings }: Training): string {
  if (!chosenFrom || chosenFrom.length < 2) return ''
  const values = chosenFrom.map(
    ({ model, value }) => `${modelLabel(model)}${value === null ? '' : ` ${formatScore(value)}`}`,
  )
  return `Chosen by ${measureLabel(best.measure, settings.k)} on the validation clicks: ${listed(values)}.`
}

function rankingSentences({ ranked, settings }: Training, isCompared: boolean): string {
  const { k } = settings
  const name = modelLabel(ranked[0]?.model ?? settings.model)
  // A policy over features is valued, not ranked.
  if (isLinear(settings.model)) return ''
  const part = measuredPart(ranked)
  if (!part) return `There are no held-out clicks to show how well ${name} ranks.`
  const metrics = ranked[0]![part]!
  const { value, interval } = formatMetricRate(metrics.recall)
  const found = `${capitalised(name)} finds ${value} of a user’s held-out clicks in its first ${formatCount(k)} (recall@${k}; ${rangeText(interval)})`
  const caveat =
    part === 'test'
      ? ''
      : ' These are the validation clicks, which were also used to choose the epoch: expect less on new clicks.'
  const baselines = measuredBaselines(ranked, part)
  const best = bestBaseline(baselines, 'recall')
  if (!best || isCompared) return `${found}.${caveat}`
  const other = best.metrics.recall
  const label = modelLabel(best.model)
  const points = pointsText(metrics.recall, other)
  const theirs = formatMetricRate(other).value
  // What rounds to nothing is not a lead, and neither is what the intervals leave open.
  const against =
    parseFloat(points) === 0
      ? `, the same as the best baseline, ${label}.`
      : overlap(metrics.recall, other)
        ? `; the best baseline, ${label}, finds ${theirs}, and their intervals overlap.`
        : metrics.recall.value > other.value
          ? `, ${points} more than the best baseline, ${label}.`
          : `. **The baseline ${label} beats it in recall@${k}**: ${theirs}, ${points} more.`
  return `${found}${against}${byNdcg(name, metrics, baselines, k)}${caveat}`
}

/** Where NDCG names another winner than recall does, and its intervals do not leave that open. */
function byNdcg(name: string, metrics: MetricsAtK, baselines: readonly MeasuredModel[], k: number): string {
  const best = bestBaseline(baselines, 'ndcg')!
  const wins = metrics.recall.value >= bestBaseline(baselines, 'recall')!.metrics.recall.value
  const winsByNdcg = metrics.ndcg.value >= best.metrics.ndcg.value
  if (wins === winsByNdcg || overlap(metrics.ndcg, best.metrics.ndcg)) return ''
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
      : ` by ${measureLabel(best.measure, settings.k)} on the validation clicks (${measureText(best.measure, best.value)})`
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
    return `Trained for ${formatCount(last)} ${last === 1 ? 'epoch' : 'epochs'}; ${best.epoch === last ? 'the last' : `epoch ${kept}`} is kept.`
  if (last === 1 && epochs.length === 1)
    return `Trained for one epoch: ${measureLabel(best.measure, settings.k)} on the validation ${held} is ${measureText(best.measure, best.value)}.`
  const more = stopped === 'epochs' && best.epoch === last ? ', the last one: more epochs may help' : ''
  return `Best after epoch ${kept} of ${formatCount(last)}${by}${more}.`
}
