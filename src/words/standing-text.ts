import { listed } from '../listed.js'
import type { Metric } from '../metrics/user-mean.js'
import type { RankedModel, Training } from '../train/training.js'
import { formatEstimate, rangeText } from './estimate-text.js'
import { outcomeOf, signedLead } from './ranking-finding.js'
import { capitalised, formatMetric, measuredPart, modelLabel } from './training-text.js'

/** How a trained model stands beside the others, in words. */
export interface Standing {
  readonly text: string
  /** The model to use instead, where the trained one does not beat it. */
  readonly instead?: string
}

/** A model that the trained one was compared with, user by user. */
interface Rival {
  readonly model: string
  readonly metric: Metric
  readonly lead: Metric
}

/**
 * Whether the model beats the others by more than noise, from their differences user by user: under uniform exposure
 * where propensities are known, else on the clicks as logged. Undefined where nothing was compared.
 */
export function standingOf(training: Training): Standing | undefined {
  const { ranked, settings, chosenFrom = [] } = training
  const { rivals, own, isCorrected } = rivalsOf(training)
  if (!own || rivals.length === 0) return undefined
  const name = modelLabel(ranked[0]!.model)
  const metric = `NDCG@${settings.k}${isCorrected ? ' under uniform exposure' : ''}`
  const best = rivals.reduce((a, b) => (b.lead.value < a.lead.value ? b : a))
  const label = modelLabel(best.model)
  const [ours, theirs] = [own, best.metric].map((one) => formatMetric(one).value)
  const wasTried = chosenFrom.some(({ model }) => model === best.model)
  const outcome = outcomeOf(best.lead)
  if (outcome === 'behind')
    return {
      text: `**${capitalised(label)} beats ${name} in ${metric}**: ${theirs} against ${ours} (${differenceText(best.lead, -1)}). Use ${label}.`,
      instead: best.model,
    }
  if (outcome === 'open') {
    const isSimplest = ranked[0]!.model === 'popularity'
    const isSimpler = !isSimplest && (best.model === 'popularity' || !wasTried)
    const advised = isSimpler
      ? `Use ${label}, which is simpler.`
      : isSimplest
        ? 'It is kept as the simpler one.'
        : 'Either will do.'
    return {
      text: `**${capitalised(name)} does not beat ${label} by more than noise** in ${metric}: ${ours} against ${theirs} (${differenceText(best.lead, 1)}). ${advised}`,
      ...(isSimpler && { instead: best.model }),
    }
  }
  return {
    text: `${capitalised(name)} beats ${listed(rivals.map(({ model }) => modelLabel(model)))} in ${metric} by more than noise: ${ours} against ${theirs} for ${rivals.length > 1 ? `${label}, the best of them` : label} (${differenceText(best.lead, 1)}).`,
  }
}

/** Where the clicks as logged name another winner than those corrected for exposure do. */
export function asLoggedText(training: Training): string {
  const { ranked, settings } = training
  const { isCorrected } = rivalsOf(training)
  const part = measuredPart(ranked)
  if (!isCorrected || !part) return ''
  const behind = ranked.slice(1).filter(({ lead }) => lead && outcomeOf(lead.ndcg) === 'behind')
  if (behind.length === 0) return ''
  const best = behind.reduce((a, b) => (b.lead!.ndcg.value < a.lead!.ndcg.value ? b : a))
  const [theirs, ours] = [best, ranked[0]!].map((one) => formatMetric(one[part]!.ndcg).value)
  return `On the clicks as logged, which favour what was shown most, ${modelLabel(best.model)} is ahead in NDCG@${settings.k}: ${theirs} against ${ours}.`
}

/** What the lists of the models would earn, shown in proportion to 1/rank; empty without propensities. */
export function policyText({ ranked }: Training): string {
  const [trained, ...others] = ranked
  const policy = trained?.policy
  if (!policy || policy.value === null) return ''
  const name = modelLabel(trained.model)
  if (policy.doubt !== undefined)
    return `The held-out impressions do not show precisely enough what the lists of ${name} would earn per impression. ${policy.doubt}`
  const { value, interval } = formatEstimate(policy.value, policy.interval)
  const beside = others.flatMap(({ model, policy: one }) =>
    one && one.value !== null && one.doubt === undefined
      ? [`${formatEstimate(one.value, one.interval).value} by ${modelLabel(model)}`]
      : [],
  )
  return `Shown in proportion to 1/rank, the lists of ${name} would earn ${value} per impression${interval === null ? '' : ` (95 % CI ${interval})`}${beside.length > 0 ? `; ${listed(beside)}` : ''}.`
}

/** The others with how far the model leads them, and its own metric; corrected for exposure where all are. */
function rivalsOf({ ranked }: Training): {
  rivals: readonly Rival[]
  own: Metric | undefined
  isCorrected: boolean
} {
  const part = measuredPart(ranked)
  if (!part) return { rivals: [], own: undefined, isCorrected: false }
  const compared = ranked.slice(1).filter(({ lead, [part]: metrics }) => lead && metrics)
  const isCorrected = compared.length > 0 && compared.every(({ lead }) => lead!.ips)
  const metricOf = ({ [part]: metrics }: RankedModel): Metric =>
    isCorrected ? metrics!.ips!.ndcg : metrics!.ndcg
  return {
    own: metricOf(ranked[0]!),
    isCorrected,
    rivals: compared.map((one) => ({
      model: one.model,
      metric: metricOf(one),
      lead: isCorrected ? one.lead!.ips! : one.lead!.ndcg,
    })),
  }
}

/** `difference 0.031, 95 % CI 0.022–0.040, user by user`, of the sign that is asked for. */
function differenceText(lead: Metric, sign: 1 | -1): string {
  const { value, interval } = signedLead(lead, sign)
  const said = formatEstimate(value, interval)
  return `difference ${said.value}, ${rangeText(said.interval)}, user by user`
}
