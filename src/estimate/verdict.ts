import type { PropensitySource } from '../log/log.js'
import { counted, formatShare } from '../number-text.js'
import type { LackingFact } from './diagnostics.js'
import type { Diagnostics, Estimate, Verdict, VerdictLevel } from './evaluation.js'

type Reason = Verdict['reasons'][number]
interface Complaint extends Reason {
  readonly level: Exclude<VerdictLevel, 'trust'>
}

/** A gate: beyond `caution` an answer needs care, beyond `refuse` it is not an answer. */
interface Gate {
  readonly code: string
  readonly value: number | null
  readonly caution: number
  readonly refuse: number
  /** Which side is bad. */
  readonly bad: 'low' | 'high'
  readonly message: (value: number) => string
}

/** A number to two digits, with its noun. */
const about = (value: number, noun: string): string => counted(Number(value.toPrecision(2)), noun)

/** What a verdict considers besides diagnostics and estimates. */
export interface VerdictContext {
  readonly propensities: PropensitySource
  readonly clusters: { readonly count: number; readonly unit: string }
  /** Facts that the source of the sums did not compute. */
  readonly lacking?: readonly LackingFact[]
}

/**
 * Trust, caution or refuse. The limits on effective clicks, degrees of freedom and the largest cluster are
 * those under which intervals were measured to cover. One gate is not enough: a single row of enormous
 * weight can pass several of them.
 */
export function verdictOf(
  diagnostics: Diagnostics,
  estimates: readonly Estimate[],
  { propensities: source, clusters, lacking = [] }: VerdictContext,
): Verdict {
  const complaints = [
    ...noAnswer(estimates),
    ...gatesOf(diagnostics, clusters.count, clusters.unit).flatMap(judge),
    ...(clusters.count > 1 ? meanWeight(diagnostics) : []),
    ...propensities(source),
    ...lacking.map(notComputed),
  ]
  const refused = complaints.filter(({ level }) => level === 'refuse')
  const cautions = complaints.filter(({ level }) => level === 'caution')
  const reasons = [...refused, ...cautions].map(({ code, message, value }) => ({ code, message, value }))
  if (refused.length > 0) return { level: 'refuse', reasons }
  if (cautions.length > 0) return { level: 'caution', reasons }
  return { level: 'trust', reasons: praise(diagnostics, clusters.unit) }
}

function gatesOf(diagnostics: Diagnostics, clusters: number, unit: string): Gate[] {
  return [
    {
      code: 'few-clusters',
      value: clusters,
      caution: 30,
      refuse: 2,
      bad: 'low',
      message: (value) =>
        `Only ${counted(value, `independent ${unit}`)}: too few to measure how much they differ.`,
    },
    {
      code: 'few-effective-clicks',
      value: diagnostics.effectiveClusterClicks,
      caution: 30,
      refuse: 10,
      bad: 'low',
      message: (value) => `The answer rests on about ${about(value, 'effective click')}.`,
    },
    {
      code: 'few-degrees-of-freedom',
      value: diagnostics.degreesOfFreedom,
      caution: 20,
      refuse: 5,
      bad: 'low',
      message: (value) => `The answer is as uncertain as if it came from only ${about(value, unit)}.`,
    },
    {
      code: 'one-cluster-dominates',
      value: diagnostics.topClusterShare,
      caution: 0.1,
      refuse: 0.5,
      bad: 'high',
      message: (value) => `One ${unit} contributes ${formatShare(value)} of the weighted reward.`,
    },
    {
      code: 'one-row-dominates',
      value: diagnostics.topShare,
      caution: 0.05,
      refuse: 0.25,
      bad: 'high',
      message: (value) => `One row carries ${formatShare(value)} of the total weight.`,
    },
    {
      code: 'low-effective-sample',
      value: diagnostics.ess,
      caution: 100,
      refuse: 10,
      bad: 'low',
      message: (value) => `The effective sample size is only ${about(value, 'row')}.`,
    },
    {
      code: 'heavy-tail',
      value: diagnostics.paretoK,
      caution: 0.7,
      refuse: 1,
      bad: 'high',
      message: (value) =>
        `The largest weights have a heavy tail (Pareto k ${value.toFixed(2)}): new rows may change the answer.`,
    },
    {
      code: 'unsupported',
      value: diagnostics.unsupportedMass,
      caution: 0.02,
      refuse: 0.2,
      bad: 'high',
      message: (value) =>
        `In ${formatShare(value)} of impressions the target shows items that the log never shows; their reward is unknown.`,
    },
  ]
}

