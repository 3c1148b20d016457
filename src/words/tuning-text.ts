import type { Metric } from '../metrics/user-mean.js'
import { isLinear, isSolved, TRAINED_MODELS } from '../model/trained-models.js'
import { counted, formatCount } from '../number-text.js'
import { LOSSES } from '../train/losses/index.js'
import { parametersOf, parametersText } from '../train/parameters-text.js'
import { REGULARISERS } from '../train/regularisers.js'
import type { TrainSettings } from '../train/settings.js'
import type { Rung } from '../train/tune/rungs.js'
import type { Reached, Tested, Trial, Tuning } from '../train/tune/tuning.js'
import { certificateSentences } from './certificate-text.js'
import { formatConfidence, withRange } from './estimate-text.js'
import { formatMetric, formatScore, measureLabel, modelLabel, overlap } from './training-text.js'

/** What was tried, in a line: "LightGCN, softmax of 64, rate 0.005, dim 64, 2 layers, L2 1e-5". */
export function trialText(settings: TrainSettings): string {
  const { model, dim, layers, learningRate, l2, biases } = settings
  if (isSolved(model))
    return [modelLabel(model), parametersText(parametersOf(settings))].filter(Boolean).join(', ')
  return [
    `${modelLabel(model)}${biases ? ' with biases' : ''}`,
    lossText(settings),
    regulariserText(settings),
    `rate ${learningRate}`,
    isLinear(model) ? '' : `dim ${dim}`,
    TRAINED_MODELS.named(model).hasLayers ? counted(layers, 'layer') : '',
    `L2 ${l2}`,
    settings.start === 'logging' ? 'from the logging policy' : '',
  ]
    .filter(Boolean)
    .join(', ')
}

function lossText({ loss, parameter, drawn }: TrainSettings): string {
  const { form } = LOSSES.named(loss)
  if (form === 'softmax') return `${loss} of ${formatCount(drawn)}`
  return parameter === undefined ? loss : `${loss} ${parameter}`
}

function regulariserText({ regulariser: { kind, strength }, loss }: TrainSettings): string {
  if (LOSSES.named(loss).weights !== 'ips') return ''
  return REGULARISERS.named(kind).strength ? `${kind} ${strength}` : 'weights as they are'
}

/** A trial by its number, as tables name it: "3", "defaults", "EASE". */
export const trialName = ({ role, settings }: Trial, number: number): string =>
  role === 'defaults' ? 'defaults' : role === 'solved' ? modelLabel(settings.model) : String(number)

/** What a trial had reached when it ended, or was left. */
export const lastOf = ({ reached }: Trial): Trial['reached'][number] | undefined => reached.at(-1)

/** Trials with what they reached, the best first, those without a value last. */
export function rankedTrials({ trials, best }: Tuning): { trial: Trial; number: number }[] {
  const level = (trial: Trial): number => (trial.role === 'drawn' ? trial.reached.length : Infinity)
  const value = (trial: Trial): number => lastOf(trial)?.value ?? -Infinity
  return trials
    .map((trial, number) => ({ trial, number }))
    .toSorted(
      (a, b) =>
        Number(b.number === best) - Number(a.number === best) ||
        value(b.trial) - value(a.trial) ||
        level(b.trial) - level(a.trial) ||
        a.number - b.number,
    )
}

/** What trials are chosen by: "NDCG@10 on the validation clicks". */
export function tunedByText({ by, trials }: Pick<Tuning, 'by' | 'trials'>): string {
  const k = trials[0]?.settings.k ?? 10
  return `${measureLabel(by, k)} on the validation ${by === 'lower-bound' ? 'impressions' : 'clicks'}`
}

/** The answer of a tuning: what is best, by how much on the part that chose, and what the part that chose nothing says. */
export function tuningAnswer(tuning: Tuning): string {
  const { trials, best } = tuning
  const chosen = trials[best ?? -1]
  if (!chosen)
    return `No trial can be chosen: ${tunedByText(tuning)} has no value for any of them.${tuning.by === 'lower-bound' ? ' Keep the policy that you have.' : ''}`
  return [choiceSentence(tuning, chosen), ...testSentences(tuning)].join(' ')
}

