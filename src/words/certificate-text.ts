import { withinSentence } from '../listed.js'
import { counted } from '../number-text.js'
import type { Bounded, Certificate } from '../train/certificate.js'
import { formatConfidence, formatEstimate, formatFixed, valueDecimals } from './estimate-text.js'

/** The certificate of a policy in sentences: what it surely earns, whether that is more than what is earned now, what to do. */
export function certificateSentences(certificate: Certificate): string[] {
  const { policy, logging, difference, decision } = certificate
  if (policy.atLeast === null)
    return [...refused(policy), keep, 'More test impressions, or a policy that explores more, may say more.']
  const earned = `${atLeast(policy)} per impression with ${formatConfidence(certificate.confidence)} confidence`
  const now = formatEstimate(logging.value!, bounds(logging)).value
  return decision === 'launch'
    ? [
        `The learnt policy earns at least ${earned} (estimate ${estimate(policy)}, on ${testRows(certificate)}).`,
        `That is at least ${atLeast(difference)} more than the logging policy, which earned ${now}.`,
        ...care(difference),
      ]
    : [
        `No improvement over the logging policy can be shown: the learnt policy earns at least ${earned}, the logging policy earned ${now} (on ${testRows(certificate)}).`,
        keep,
        ...care(policy),
      ]
}

const keep = 'Keep the logging policy.'

/** One line for a figure, without more than the verdict allows. */
export function certificateTitle(certificate: Certificate): string {
  const { policy, difference, decision } = certificate
  if (policy.atLeast === null) return 'No certificate: these rows cannot value the learnt policy'
  return decision === 'launch'
    ? `The learnt policy earns at least ${atLeast(difference)} more per impression than the logging policy`
    : 'No improvement over the logging policy can be shown'
}

const testRows = ({ rows, items }: Certificate): string =>
  `${counted(rows, 'test impression')} that training never used` +
  (items === 'unseen' ? ', among items it did not show to the user' : '')

/** A lower bound, rounded down: rounding must not promise more. */
function atLeast(bounded: Bounded): string {
  const decimals = valueDecimals(bounded.value!, bounds(bounded))
  const scale = 10 ** decimals
  return formatFixed(Math.floor(bounded.atLeast! * scale) / scale, decimals)
}

const estimate = (bounded: Bounded): string => formatEstimate(bounded.value!, bounds(bounded)).value

const bounds = ({ atLeast: low, atMost: high }: Bounded): [number, number] | null =>
  low === null || high === null ? null : [low, high]

const refused = ({ verdict }: Bounded): string[] => [
  `No certificate: the test impressions cannot say what the learnt policy earns. ${verdict.reasons[0]?.message ?? ''}`.trim(),
]

/** The gravest reason for care. */
const care = ({ verdict: { level, reasons } }: Bounded): string[] =>
  level === 'caution' && reasons[0] ? [`Take care: ${withinSentence(reasons[0].message)}`] : []
