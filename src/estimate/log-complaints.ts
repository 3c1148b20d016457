import type { PropensitySource } from '../log/log.js'
import { counted, formatShare } from '../number-text.js'
import { log10 } from '../portable-math.js'
import type { LackingFact } from './diagnostics.js'
import type { Diagnostics } from './evaluation.js'
import { judge, onePerCode } from './gate.js'
import type { Complaint } from './verdict.js'
import { FEWEST_DAYS } from './ways.js'

/** What speaks against every estimate of a log and a target. */
export interface LogContext {
  readonly propensities: PropensitySource
  /** Independent units, as the first way of clustering counts them. */
  readonly clusters: { readonly count: number; readonly unit: string }
  /** Days of the log, null where unknown; whether the intervals know that days differ. */
  readonly days: { readonly count: number | null; readonly areInInterval: boolean }
  /** Facts that the source of the sums did not compute. */
  readonly lacking: readonly LackingFact[]
  /** What the checks of the log found that lowers a verdict. */
  readonly found: readonly Complaint[]
}

/** Weights of one kind, which average 1 when the propensities are right and the log supports the target. */
export interface MeanWeight {
  /** As a message calls them: "weights of pages". */
  readonly what: string
  readonly mean: number | null
  /** How many standard errors it is away from 1; null where there are none. */
  readonly z: number | null
  /** What else may make them average another number, as the rest of a sentence. */
  readonly otherwise?: string
}

/** The weights of single rows. */
export const rowWeights = ({ meanWeight: mean, meanWeightZ: z }: Diagnostics): MeanWeight => ({
  what: 'weights',
  mean,
  z,
})

/** What speaks against every estimate by weights of some kinds: the log, its propensities, the target's support, what could not be computed. */
export function complaintsAboutLog(
  diagnostics: Diagnostics,
  log: LogContext,
  weights: readonly MeanWeight[] = [rowWeights(diagnostics)],
): Complaint[] {
  const { clusters, lacking, found } = log
  return [
    ...judge({
      code: 'few-clusters',
      value: clusters.count,
      caution: 30,
      refuse: 2,
      bad: 'low',
      message: (value) =>
        `Only ${counted(value, `independent ${clusters.unit}`)}: too few to measure how much they differ.`,
    }),
    ...judge({
      code: 'unsupported',
      value: diagnostics.unsupportedMass,
      caution: 0.02,
      refuse: 0.2,
      bad: 'high',
      message: (value) =>
        `In ${formatShare(value)} of impressions the target shows items that the log never shows; their reward is unknown.`,
    }),
    ...(clusters.count > 1
      ? onePerCode(weights.flatMap((one) => meanWeight(one, diagnostics.unsupportedMass)))
      : []),
    ...fewDays(log),
    ...propensities(log.propensities),
    ...found,
    ...lacking.map(notComputed),
  ]
}

/** A log of a few days cannot say how much days differ. */
function fewDays({ days: { count, areInInterval } }: LogContext): Complaint[] {
  if (count === null || count >= FEWEST_DAYS || areInInterval) return []
  return [
    {
      level: 'caution',
      code: 'few-days',
      message: `The log covers only ${counted(count, 'day')}: how much one day differs from another is unknown, and not in the intervals.`,
      value: count,
    },
  ]
}

function meanWeight({ what, mean, z, otherwise }: MeanWeight, unsupportedMass: number | null): Complaint[] {
  if (mean === null) return []
  // Weights without spread have no standard error, and then only rounding excuses a mean other than 1: 1/30 may be written as 0.0333.
  const isOff = Math.abs(mean - 1) > (z === null ? 1e-3 : 1e-6) && (z === null || Math.abs(z) >= 4)
  if (!isOff) return []
  const how = z === null ? 'without any spread' : `${Math.abs(z).toFixed(0)} standard errors away`
  const causes = [
    ...(otherwise === undefined ? [] : [otherwise]),
    'the propensities are wrong',
    // Items that are never shown only take weight away; a target that knows what was shown adds some.
    mean > 1 ? 'the target was made from these very rows' : 'the target shows items that the log never shows',
  ]
  const hint =
    mean < 1 && unsupportedMass === null ? ' (give the catalogue of all items to find out which)' : ''
  // As many digits as show that it is not 1.
  const digits = Math.max(3, 1 + Math.ceil(-log10(Math.abs(mean - 1))))
  const message = `The ${what} average ${Number(mean.toPrecision(digits))} instead of 1 (${how}): ${causes.join(', or ')}${hint}.`
  return [
    { level: Math.abs(mean - 1) > 0.25 ? 'refuse' : 'caution', code: 'mean-weight', message, value: mean },
  ]
}

/** A gate that could not be checked is not passed. */
const notComputed = ({ what, why, question }: LackingFact): Complaint => ({
  level: 'caution',
  code: 'not-computed',
  message: `Not computed: ${what}, because ${why}.`,
  value: null,
  ...(question && { question }),
})

function propensities(source: PropensitySource): Complaint[] {
  if (source === 'logged') return []
  const message = `The propensities are ${source}, not logged: the answer is only as good as they are.`
  return [{ level: 'caution', code: 'propensities', message, value: null }]
}
