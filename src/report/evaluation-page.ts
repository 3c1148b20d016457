import { type DayValues, valuesByDay } from '../estimate/by-day.js'
import type { Evidence } from '../estimate/evaluate-source.js'
import type { Evaluation, Verdict, VerdictLevel } from '../estimate/evaluation.js'
import { isLacking, type Known } from '../estimate/source/source.js'
import type { WeightSummary } from '../estimate/weight-summary.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import {
  bootstrapDistributions,
  byDayFigure,
  estimatesFigure,
  lambdaCurve,
  segmentsFigure,
  type SegmentsInput,
  sensitivityFigure,
  weightsFigure,
} from '../figures/index.js'
import { normalQuantile } from '../normal.js'
import { formatCount } from '../number-text.js'
import { listed } from '../listed.js'
import { assumptionNotes } from '../words/cluster-text.js'
import { evaluationAnswer } from '../words/decision-text.js'
import { estimatorLabel, nearestText } from '../words/estimate-text.js'
import { otherVerdicts, verdictWord } from '../words/verdict-text.js'
import { sensitivityLeads, sensitivityText } from '../words/sensitivity-text.js'
import { evaluationFacts } from './evaluation-facts.js'
import { curveCharts, loggersSections } from './evaluation-sections.js'
import { type Fact, type PageOptions, reportHtml, type Section } from './report.js'

/** The evidence that a page shows. */
export interface ShownEvidence extends Pick<Evidence, 'distributions' | 'curves'> {
  readonly weights: Known<WeightSummary>
  /** What each day says, where sums are by day. */
  readonly days?: readonly DayValues[] | null
}

/** Gathers what a page shows of the evidence; `cluster` is that of the evaluation. */
export const shownEvidence = async (
  { weights, distributions, curves, moments }: Evidence,
  cluster = 'user',
): Promise<ShownEvidence> => ({
  weights: await weights(),
  distributions,
  curves,
  days: valuesByDay(moments, cluster),
})

/** What a page about an evaluation is made from. */
export interface EvaluationPage {
  readonly title: string
  readonly evaluation: Evaluation
  readonly evidence: ShownEvidence
  readonly settings: Readonly<Record<string, unknown>>
  /** The true value, where the log comes from a world that knows it. */
  readonly truth?: number
}

/** The page about an evaluation, as HTML: the verdict, the answer and reasons, diagnostics, the figures of `evaluationCharts`. */
export function evaluationPage(
  page: EvaluationPage,
  { document, generatedBy, notes = {} }: PageOptions,
): string {
  const { title, evaluation, settings } = page
  const { target, matchedTemperature, cluster, confidence, verdict } = evaluation
  const sensitivity = sensitivityText(evaluation)
  const leads = sensitivity !== null && sensitivityLeads(evaluation)
  const nearest = nearestText(evaluation)
  return reportHtml({
    title: `${title}: ${target}`,
    answer: [
      evaluationAnswer(evaluation),
      ...(nearest === undefined ? [] : [nearest]),
      ...(leads ? [sensitivity] : []),
      ...assumptionNotes(evaluation),
      ...(sensitivity !== null && !leads ? [sensitivity] : []),
    ],
    verdict,
    facts: factsOf(evaluation),
    charts: evaluationCharts(page, { document }),
    sections: [
      ...otherVerdictSections(evaluation),
      ...loggersSections(evaluation),
      ...(evaluation.segments
        ? [segmentsSection({ ...evaluation.segments, whole: verdict }, { document })]
        : []),
    ],
    settings: {
      ...settings,
      target,
      ...(matchedTemperature !== undefined && { temperature: matchedTemperature }),
      cluster,
      confidence,
    },
    notes,
    generatedBy,
  })
}

/** What the target earns in each segment. */
const segmentsSection = (segments: SegmentsInput, options: FigureOptions): Section => ({
  heading: `By ${segments.by}`,
  text: segments.notes,
  charts: segments.segments.length > 0 ? [segmentsFigure(segments, options)] : [],
})

/** What speaks for or against those estimates whose verdict is another than the answer's. */
function otherVerdictSections(evaluation: Evaluation): Section[] {
  const others = otherVerdicts(evaluation)
  if (others.length === 0) return []
  const text = others.map(
    ({ level, estimates, reasons }) =>
      `**${listed(estimates.map(({ estimator }) => estimatorLabel(estimator)))}: ${verdictWord({ level })}.** ${reasons.join(' ')}`,
  )
  return [{ heading: 'Estimates with another verdict', text }]
}

/** Estimates, weights, days where the log tells them, bootstrap distributions and, for each tuned estimator, how it changes with λ. */
export function evaluationCharts(
  { evaluation, evidence, truth }: Omit<EvaluationPage, 'title' | 'settings'>,
  options: FigureOptions,
): Chart[] {
  const { estimates, log, confidence, diagnostics } = evaluation
  const { verdict, sensitivity, answer } = evaluation
  const known = { verdict, ...(truth !== undefined && { truth }) }
  const z = normalQuantile((1 + confidence) / 2)
  return [
    estimatesFigure({ ...log, estimates, confidence, sensitivity, ...known }, options),
    ...(sensitivity && answer !== null && !isWithheld(evaluation)
      ? [
          sensitivityFigure(
            { estimator: answer, sensitivity, meanReward: log.meanReward, confidence, verdict },
            options,
          ),
        ]
      : []),
    ...(isLacking(evidence.weights)
      ? []
      : [weightsFigure({ weights: evidence.weights, diagnostics, verdict }, options)]),
    ...curveCharts(evaluation, [evaluation], options),
    ...(evidence.days && evidence.days.length > 1
      ? [byDayFigure({ days: evidence.days, confidence, verdict }, options)]
      : []),
    ...(evidence.distributions.some(({ values }) => values.some(Number.isFinite))
      ? [bootstrapDistributions({ series: evidence.distributions, ...known }, options)]
      : []),
    ...evidence.curves.map(({ estimator, points, chosen, chosenBy }) =>
      lambdaCurve(
        {
          estimator,
          chosen,
          chosenBy,
          confidence,
          verdict: worseOf(verdict, estimates.find((one) => one.estimator === estimator)?.verdict),
          points: points.map(({ lambda, value, se }) => ({
            lambda,
            value,
            interval: [value - z * se, value + z * se],
          })),
        },
        options,
      ),
    ),
  ]
}

/** A refused answer by a tuned estimator has no interval, so none over Γ either. */
export const isWithheld = ({ verdict, estimates, answer }: Evaluation): boolean =>
  verdict.level === 'refuse' && estimates.find(({ estimator }) => estimator === answer)?.interval === null

const LEVELS: readonly VerdictLevel[] = ['trust', 'caution', 'refuse']

/** The graver of two verdicts: a curve is of one estimator, which may be doubted where the answer is not. */
const worseOf = (answer: Verdict, own: Verdict = answer): Verdict =>
  LEVELS.indexOf(own.level) > LEVELS.indexOf(answer.level) ? own : answer

function factsOf(evaluation: Evaluation): Fact[] {
  const { rows, users, items } = evaluation.log
  const note = `${formatCount(users)} users, ${formatCount(items)} items`
  return [{ label: 'Impressions', value: formatCount(rows), note }, ...evaluationFacts(evaluation)]
}
