import type { Comparison } from '../estimate/comparison.js'
import type { Diagnostics, Evaluation, Verdict, VerdictLevel } from '../estimate/evaluation.js'
import { familyColour } from '../figures/family-colour.js'
import { intervalScale } from '../figures/interval-scale.js'
import { roundStep } from '../figures/ticks.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import { choiceSentences } from '../words/choice-text.js'
import { allOf, comparisonAnswer, outcomeOf } from '../words/difference-text.js'
import {
  evaluationAnswer,
  formatConfidence,
  formatFixed,
  formatPValue,
  headlineOf,
  isDefined,
  valueDecimals,
  VERDICT_SHAPES,
} from '../words/estimate-text.js'
import { clusterUnit, clusterWords, daysNote } from '../words/cluster-text.js'
import { otherVerdicts } from '../words/verdict-text.js'
import { loggedIn, perUnitOf, type Unit, unitOf, unitsOf } from '../words/unit.js'
import { sensitivityLeads, sensitivityText } from '../words/sensitivity-text.js'
import { columns, significant, wrap } from './format.js'
import { policyTable } from './policy-table.js'
import type { Terminal } from './terminal.js'

type Style = Parameters<Terminal['style']>[0]

const WIDTH = 80
const GAP = '  '
/** Width of the drawing of intervals: labels are cut to leave it the minimum, and it never exceeds the maximum. */
const [LEAST_DRAWN, MOST_DRAWN] = [16, 36]
const SHORTEST_LABEL = 12

