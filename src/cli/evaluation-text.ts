import type { Diagnostics, Evaluation, Segment, Segments } from '../estimate/evaluation.js'
import { familyColour } from '../figures/family-colour.js'
import { assumptionNotes, clusterUnit, clusterWords } from '../words/cluster-text.js'
import {
  formatConfidence,
  formatFixed,
  formatSeen,
  headlineOf,
  isDefined,
  nearestText,
  valueDecimals,
  VERDICT_SHAPES,
} from '../words/estimate-text.js'
import { sensitivityLeads, sensitivityText } from '../words/sensitivity-text.js'
import { loggedIn, type Unit, unitOf, unitsOf } from '../words/unit.js'
import { evaluationAnswer } from '../words/decision-text.js'
import { otherVerdicts } from '../words/verdict-text.js'
import { bullet, columns, GAP, significant, WIDTH, wrap } from './format.js'
import { adviceOn } from './advice-on.js'
import { intervalTable, longest, OUTCOME_STYLE, type Row, unknownLine } from './interval-table.js'
import { LEVEL_STYLE, loggersTable, verdictText } from './verdict-text.js'
import { emphasised, onOneLine, type Style, type Terminal } from './terminal.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import {
  looksText,
  segmentName,
  segmentOutcome,
  segmentsAnswer,
  segmentUnit,
  segmentValues,
} from '../words/segment-text.js'

const FAMILY_STYLE: Readonly<Record<string, Style>> = {
  dm: 'green',
  ips: 'yellow',
  snips: 'blue',
  dr: 'magenta',
}

/** An evaluation for a terminal of 80 columns: the answer, the estimates drawn, diagnostics, the verdict. */
export function evaluationText(file: string, evaluation: Evaluation, terminal: Terminal): string {
  const { estimates, diagnostics, verdict } = evaluation
  const units = unitsOf(estimates)
  const sensitivity = sensitivityText(evaluation)
  const leads = sensitivity !== null && sensitivityLeads(evaluation)
  const nearest = nearestText(evaluation)
  const loggers = loggersTable(evaluation, terminal)
  return [
    terminal.style('bold', file),
    emphasised(wrap(evaluationAnswer(evaluation), WIDTH), terminal),
    ...(nearest === undefined ? [] : [wrap(nearest, WIDTH)]),
    ...(leads ? [wrap(sensitivity, WIDTH)] : []),
    '',
    // Rewards per page do not belong on the scale of those per impression.
    ...units.flatMap((unit, k) => [...(k > 0 ? [''] : []), ...estimatesTable(evaluation, unit, terminal)]),
    ...assumptionNotes(evaluation).map((note) => wrap(note, WIDTH, GAP)),
    ...otherVerdictLines(evaluation, terminal),
    ...(loggers.length === 0 ? [] : ['', ...loggers]),
    '',
    terminal.style('bold', 'How well the log covers the target policy'),
    columns(diagnosticRows(diagnostics, evaluation.cluster)),
    '',
    verdictText(verdict, terminal),
    ...adviceOn([evaluation], verdict).map(bullet),
    ...(sensitivity !== null && !leads ? [bullet(sensitivity)] : []),
  ].join('\n')
}

/** The estimates of one unit, drawn, and what the logging policy earned in it. */
function estimatesTable(
  { estimates, log, confidence, cluster }: Evaluation,
  unit: Unit,
  terminal: Terminal,
): string[] {
  const own = estimates.filter((estimate) => unitOf(estimate) === unit)
  const rows = own.map((estimate): Row => {
    const { interval, reason } = estimate
    return {
      label: labelOf(estimate),
      value: isDefined(estimate) ? estimate.value : null,
      interval: isDefined(estimate) ? interval : null,
      reason,
      style: FAMILY_STYLE[familyColour(estimate.estimator)],
      shape: estimate.verdict.level,
    }
  })
  const methods = [...new Set(own.filter(isDefined).map(({ method }) => method))]
  const best = headlineOf(own)
  const logged = loggedIn(log, own[0]!)
  // What pages earned is unknown only where no estimator of pages has a value.
  if (logged === undefined) {
    const width = longest(rows.map(({ label }) => label))
    return rows.map(({ label, reason }) => unknownLine(label.padEnd(width), reason))
  }
  const decimals = valueDecimals(best?.value ?? logged, best?.interval ?? null)
  const reference = { at: logged, label: 'logging policy', written: formatSeen(logged, decimals) }
  const value = unit === 'page' ? 'per page' : 'reward'
  return [
    ...intervalTable(
      rows,
      { names: ['estimator', value, `${formatConfidence(confidence)} CI`], reference },
      terminal,
    ),
    wrap(
      `┊ mean reward ${unit === 'page' ? 'per page ' : ''}of the logging policy` +
        (methods.length === 1 ? `; intervals: ${methods[0]}, clustered by ${clusterWords(cluster)}` : ''),
      WIDTH,
      GAP,
    ),
  ]
}

/** Estimates whose verdict is another than the answer's, and why. */
function otherVerdictLines(evaluation: Evaluation, terminal: Terminal): string[] {
  return otherVerdicts(evaluation).map(({ level, estimates, reasons }) => {
    const shape = terminal.style(LEVEL_STYLE[level], VERDICT_SHAPES[level])
    const said = `${estimates.map(labelOf).join(', ')}: ${[`${level}.`, ...reasons].join(' ')}`
    // The shape is painted after wrapping: colour codes have no width.
    return wrap(`* ${said}`, WIDTH, `${GAP}${GAP}`).replace(`${GAP}*`, shape)
  })
}

