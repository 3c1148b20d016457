import { counted } from '../../number-text.js'
import type { Reason, Verdict } from '../../verdict/verdict.js'
import { COMPARE_DEFAULTS, EVALUATE_DEFAULTS } from '../defaults.js'
import type { EstimatorRequest, Evaluated, EvaluateSourceOptions } from '../evaluate-source.js'
import { type Evaluation, type Segment, type Segments, SEGMENTS_SCHEMA } from '../evaluation.js'
import { beyondRounding, differenceInterval } from '../intervals/difference.js'
import { weighsPages } from '../slate/settled-pages.js'
import { NO_TUNED_INTERVAL } from '../estimates.js'
import { verdictFrom } from '../verdict.js'
import {
  clustersWithin,
  confidenceOfEach,
  LEAST_ROWS,
  parseSegmentBy,
  segmentByName,
  type SizedSegment,
} from './choose-segments.js'

/** A segment that can be evaluated, wherever its rows are. */
export interface OpenSegment extends SizedSegment {
  readonly gathers?: number
  /** Evaluates the target asked about, or the logging policy, on the rows of the segment. */
  evaluate(target: 'asked' | 'logging', options: EvaluateSourceOptions): Promise<Evaluated>
}

/** A log by its segments, wherever its rows are. */
export interface DividedLog extends Pick<Segments, 'per'> {
  readonly segments: readonly OpenSegment[]
}

/** The segments that are listed, each with a part of the rows, and one that gathers the others. */
export const openSegments = <Part>(
  listed: readonly (SizedSegment & { readonly part: Part })[],
  {
    gathers,
    rows: left,
    part,
  }: { readonly gathers: number; readonly rows: number; readonly part: () => Part },
  evaluateOn: (part: Part) => OpenSegment['evaluate'],
): OpenSegment[] => [
  ...listed.map(({ segment, rows, part: own }) => ({ segment, rows, evaluate: evaluateOn(own) })),
  ...(gathers > 0 ? [{ segment: '', gathers, rows: left, evaluate: evaluateOn(part()) }] : []),
]

/** How to divide a log. */
export interface DivideOptions {
  /** `position`, `day`, `week`, `category` of the item, or a column of the file that the log keeps as labels. */
  by: string
  /** Default `snips`. */
  estimator?: EstimatorRequest
  /** How many segments are listed, the largest; the others are gathered in one (default 50). */
  most?: number
  /** The evaluation of the whole log, if it is at hand: a segment gets no better verdict than what is wrong with all rows. */
  whole?: Pick<Evaluation, 'verdict' | 'target'>
}

/** Evaluates each segment that is large enough, with intervals that account for how many there are. */
export async function judgeSegments(
  { per, segments }: DividedLog,
  divided: DivideOptions & EvaluateSourceOptions,
  evaluateWhole: () => Promise<Evaluated>,
): Promise<Segments> {
  // Totals are those of the whole log.
  const {
    by: text,
    estimator = COMPARE_DEFAULTS.estimator,
    most: _,
    totals: __,
    whole: known,
    ...asked
  } = divided
  const whole = known ?? (await evaluateWhole()).evaluation
  const parsed = parseSegmentBy(text)
  const options = clustersWithin(parsed, asked)
  const by = segmentByName(parsed)
  const { confidence = EVALUATE_DEFAULTS.confidence } = options
  const looks = segments.filter(isLargeEnough).length
  const eachConfidence = confidenceOfEach(confidence, looks)
  // Differences are from what the loggers earned on the same rows, so every row counts alike.
  const asking = {
    ...options,
    estimators: [estimator],
    confidence: eachConfidence,
    decides: false,
    loggerShares: 'rows' as const,
  }
  const judged: Judged[] = []
  for (const open of segments)
    judged.push(isLargeEnough(open) ? await judge(open, whole.verdict, asking) : { segment: tooSmall(open) })
  const isOutcome = tellsOutcome(judged)
  const answered = judged.map((one) => withoutSureness(isOutcome ? refusedAsOutcome(one) : one.segment, one))
  return {
    schema: SEGMENTS_SCHEMA,
    by,
    per,
    target: whole.target,
    estimator,
    confidence,
    looks,
    eachConfidence,
    segments: answered,
    notes: notesOn(answered, { by, per, estimator }),
  }
}

const isLargeEnough = ({ rows }: SizedSegment): boolean => rows >= LEAST_ROWS

/** A segment, and the standard error of what the logging policy earned in it, where it was evaluated. */
interface Judged {
  readonly segment: Segment
  readonly loggedSe?: number | null
  /** Its estimate has a λ: as chosen for the whole log, or here. */
  readonly hasLambda?: boolean
}

/** A refused segment has no interval around a λ. */
function withoutSureness(segment: Segment, { hasLambda = false }: Judged): Segment {
  const { verdict, interval, differenceInterval } = segment
  if (verdict.level !== 'refuse' || !hasLambda || !(interval ?? differenceInterval)) return segment
  return { ...segment, interval: null, differenceInterval: null, reason: NO_TUNED_INTERVAL }
}

const NOTHING = {
  meanReward: null,
  value: null,
  se: null,
  interval: null,
  difference: null,
  differenceInterval: null,
  ess: null,
  effectiveClicks: null,
} as const