/** The style of a verdict. */
export const LEVEL_STYLE: Readonly<Record<VerdictLevel, Style>> = {
  trust: 'green',
  caution: 'yellow',
  refuse: 'red',
}
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
  const note = daysNote(evaluation)
  return [
    terminal.style('bold', file),
    bold(wrap(evaluationAnswer(evaluation), WIDTH), terminal),
    ...(leads ? [wrap(sensitivity, WIDTH)] : []),
    '',
    // Rewards per page do not belong on the scale of those per impression.
    ...units.flatMap((unit, k) => [...(k > 0 ? [''] : []), ...estimatesTable(evaluation, unit, terminal)]),
    ...(note === undefined ? [] : [wrap(note, WIDTH, GAP)]),
    ...otherVerdictLines(evaluation, terminal),
    '',
    terminal.style('bold', 'How well the log covers the target policy'),
    columns(diagnosticRows(diagnostics, evaluation.cluster)),
    '',
    verdictText(verdict, terminal),
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
  const reference = { at: logged, label: 'logging policy', written: formatFixed(logged, decimals) }
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

/** A comparison for a terminal of 80 columns: the answer, the policy to launch, the differences drawn, values and lifts, a verdict for each. */
export function comparisonText(file: string, comparison: Comparison, terminal: Terminal): string {
  const { baseline, confidence, estimator, differences: others, choice } = comparison
  const rows = others.map((other): Row => {
    const { target, difference, simultaneous, reason, adjustedPValue, verdict } = other
    return {
      label: target,
      value: difference,
      interval: simultaneous,
      reason,
      style: { better: 'green', worse: 'red', open: undefined }[outcomeOf(other, confidence)] as
        | Style
        | undefined,
      after: adjustedPValue === null ? '' : formatPValue(adjustedPValue).replace(/^p (= )?/, ''),
      shape: verdict.level,
    }
  })
  const names = ['target', 'difference', `${formatConfidence(confidence)} CI`, 'p'] as const
  const count = others.length
  const chosen = choice ? choiceSentences({ ...comparison, choice }) : []
  return [
    terminal.style('bold', file),
    wrap(`${comparisonAnswer(comparison)}.`, WIDTH),
    ...chosen.map((sentence, k) => wrap(k === 0 ? terminal.style('bold', sentence) : sentence, WIDTH)),
    '',
    ...intervalTable(rows, { names, reference: { at: 0, label: baseline } }, terminal),
    wrap(
      `┊ no difference from ${baseline}; reward ${perUnitOf(estimator)} (${estimator}), on the same rows` +
        (count > 1 ? `; intervals and p-values hold for ${allOf(count, 'comparisons')} at once` : ''),
      WIDTH,
      GAP,
    ),
    '',
    ...policyTable(comparison, terminal),
    '',
    ...others.map(({ target, verdict }) =>
      verdictText(verdict.level === 'trust' ? firstReason(verdict) : verdict, terminal, target),
    ),
  ].join('\n')
}

/** Reasons for trust need not be spelled out for each policy. */
const firstReason = (verdict: Verdict): Verdict => ({ ...verdict, reasons: verdict.reasons.slice(0, 1) })

/** Estimates whose verdict is another than the answer's, and why. */
function otherVerdictLines(evaluation: Evaluation, terminal: Terminal): string[] {
  return otherVerdicts(evaluation).map(({ level, estimates, reasons }) => {
    const shape = terminal.style(LEVEL_STYLE[level], VERDICT_SHAPES[level])
    const said = `${estimates.map(labelOf).join(', ')}: ${[level, ...reasons].join('. ')}`
    // The shape is painted after wrapping: colour codes have no width.
    return wrap(`* ${said}`, WIDTH, `${GAP}${GAP}`).replace(`${GAP}*`, shape)
  })
}

const labelOf = ({ estimator, lambda }: Evaluation['estimates'][number]): string =>
  `${estimator}${lambda ? ` λ=${lambdaText(lambda.value)}` : ''}`

const lambdaText = (lambda: number | null): string => (lambda === null ? '∞' : significant(lambda, 2))

const bold = (text: string, terminal: Terminal): string =>
  text.replace(/\*\*([^*]+)\*\*/g, (_, words: string) => terminal.style('bold', words))

/** A row of `intervalTable`. */
export interface Row {
  label: string
  value: number | null
  interval: readonly [number, number] | null
  reason: string | undefined
  style: Style | undefined
  /** A column behind the drawing. */
  after?: string
  shape?: VerdictLevel
}

interface TableWords {
  names: readonly [label: string, value: string, interval: string, after?: string]
  /** The line through all rows; it has a row of its own if `written` is given. */
  reference: { at: number; label: string; written?: string }
}

/** Rows of numbers aligned at the decimal point, each with its interval drawn on a common scale. */
export function intervalTable(
  rows: readonly Row[],
  { names, reference }: TableWords,
  terminal: Terminal,
): string[] {
  const known = rows.filter(({ value }) => value !== null)
  const cells = rows.map(({ value, interval }) => {
    if (value === null) return ['', '', '']
    const decimals = valueDecimals(value, interval)
    return [value, ...(interval ?? [])].map((number) => formatFixed(number, decimals))
  })
  const own = reference.written === undefined ? [] : [reference.written]
  const values = alignPoints([...cells.map((cell) => cell[0]!), ...own])
  const ends = [1, 2].map((column) => alignPoints(cells.map((cell) => cell[column] ?? '')))
  const ranges = rows.map((_, k) => `${ends[0]![k]}${GAP}${ends[1]![k]}`)

  const valueWidth = longest([...values, names[1]])
  const rangeWidth = known.some(({ interval }) => interval) ? longest([...ranges, names[2]]) : 0
  const afterWidth = names[3] === undefined ? 0 : longest([...rows.map(({ after = '' }) => after), names[3]])
  const hasShapes = rows.some(({ shape }) => shape !== undefined)
  // After the drawing come a gap and the last column, then a space and the symbol of the verdict.
  const room =
    WIDTH -
    GAP.length * 3 -
    valueWidth -
    (rangeWidth && GAP.length + rangeWidth) -
    (afterWidth && GAP.length + afterWidth) -
    (hasShapes ? 2 : 0)
  const most = Math.max(SHORTEST_LABEL, room - LEAST_DRAWN)
  const labels = rows.map(({ label }) => cut(label, most))
  const referenceLabel = own.length > 0 ? cut(reference.label, most) : ''
  const labelWidth = longest([...labels, names[0], referenceLabel])
  const scale = scaleOf(known, reference.at, Math.max(0, Math.min(MOST_DRAWN, room - labelWidth)))

  const line = (label: string, value: string, range: string, rest: string): string =>
    [
      label.padEnd(labelWidth),
      value.padStart(valueWidth),
      ...(rangeWidth ? [range.padStart(rangeWidth)] : []),
      rest,
    ]
      .map((cell) => `${GAP}${cell}`)
      .join('')
      .trimEnd()
  const header = line(
    names[0],
    names[1],
    names[2],
    `${scale.header}${GAP}${names[3]?.padStart(afterWidth) ?? ''}`,
  )
  const body = rows.map(({ value, interval, reason, style, after = '', shape }, k) => {
    if (value === null) return unknownLine(labels[k]!.padEnd(labelWidth), reason)
    const drawn = drawInterval(value, interval, scale)
    const shown = afterWidth || shape !== undefined ? drawn : drawn.trimEnd()
    const painted = style === undefined ? shown : terminal.style(style, shown)
    const sign = shape === undefined ? '' : ` ${terminal.style(LEVEL_STYLE[shape], VERDICT_SHAPES[shape])}`
    return line(
      labels[k]!,
      values[k]!,
      ranges[k]!,
      `${painted}${afterWidth ? `${GAP}${after.padStart(afterWidth)}` : ''}${sign}`,
    )
  })
  const mark = ' '.repeat(scale.reference) + '┊'
  // Estimators that share a remark share a line.
  const remarks = new Map<string, string[]>()
  for (const { label, value, reason } of rows)
    if (value !== null && reason !== undefined) remarks.set(reason, [...(remarks.get(reason) ?? []), label])
  const notes = Array.from(remarks, ([reason, names]) => wrap(`${names.join(', ')}: ${reason}`, WIDTH, GAP))
  return [
    terminal.style('dim', header),
    ...body,
    ...(own.length > 0 ? [line(referenceLabel, values.at(-1)!, '', mark)] : []),
    ...notes,
  ]
}

/** A row without a value: the reason takes the place of the numbers. */
function unknownLine(label: string, reason = 'no value'): string {
  const start = GAP.length * 2 + label.length
  const text = wrap(`– ${reason}`, WIDTH, ' '.repeat(start)).trimStart()
  return `${GAP}${label}${GAP}${text}`
}

interface Scale {
  low: number
  high: number
  width: number
  /** Column of the reference line. */
  reference: number
  /** The labels of both ends. */
  header: string
}

function scaleOf(rows: readonly Row[], reference: number, width: number): Scale {
  const [least, most] = intervalScale({
    points: [...rows.map(({ value }) => value!), reference],
    intervals: rows.flatMap(({ interval }) => (interval ? [interval] : [])),
  })
  const step = roundStep((most - least) / 10)
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const low = Math.floor(least / step + 1e-9) * step
  const high = Math.ceil(most / step - 1e-9) * step
  const left = formatFixed(low, decimals)
  const header = `${left}${formatFixed(high, decimals).padStart(width - left.length)}`
  const scale = { low, high, width, header }
  return { ...scale, reference: columnOf(reference, scale) }
}

const columnOf = (value: number, { low, high, width }: Omit<Scale, 'reference'>): number =>
  Math.min(width - 1, Math.max(0, Math.round(((value - low) / (high - low)) * (width - 1))))

/** `├──●──┤` on a scale; an end beyond the scale is an arrow. */
function drawInterval(value: number, interval: readonly [number, number] | null, scale: Scale): string {
  const cells = Array.from({ length: scale.width }, () => ' ')
  if (interval) {
    const [from, to] = interval.map((end) => columnOf(end, scale)) as [number, number]
    cells.fill('─', from, to + 1)
    cells[from] = interval[0] < scale.low ? '←' : '├'
    cells[to] = interval[1] > scale.high ? '→' : '┤'
  }
  const crossed = { ' ': '┊', '─': '┼' }[cells[scale.reference]!]
  if (crossed !== undefined) cells[scale.reference] = crossed
  cells[columnOf(value, scale)] = '●'
  return cells.join('')
}

/** Numbers padded so that their decimal points line up. */
function alignPoints(numbers: readonly string[]): string[] {
  const point = (number: string): number => (number.includes('.') ? number.indexOf('.') : number.length)
  const whole = Math.max(0, ...numbers.map(point))
  const rest = Math.max(0, ...numbers.map((number) => number.length - point(number)))
  return numbers.map((number) => `${' '.repeat(whole - point(number))}${number}`.padEnd(whole + rest))
}

const longest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length))

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`

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

const bullet = (text: string): string => `  • ${wrap(text, WIDTH, '    ').trimStart()}`

/** ✔ trust, ▲ caution or ✘ refuse, and why. */
export function verdictText(verdict: Verdict, terminal: Terminal, target?: string): string {
  const word = `${VERDICT_SHAPES[verdict.level]} ${verdict.level}`
  const reasons = verdict.reasons.map(({ message }) => bullet(message))
  const about = target === undefined ? '' : `  ${cut(target, WIDTH - word.length - 2)}`
  return [`${terminal.style(['bold', LEVEL_STYLE[verdict.level]] as Style, word)}${about}`, ...reasons].join(
    '\n',
  )
}