const labelOf = ({ estimator, lambda }: Evaluation['estimates'][number]): string =>
  `${estimator}${lambda ? ` λ=${lambdaText(lambda.value)}` : ''}`

const lambdaText = (lambda: number | null): string => (lambda === null ? '∞' : significant(lambda, 2))

/** The diagnostics that are known, each with what it says. */
function diagnosticRows(diagnostics: Diagnostics, cluster: string): [string, string][] {
  const { ess, essRatio, meanWeight, meanWeightZ, maxWeight, topShare, topPercentShare } = diagnostics
  const { paretoK, effectiveClicks, effectiveClusterClicks, unsupportedMass, floorShare } = diagnostics
  const shares = [
    ...(topShare === null ? [] : [`the heaviest row carries ${formatShare(topShare)} of the total`]),
    ...(topPercentShare === null ? [] : [`the heaviest 1 % of rows ${formatShare(topPercentShare)}`]),
  ].join(', ')
  const found: [string, string | null][] = [
    [
      'effective sample size',
      // Rows may stand for several impressions each (column weight): their number is the ESS over its ratio.
      ess === null
        ? null
        : essRatio === null
          ? rounded(ess)
          : `${rounded(ess)} of ${counted(Math.round(ess / essRatio), 'impression')} (${formatShare(Math.min(1, essRatio))})`,
    ],
    ['largest weight', maxWeight === null ? null : `${significant(maxWeight)}${shares ? `; ${shares}` : ''}`],
    [
      'mean weight',
      meanWeight === null
        ? null
        : `${significant(meanWeight)}, expected 1` +
          (meanWeightZ === null ? '' : ` (${offText(meanWeightZ)})`),
    ],
    [
      'tail of the weights',
      paretoK === null
        ? null
        : `Pareto k̂ ${paretoK < 0 ? '−' : ''}${rounded(Math.abs(paretoK))} (${paretoK > 0.7 ? 'above 0.7: heavy' : 'below 0.7: good'})`,
    ],
    [
      'effective clicks',
      effectiveClicks === null
        ? null
        : rounded(effectiveClicks) +
          (effectiveClusterClicks === null || cluster === 'row'
            ? ''
            : ` (${rounded(effectiveClusterClicks)} counted by ${clusterUnit(cluster)})`),
    ],
    [
      'lowest propensity',
      floorShare === null || floorShare === 0 ? null : `shared by ${formatShare(floorShare)} of rows`,
    ],
    [
      'items never shown',
      unsupportedMass === null || unsupportedMass === 0
        ? null
        : `the target shows them ${formatShare(unsupportedMass)} of the time`,
    ],
  ]
  const said = found.flatMap(([name, text]): [string, string][] => (text === null ? [] : [[name, text]]))
  return said.length > 0 ? said : [['weights', 'none: the log has no propensities']]
}

/** A whole number from 10 on, else two significant digits. */
const rounded = (value: number): string =>
  value >= 10 ? formatCount(Math.round(value)) : significant(value, 2)

const offText = (z: number): string =>
  Math.abs(z) < 0.1
    ? 'less than 0.1 standard errors off'
    : `${formatFixed(Math.abs(z), Math.abs(z) < 1 ? 2 : 1)} standard errors ${z < 0 ? 'below' : 'above'}`

/** The segments of a log for a terminal of 80 columns: the answer, the differences drawn, then each with its verdict. */
export function segmentsText(segments: Segments, terminal: Terminal): string {
  const names = [segments.by, 'difference', `${formatConfidence(segments.confidence)} CI`, 'ESS'] as const
  const reference = { at: 0, label: 'logging' }
  return [
    terminal.style('bold', `By ${segments.by}`),
    wrap(onOneLine(`${segmentsAnswer(segments)}.`), WIDTH),
    '',
    ...intervalTable(segments.segments.map(rowOf), { names, reference }, terminal),
    wrap(
      `┊ no difference from logging on the same rows; reward ${segmentUnit(segments)} (${segments.estimator})`,
      WIDTH,
      '  ',
    ),
    wrap(`${looksText(segments)}.`, WIDTH, '  '),
    ...segments.notes.map((note) => wrap(note, WIDTH, '  ')),
    '',
    ...segments.segments.map((segment) => lineOf(segment, terminal)),
  ].join('\n')
}

function rowOf(segment: Segment): Row {
  const { difference, differenceInterval, ess, verdict, reason } = segment
  return {
    label: segmentName(segment),
    value: difference,
    interval: differenceInterval,
    reason: difference === null ? (reason ?? verdict.reasons[0]?.message) : undefined,
    style: { more: OUTCOME_STYLE.better, less: OUTCOME_STYLE.worse, open: undefined }[
      segmentOutcome(segment)
    ],
    after: ess === null ? '' : formatCount(Math.round(ess)),
    shape: verdict.level,
  }
}

/** A segment with its verdict: what it earned, and what speaks against it. */
function lineOf(segment: Segment, terminal: Terminal): string {
  const { verdict } = segment
  const sign = terminal.style(LEVEL_STYLE[verdict.level], `${VERDICT_SHAPES[verdict.level]} ${verdict.level}`)
  const reasons = verdict.level === 'trust' ? [] : verdict.reasons.map(({ message }) => bullet(message))
  return [`${sign}  ${onOneLine(segmentName(segment))}: ${segmentValues(segment)}`, ...reasons].join('\n')
}
