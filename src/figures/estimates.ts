import type { PlainEstimate, Sensitivity, Verdict } from '../estimate/evaluation.js'
import {
  estimatorLabel,
  formatConfidence,
  formatEstimate,
  formatFixed,
  headlineOf,
  isDefined,
  formatSeen,
  valueDecimals,
  takesModelAsTrue,
} from '../words/estimate-text.js'
import { estimatesFinding } from '../words/estimates-finding.js'
import { verdictWord } from '../words/verdict-text.js'
import { type Logged, loggedIn, unitOf, unitsOf } from '../words/unit.js'
import { sentences } from '../words/seed-text.js'
import { type Chart, drawChart, type FigureOptions, type JudgedInput, nothingToDraw } from './chart.js'
import { familyColour } from './family-colour.js'
import { type IntervalPicture, type IntervalRow, middleHalf } from './interval-layout.js'
import { arrowSentence, drawIntervalRows } from './interval-rows.js'
import { tableOf } from './table-cells.js'
import { groundsOf } from '../verdict/verdict.js'

/** An estimate with, where it is known, its verdict; and its 50 % interval for the thick line, else made from the thin one. */
export interface DrawnEstimate extends PlainEstimate {
  readonly verdict?: Verdict
  readonly interval50?: readonly [number, number]
}

export interface EstimatesInput extends Logged, JudgedInput {
  /** In the order in which they are drawn, top to bottom. */
  readonly estimates: readonly DrawnEstimate[]
  /** The true value, where the log comes from a world that knows it. */
  readonly truth?: number
  /** Of the same evaluation: whether its paired difference from the logging policy is detected, the title says. */
  readonly sensitivity?: Pick<Sensitivity, 'flipsAt'> | null
}

/**
 * The value of the target policy by each estimator, side by side on one scale, against the mean reward of
 * the logging policy and the truth where that is known. Estimators without a value keep a row that says why. Where some
 * are per impression and some per page, rows and lines say which.
 */
export function estimatesFigure(input: EstimatesInput, options: FigureOptions): Chart {
  const { estimates, truth, confidence = 0.95 } = input
  if (estimates.length === 0) throw nothingToDraw('there are no estimates')
  const level = formatConfidence(confidence)
  const units = unitsOf(estimates)
  const isMixed = units.length > 1
  const rows = estimates.map((estimate) => rowOf(estimate, confidence, isMixed))
  const best = headlineOf(estimates)
  const decimals = best ? valueDecimals(best.value, best.interval) : valueDecimals(input.meanReward, null)
  const picture: IntervalPicture = {
    rows,
    axis: `Mean reward per ${units.join(' or per ')}`,
    lines: [
      ...(truth === undefined
        ? []
        : [
            {
              at: truth,
              label: `truth ${formatFixed(truth, decimals)}`,
              colour: 'truth',
              dashed: true,
            } as const,
          ]),
      ...units.flatMap((unit) => {
        const at = loggedIn(input, unit === 'page' ? { unit } : {})
        if (at === undefined) return []
        const label = `logging policy ${formatSeen(at, decimals)}${isMixed ? ` per ${unit}` : ''}`
        return [{ at, label, colour: 'logged' } as const]
      }),
    ],
  }
  const isJudged = estimates.some(({ verdict }) => verdict !== undefined)
  const missing = rows.filter(({ value }) => value === null).length
  const hasInner = rows.some(({ inner }) => inner)
  return drawChart(
    {
      name: 'estimates',
      title: estimatesFinding(input, level, decimals),
      subtitle: sentences(
        `Estimated mean reward of the target policy: one dot per estimator with its ${level} interval` +
          `${hasInner ? ', thick for the 50 % interval' : ''}.`,
        isMixed
          ? 'Grey lines: what the logging policy earned, per impression and per page.'
          : 'Grey line: what the logging policy earned.',
        truth === undefined ? '' : 'Dashed: the true value.',
        missing > 0 ? `${missing} without a value.` : '',
        arrowSentence(picture),
      ),
      caption:
        'Where intervals overlap, the estimators agree; where one stands apart, either the reward model or the propensities ' +
        'are wrong.' +
        (estimates.some(({ estimator }) => takesModelAsTrue(estimator))
          ? ' The interval of DM assumes that its reward model is right: it covers chance, not model error.'
          : ''),
      ...(input.verdict && { stamp: input.verdict.level }),
      table: tableOf(estimates, [
        { name: 'estimator', label: 'Estimator', of: 'estimator' },
        { name: 'lambda', label: 'λ', kind: 'number', isExact: true, of: ({ lambda }) => lambda?.value },
        { name: 'value', label: 'Value', kind: 'number', of: 'value' },
        { name: 'lower', label: `Lower ${level}`, kind: 'number', of: ({ interval }) => interval?.[0] },
        { name: 'upper', label: `Upper ${level}`, kind: 'number', of: ({ interval }) => interval?.[1] },
        { name: 'standard_error', label: 'Standard error', kind: 'number', of: 'se' },
        units.includes('page') ? { name: 'unit', label: 'Per', of: unitOf } : null,
        { name: 'interval', label: 'Interval', of: 'method' },
        isJudged
          ? {
              name: 'verdict',
              label: 'Verdict',
              kind: 'verdict',
              of: ({ verdict }) => verdict && verdictWord(verdict),
            }
          : null,
        {
          name: 'reason',
          label: isJudged ? 'Why' : 'Why no value',
          of: ({ reason, verdict }) => reason ?? doubtsOf(verdict),
        },
      ]),
      draw: (frame) => drawIntervalRows(frame, picture),
    },
    options,
  )
}

function rowOf(estimate: DrawnEstimate, confidence: number, withUnit: boolean): IntervalRow {
  const { estimator, lambda, interval, reason, method } = estimate
  const level = formatConfidence(confidence)
  const label = `${estimatorLabel(estimator)}${lambda ? ` λ = ${lambda.value === null ? '∞' : Number(lambda.value.toPrecision(2))}` : ''}${withUnit ? ` per ${unitOf(estimate)}` : ''}`
  const { verdict } = estimate
  const base = {
    label,
    colour: familyColour(estimator),
    ...(verdict && { tag: { text: verdictWord(verdict), colour: verdict.level } }),
  }
  if (!isDefined(estimate)) {
    const title = `${label}\nno value${reason ? `: ${reason}` : ''}`
    const written = { value: '', interval: null }
    return { ...base, value: null, interval: null, ...(reason && { reason }), written, title }
  }
  const written = formatEstimate(estimate.value, interval)
  const inner =
    verdict?.level === 'refuse'
      ? undefined
      : (estimate.interval50 ?? middleHalf(estimate.value, interval, confidence))
  const more = [
    lambda && `λ ${lambda.chosenBy === 'user' ? 'as given' : 'chosen from the data'}`,
    estimate.se === null ? undefined : `standard error ${Number(estimate.se.toPrecision(2))}`,
    written.interval === null
      ? `no interval${reason ? `: ${reason}` : ''}`
      : `${level} CI ${written.interval} (${method})`,
    verdict && `${verdictWord(verdict)}: ${doubtsOf(verdict) ?? groundsOf(verdict)}`,
  ].filter(Boolean)
  return {
    ...base,
    value: estimate.value,
    interval,
    ...(inner && { inner }),
    written,
    title: [`${label}: ${written.value}`, ...more].join('\n'),
  }
}

/** What speaks against an estimate; null for one to trust. */
const doubtsOf = (verdict: Verdict | undefined): string | null =>
  verdict === undefined || verdict.level === 'trust'
    ? null
    : verdict.reasons.map(({ message }) => message).join(' ')
