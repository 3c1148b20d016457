import type { Comparison } from '../estimate/comparison.js'
import type { Evidence } from '../estimate/evaluate.js'
import { comparisonAnswer } from '../figures/difference-text.js'
import { evaluationAnswer } from '../figures/estimate-text.js'
import type { Diagnostics, Evaluation } from '../estimate/evaluation.js'
import {
  bootstrapDistributions,
  type Chart,
  differencesFigure,
  estimatesFigure,
  lambdaCurve,
  weightsFigure,
} from '../figures/index.js'
import { normalQuantile } from '../normal.js'
import { formatCount, formatShare } from '../number-text.js'
import { type Report, reportHtml } from '../report/report.js'
import { createDocument } from './dom.js'
import { readVersion } from './version.js'
import { writeAtomically } from './write-atomically.js'

/** What a report about an evaluation is made from. */
export interface EvaluationReport {
  readonly title: string
  readonly evaluation: Evaluation
  readonly evidence: Evidence
  readonly settings: Readonly<Record<string, unknown>>
  /** The true value, where the log comes from a world that knows it. */
  readonly truth?: number
}

/** Writes the page about an evaluation: the verdict in words, estimates, weights, bootstrap distributions, λ curves. */
export async function writeEvaluationReport(
  path: string,
  report: EvaluationReport,
  signal?: AbortSignal,
): Promise<void> {
  const { title, evaluation, evidence, settings, truth } = report
  const { estimates, log, confidence, diagnostics, verdict } = evaluation
  const options = { document: createDocument() }
  const known = truth === undefined ? {} : { truth }
  const z = normalQuantile((1 + confidence) / 2)
  const charts: Chart[] = [
    estimatesFigure({ estimates, meanReward: log.meanReward, confidence, ...known }, options),
    weightsFigure({ weights: evidence.weights, diagnostics }, options),
    ...(evidence.distributions.some(({ values }) => values.some(Number.isFinite))
      ? [bootstrapDistributions({ series: evidence.distributions, ...known }, options)]
      : []),
    ...evidence.curves.map(({ estimator, points, chosen }) =>
      lambdaCurve(
        {
          estimator,
          chosen,
          chosenBy: 'slope',
          confidence,
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
  await writePage(
    path,
    {
      title: `${title}: ${evaluation.target}`,
      answer: evaluationAnswer(evaluation),
      facts: factsOf(diagnostics, evaluation),
      charts,
      sections: [
        {
          heading: `Verdict: ${verdict.level}`,
          text: verdict.reasons.map(({ message }) => message),
        },
      ],
      settings: { ...settings, target: evaluation.target, cluster: evaluation.cluster, confidence },
    },
    signal,
  )
}

/** Writes the page about a comparison: the differences drawn, and each policy's verdict. */
export async function writeComparisonReport(
  path: string,
  report: { title: string; comparison: Comparison; settings: Readonly<Record<string, unknown>> },
  signal?: AbortSignal,
): Promise<void> {
  const { title, comparison, settings } = report
  const options = { document: createDocument() }
  await writePage(
    path,
    {
      title: `${title}: ${comparison.evaluations.map(({ target }) => target).join(', ')}`,
      answer: comparisonAnswer(comparison),
      facts: [],
      charts: [differencesFigure(comparison, options)],
      sections: comparison.evaluations.map((evaluation) => ({
        heading: `${evaluation.target}: ${evaluation.verdict.level}`,
        text: [evaluationAnswer(evaluation), ...evaluation.verdict.reasons.map(({ message }) => message)],
      })),
      settings,
    },
    signal,
  )
}

const writePage = (path: string, report: Omit<Report, 'generatedBy'>, signal?: AbortSignal): Promise<void> =>
  writeAtomically(path, [reportHtml({ ...report, generatedBy: `hindcast ${readVersion()}` })], signal)

function factsOf(
  diagnostics: Diagnostics,
  { log }: Evaluation,
): { label: string; value: string; note?: string }[] {
  const shown = (value: number | null, text: (value: number) => string): string =>
    value === null ? 'unknown' : text(value)
  const whole = (value: number): string => formatCount(Math.round(value))
  return [
    {
      label: 'Impressions',
      value: formatCount(log.rows),
      note: `${formatCount(log.users)} users, ${formatCount(log.items)} items`,
    },
    {
      label: 'Effective sample size',
      value: shown(diagnostics.ess, whole),
      note: shown(diagnostics.essRatio, (ratio) => `${formatShare(ratio)} of the rows`),
    },
    {
      label: 'Effective clicks',
      value: shown(diagnostics.effectiveClusterClicks, whole),
      note: 'counted by user',
    },
    {
      label: 'Largest weight',
      value: shown(diagnostics.maxWeight, (weight) => String(Number(weight.toPrecision(3)))),
    },
    { label: 'Weight of the top 1 %', value: shown(diagnostics.topPercentShare, formatShare) },
    {
      label: 'Mean weight',
      value: shown(diagnostics.meanWeight, (mean) => mean.toFixed(3)),
      note: '1 when all is well',
    },
    {
      label: 'Pareto k',
      value: shown(diagnostics.paretoK, (k) => k.toFixed(2)),
      note: 'above 0.7 the tail is heavy',
    },
    { label: 'Target on items never shown', value: shown(diagnostics.unsupportedMass, formatShare) },
  ]
}