const sizeOf = ({ segment, rows, gathers }: OpenSegment): Pick<Segment, 'segment' | 'gathers' | 'rows'> => ({
  segment,
  rows,
  ...(gathers !== undefined && { gathers }),
})

function tooSmall(open: OpenSegment): Segment {
  const message = `Only ${counted(open.rows, 'row')}: segments with fewer than ${LEAST_ROWS} are not evaluated.`
  const verdict = verdictFrom([{ level: 'refuse', code: 'too-small', message, value: open.rows }])
  const reason = `only ${counted(open.rows, 'row')}; ${LEAST_ROWS} are needed`
  return { ...sizeOf(open), ...NOTHING, verdict, reason }
}

async function judge(open: OpenSegment, whole: Verdict, options: EvaluateSourceOptions): Promise<Judged> {
  // What the checks find in the whole log counts for each of its segments.
  const asked = await open.evaluate('asked', { ...options, checks: false })
  const { estimates, diagnostics, log, verdict } = asked.evaluation
  const { value, se, interval, reason, lambda, unit } = estimates[0]!
  // What the target earns per page is compared with what the logging policy earned per page.
  const isOfPages = unit === 'page'
  const logged = await open.evaluate('logging', {
    ...options,
    estimators: isOfPages ? [estimates[0]!.estimator] : ['ips'],
  })
  const meanReward = (isOfPages ? log.meanPageReward : log.meanReward) ?? null
  const difference = value === null || meanReward === null ? null : beyondRounding(value, meanReward)
  const segment: Segment = {
    ...sizeOf(open),
    meanReward,
    value,
    se,
    interval,
    difference,
    differenceInterval: difference === null ? null : intervalOfDifference(asked, logged, difference, options),
    ess: diagnostics.ess,
    effectiveClicks: diagnostics.effectiveClusterClicks,
    verdict: withWhole(verdict, whole),
    ...(reason !== undefined && { reason }),
  }
  return { segment, loggedSe: logged.evaluation.estimates[0]!.se, hasLambda: lambda !== undefined }
}

/** Whether rewards vary between segments and in none of them: then the label is a name for the outcome. */
function tellsOutcome(judged: readonly Judged[]): boolean {
  const evaluated = judged.filter(({ loggedSe }) => loggedSe !== undefined)
  const means = new Set(evaluated.map(({ segment }) => segment.meanReward))
  return (
    means.size > 1 &&
    evaluated.every(({ loggedSe, segment }) => (loggedSe ?? 0) <= 1e-9 * Math.abs(segment.meanReward!))
  )
}

const refusedAsOutcome = ({ segment, loggedSe }: Judged): Segment => {
  if (loggedSe === undefined) return segment
  const message =
    'Every row of a segment has the same reward: the label reveals the outcome, which no policy can know.'
  const { reasons, questions } = segment.verdict
  const refused = {
    level: 'refuse',
    code: 'label-is-outcome',
    message,
    value: null,
  } as const
  return { ...segment, verdict: verdictFrom([refused, ...reasons], questions) }
}

/** The interval of what the target earns beyond the logging policy on the same rows: what moves both alike cancels. */
function intervalOfDifference(
  asked: Evaluated,
  logged: Evaluated,
  difference: number,
  { confidence }: EvaluateSourceOptions,
): readonly [number, number] | null {
  const [of, from] = [asked, logged].map(({ evaluation, evidence }) =>
    evidence.influences.get(evaluation.estimates[0]!.estimator),
  )
  // The same policy: the difference is nothing but rounding.
  if (asked.evaluation.target === logged.evaluation.target) return [difference, difference]
  return of && from ? differenceInterval(of, from, confidence!, difference).interval : null
}

/**
 * The verdict on a segment, no better than what is wrong with the log as a whole: wrong propensities are not right in a part where
 * too few rows show it. How well the log covers the policy, each segment shows for itself.
 */
export function withWhole(own: Verdict, whole: Verdict): Verdict {
  const isKnown = (shared: Reason): boolean =>
    own.reasons.some(
      ({ code, level }) => code === shared.code && (level === 'refuse' || level === shared.level),
    )
  const inherited = whole.reasons
    .filter((reason) => reason.level !== 'note' && reason.question !== 'overlap' && !isKnown(reason))
    .map((reason) => ({ ...reason, message: `In the whole log: ${reason.message}` }))
  return inherited.length === 0 ? own : verdictFrom([...own.reasons, ...inherited], own.questions)
}

function notesOn(
  segments: readonly Segment[],
  { by, per, estimator }: Pick<Segments, 'by' | 'per' | 'estimator'>,
): string[] {
  if (per === 'log')
    return [
      weighsPages(estimator)
        ? `Pages are weighed whole, so each value is what the rows of the segment contribute per page of the whole log.`
        : `The policy chooses the ${by} along with the item, so each value is what the items of the segment contribute per impression of the whole log.`,
    ]
  const off = segments.filter(({ verdict }) =>
    verdict.reasons.some(
      ({ code, message }) => code === 'mean-weight' && !message.startsWith('In the whole'),
    ),
  )
  return off.length === 0
    ? []
    : [
        `In ${counted(off.length, 'segment')} the weights do not average 1. If they do in the whole log, ${by} depends on what was shown, and its segments cannot be compared.`,
      ]
}