function choiceSentence(tuning: Tuning, chosen: Trial): string {
  const { trials } = tuning
  const value = formatScore(lastOf(chosen)!.value!)
  const others = trials.filter(({ role }) => role !== 'defaults').length
  const tried = `${counted(others, 'trial')}`
  if (chosen.role === 'defaults')
    return `No trial beats the defaults: ${tunedByText(tuning)} is ${value}, the best of ${tried} beside them.`
  const defaults = trials.find(({ role }) => role === 'defaults')
  const before = defaults && lastOf(defaults)
  return (
    `The best of ${tried} is ${trialText(chosen.settings)}: ${tunedByText(tuning)} is ${value}` +
    (before?.value == null ? '.' : `, ${formatScore(before.value)} with the defaults${cutShort(before)}.`)
  )
}

/** The defaults had their share of the time, which may have ended before they did. */
const cutShort = ({ stopped, epoch, epochs }: Reached): string =>
  stopped === 'rung' && epoch > 0.9 * epochs
    ? `, which were stopped after ${counted(epochs, 'epoch')} and may still have improved`
    : ''

/** What the test part says, which chose nothing. */
function testSentences(tuning: Tuning): string[] {
  const { test, by } = tuning
  if (!test) return []
  if (by === 'lower-bound') return certifiedSentences(test)
  const own = testedMetric(tuning, test.best)
  if (!own) return []
  const { k } = tuning.trials[0]!.settings
  const isWeighted = by === 'unbiased' && test.best.ranked.test?.ips !== undefined
  const name = `NDCG@${k}${isWeighted ? ' weighted by 1/propensity' : ''}`
  const sentence = `On the test clicks, on which no choice was based, ${name} is ${withInterval(own)}`
  const defaults = test.defaults && testedMetric(tuning, test.defaults)
  if (!defaults || tuning.trials[tuning.best!]!.role === 'defaults') return [`${sentence}.`]
  const said = [`${sentence}, with the defaults ${withInterval(defaults)}.`]
  if (own.value <= defaults.value)
    return [...said, '**The defaults are no worse**: what was chosen is no better on new clicks.']
  return overlap(own, defaults) ? [...said, 'The intervals overlap: part of the gain may be chance.'] : said
}

/** The certificate of the best policy. Where it has none to launch by and the defaults do, that is the better news; two looks cost confidence. */
function certifiedSentences({ best, defaults }: NonNullable<Tuning['test']>): string[] {
  const own = best.certificate ? certificateSentences(best.certificate) : []
  const other = defaults?.certificate
  if (best.certificate?.decision === 'launch' || other?.decision !== 'launch') return own
  return [
    ...own,
    `**The policy of the defaults does have a certificate.** ${certificateSentences(other).join(' ')}`,
    `Two policies were looked at on the test part, so count on ${formatConfidence(2 * other.confidence - 1)} rather than ${formatConfidence(other.confidence)}.`,
  ]
}

/** The metric that trials were chosen by, on the test clicks. */
const testedMetric = ({ by }: Tuning, { ranked: { test } }: Tested): Metric | undefined =>
  by === 'unbiased' ? (test?.ips?.ndcg ?? test?.ndcg) : test?.ndcg

const withInterval = (metric: Metric): string => withRange(formatMetric(metric))

/** How the trials of a bracket train: "27 trials for 312 steps, the best 9 for 936, the best 3 for 2,808". */
export const rungsText = (rungs: readonly Rung[]): string =>
  rungs
    .map(({ trials, steps }, k) =>
      k === 0
        ? `${counted(trials, 'trial')} for ${counted(steps, 'step')}`
        : `the best ${formatCount(trials)} for ${formatCount(steps)}`,
    )
    .join(', ')
