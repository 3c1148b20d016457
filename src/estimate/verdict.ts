import type { PropensitySource } from '../log/log.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import type { LackingFact } from './diagnostics.js'
import type { Diagnostics, Estimate, Verdict, VerdictLevel } from './evaluation.js'

type Reason = Verdict['reasons'][number]
interface Complaint extends Reason {
  readonly level: Exclude<VerdictLevel, 'trust'>
}

/** A gate: below (or above) `caution` an answer needs care, below (or above) `refuse` it is none. */
interface Gate {
  readonly code: string
  readonly value: number | null
  readonly caution: number
  readonly refuse: number
  /** Which side is bad. */
  readonly bad: 'low' | 'high'
  readonly message: (value: number) => string
}

const rounded = (value: number): string => formatCount(Number(value.toPrecision(2)))

/** What a verdict looks at beside diagnostics and estimates. */
export interface VerdictContext {
  readonly propensities: PropensitySource
  readonly clusters: { readonly count: number; readonly unit: string }
  /** What the source of the sums did not compute. */
  readonly lacking?: readonly LackingFact[]
}

/**
 * Trust, caution or refuse. The limits on effective clicks, degrees of freedom and the largest cluster are
 * those under which intervals were measured to cover; one gate is not enough, since a single row of
 * enormous weight can pass several of them.
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
  return { level: 'trust', reasons: praise(diagnostics) }
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
        `Only ${counted(value, `independent ${unit}`)}: too few to tell how much they differ.`,
    },
    {
      code: 'few-effective-clicks',
      value: diagnostics.effectiveClusterClicks,
      caution: 30,
      refuse: 10,
      bad: 'low',
      message: (value) =>
        `The answer rests on about ${counted(Number(value.toPrecision(2)), 'effective click')}.`,
    },
    {
      code: 'few-degrees-of-freedom',
      value: diagnostics.degreesOfFreedom,
      caution: 20,
      refuse: 5,
      bad: 'low',
      message: (value) =>
        `A few ${unit}s carry the uncertainty: it is known as well as from ${rounded(value)} of them.`,
    },
    {
      code: 'one-cluster-dominates',
      value: diagnostics.topClusterShare,
      caution: 0.1,
      refuse: 0.5,
      bad: 'high',
      message: (value) => `One ${unit} brings ${formatShare(value)} of the weighted reward.`,
    },
    {
      code: 'one-row-dominates',
      value: diagnostics.topShare,
      caution: 0.05,
      refuse: 0.25,
      bad: 'high',
      message: (value) => `One row holds ${formatShare(value)} of all weight.`,
    },
    {
      code: 'low-effective-sample',
      value: diagnostics.ess,
      caution: 100,
      refuse: 10,
      bad: 'low',
      message: (value) => `The effective sample is ${counted(Number(value.toPrecision(2)), 'row')}.`,
    },
    {
      code: 'heavy-tail',
      value: diagnostics.paretoK,
      caution: 0.7,
      refuse: 1,
      bad: 'high',
      message: (value) =>
        `The largest weights have a heavy tail (Pareto k ${value.toFixed(2)}): rows not yet seen may change the answer.`,
    },
    {
      code: 'unsupported',
      value: diagnostics.unsupportedMass,
      caution: 0.02,
      refuse: 0.2,
      bad: 'high',
      message: (value) =>
        `The target shows items that the log never shows ${formatShare(value)} of the time; nothing is known about them.`,
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
  // Without any spread in the weights there is no standard error, and no excuse either. A mean that is off by rounding is not off.
  const isOff = Math.abs(mean - 1) > 1e-6 && (z === null || Math.abs(z) >= 4)
  if (!isOff) return []
  const how = z === null ? 'without any spread' : `${Math.abs(z).toFixed(0)} standard errors off`
  const message =
    `The weights have mean ${Number(mean.toPrecision(3))} instead of 1, ${how}: ` +
    (unsupportedMass === null
      ? 'the propensities are wrong, or the target shows items that the log does not (give the catalogue of all items to tell which).'
      : 'the propensities are wrong, or the target shows what the log does not.')
  return [
    { level: Math.abs(mean - 1) > 0.25 ? 'refuse' : 'caution', code: 'mean-weight', message, value: mean },
  ]
}

/** A gate that nobody looked at is not passed. */
const notComputed = ({ what, why }: LackingFact): Complaint => ({
  level: 'caution',
  code: 'not-computed',
  message: `Not computed: ${what}, because ${why}.`,
  value: null,
})

function propensities(source: PropensitySource): Complaint[] {
  if (source === 'logged') return []
  const message = `The propensities are ${source}, not logged: the answer is as good as they are.`
  return [{ level: 'caution', code: 'propensities', message, value: null }]
}

function noAnswer(estimates: readonly Estimate[]): Complaint[] {
  if (estimates.some(({ value, interval }) => value !== null && interval !== null)) return []
  const reason = estimates.find((estimate) => estimate.reason !== undefined)?.reason
  const message =
    reason === undefined
      ? 'No estimate has a value and an interval.'
      : `There is no answer with an interval. ${sentence(reason)}`
  return [{ level: 'refuse', code: 'no-answer', message, value: null }]
}

function praise({ essRatio, effectiveClusterClicks, topShare }: Diagnostics): Reason[] {
  const reasons: Reason[] = []
  if (essRatio !== null)
    reasons.push({
      code: 'effective-sample',
      message: `The effective sample is ${formatShare(essRatio)} of the rows.`,
      value: essRatio,
    })
  if (effectiveClusterClicks !== null)
    reasons.push({
      code: 'effective-clicks',
      message: `About ${rounded(effectiveClusterClicks)} effective clicks.`,
      value: effectiveClusterClicks,
    })
  if (topShare !== null)
    reasons.push({
      code: 'no-row-dominates',
      message: `No row holds more than ${formatShare(topShare)} of the weight.`,
      value: topShare,
    })
  return reasons
}

/** A reason as a sentence of its own. */
const sentence = (reason: string): string =>
  `${reason[0]!.toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`