function judge({ code, value, caution, refuse, bad, message }: Gate): Complaint[] {
  if (value === null) return []
  const isBeyond = (limit: number): boolean => (bad === 'low' ? value < limit : value > limit)
  if (!isBeyond(caution)) return []
  return [{ level: isBeyond(refuse) ? 'refuse' : 'caution', code, message: message(value), value }]
}

/** The mean weight is 1 when the propensities are right and the log supports the target. */
function meanWeight({ meanWeight: mean, meanWeightZ: z, unsupportedMass }: Diagnostics): Complaint[] {
  if (mean === null) return []
  // Weights without spread have no standard error, and then only rounding excuses a mean other than 1.
  const isOff = Math.abs(mean - 1) > 1e-6 && (z === null || Math.abs(z) >= 4)
  if (!isOff) return []
  const how = z === null ? 'without any spread' : `${Math.abs(z).toFixed(0)} standard errors away`
  const message =
    `The weights average ${Number(mean.toPrecision(3))} instead of 1, ${how}: ` +
    (unsupportedMass === null
      ? 'the propensities are wrong, or the target shows items that the log never shows (give the catalogue of all items to find out which).'
      : 'the propensities are wrong, or the target shows items that the log never shows.')
  return [
    { level: Math.abs(mean - 1) > 0.25 ? 'refuse' : 'caution', code: 'mean-weight', message, value: mean },
  ]
}

/** A gate that could not be checked is not passed. */
const notComputed = ({ what, why }: LackingFact): Complaint => ({
  level: 'caution',
  code: 'not-computed',
  message: `Not computed: ${what}, because ${why}.`,
  value: null,
})

function propensities(source: PropensitySource): Complaint[] {
  if (source === 'logged') return []
  const message = `The propensities are ${source}, not logged: the answer is only as good as they are.`
  return [{ level: 'caution', code: 'propensities', message, value: null }]
}

function noAnswer(estimates: readonly Estimate[]): Complaint[] {
  if (estimates.some(({ value, interval }) => value !== null && interval !== null)) return []
  const reason = estimates.find((estimate) => estimate.reason !== undefined)?.reason
  const message =
    reason === undefined
      ? 'No estimator gives both a value and an interval.'
      : `No estimator gives both a value and an interval. ${sentence(reason)}`
  return [{ level: 'refuse', code: 'no-answer', message, value: null }]
}

/** What speaks for an answer that passed every gate, the strongest first: short answers quote that one alone. */
function praise(diagnostics: Diagnostics, unit: string): Reason[] {
  const { ess, essRatio, effectiveClusterClicks, topClusterShare, topShare } = diagnostics
  const reasons: Reason[] = []
  if (effectiveClusterClicks !== null)
    reasons.push({
      code: 'effective-clicks',
      message:
        `About ${about(effectiveClusterClicks, 'effective click')}` +
        (topClusterShare === null ? '.' : `, and no ${unit} dominates.`),
      value: effectiveClusterClicks,
    })
  if (topShare !== null)
    reasons.push({
      code: 'no-row-dominates',
      message: `No row carries more than ${formatShare(topShare)} of the total weight.`,
      value: topShare,
    })
  if (ess !== null && essRatio !== null)
    reasons.push({
      code: 'effective-sample',
      message: `The effective sample size is ${about(ess, 'row')}.`,
      value: essRatio,
    })
  return reasons
}

/** A reason as a sentence of its own. */
const sentence = (reason: string): string =>
  `${reason[0]!.toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`
