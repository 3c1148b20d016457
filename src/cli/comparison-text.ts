import type { Comparison, Difference } from '../estimate/comparison.js'
import { outcomeOf } from '../verdict/decision.js'
import { worstVerdict } from '../estimate/verdict.js'
import type { QuestionAnswer, Verdict } from '../verdict/verdict.js'
import { decisionSentences, whyNot } from '../words/decision-text.js'
import { allOf, formatLift } from '../words/difference-text.js'
import { formatConfidence, formatEstimate, formatPValue } from '../words/estimate-text.js'
import { perUnitOf } from '../words/unit.js'
import { adviceOn } from './advice-on.js'
import { bullet, cut, GAP, textTable, WIDTH, wrap } from './format.js'
import { intervalTable, OUTCOME_STYLE, type Row } from './interval-table.js'
import { loggersTable } from './loggers-table.js'
import { emphasised, type Terminal } from './terminal.js'
import { questionLine, verdictText } from './verdict-text.js'

/** A comparison for a terminal of 80 columns: what to do, the differences drawn, the best first, values and lifts, a verdict for each. */
export function comparisonText(file: string, comparison: Comparison, terminal: Terminal): string {
  const { baseline, confidence, estimator, differences } = comparison
  const names = ['target', 'difference', `${formatConfidence(confidence)} CI`, 'action'] as const
  const count = differences.length
  const verdicts = differences.map(({ verdict }) => verdict) as [Verdict, ...Verdict[]]
  return [
    terminal.style('bold', file),
    ...decisionSentences(comparison).map((sentence) => emphasised(wrap(sentence, WIDTH), terminal)),
    '',
    ...intervalTable(
      ranked(differences).map(rowOf),
      { names, reference: { at: 0, label: baseline } },
      terminal,
    ),
    wrap(
      `┊ no difference from ${baseline}; reward ${perUnitOf(estimator)} (${estimator}), on the same rows` +
        (count > 1 ? `; intervals and p-values hold for ${allOf(count, 'comparisons')} at once` : ''),
      WIDTH,
      GAP,
    ),
    '',
    ...policyTable(comparison, terminal),
    ...comparison.evaluations.flatMap((evaluation) => {
      const [title, ...lines] = loggersTable(evaluation, terminal)
      return title === undefined ? [] : ['', `${title}: ${evaluation.target}`, ...lines]
    }),
    '',
    ...verdictLines(differences, terminal),
    ...adviceOn(comparison.evaluations, worstVerdict(verdicts)).map(bullet),
  ].join('\n')
}

/** The largest difference first, and last those without an answer. */
const ranked = (differences: readonly Difference[]): Difference[] => {
  const rank = ({ action, difference }: Difference): number =>
    action === 'cannot-tell' ? -Infinity : (difference ?? -Infinity)
  return differences.toSorted((a, b) => rank(b) - rank(a) || 0)
}

/** What cannot be told says why, and has no number. */
function rowOf(one: Difference): Row {
  const { target, difference, simultaneous, reason, action } = one
  if (action === 'cannot-tell')
    return { label: target, value: null, interval: null, reason: whyNot(one), style: undefined }
  return {
    label: target,
    value: difference,
    interval: simultaneous,
    reason,
    style: OUTCOME_STYLE[outcomeOf(one)],
    after: action,
  }
}

/** The verdict on each policy; of several, what is said of all of them stands once, at the end. */
function verdictLines(differences: readonly Difference[], terminal: Terminal): string[] {
  const [first, ...others] = differences.map(({ verdict }) => verdict)
  const isShared = ({ question, level, text }: QuestionAnswer): boolean =>
    others.length > 0 &&
    others.every(({ questions }) =>
      questions.some((one) => one.question === question && one.level === level && one.text === text),
    )
  const shared = first!.questions.filter(isShared)
  const isOwn = ({ question }: QuestionAnswer): boolean => !shared.some((one) => one.question === question)
  return [
    ...differences.map(({ target, verdict }) =>
      verdictText(verdict, terminal, { target, questions: verdict.questions.filter(isOwn) }),
    ),
    ...(shared.length > 0
      ? [`${allOf(differences.length, 'policies').replace(/^[ab]/, (a) => a.toUpperCase())}`]
      : []),
    ...shared.map((one) => questionLine(one, terminal)),
  ]
}

/** Longer names of policies are cut. */
const LONGEST_NAME = 24

/** What each policy earns, the baseline first, and its lift over the baseline; p is that of no difference from it. */
function policyTable(comparison: Comparison, terminal: Terminal): string[] {
  const { evaluations, differences, confidence } = comparison
  const level = `${formatConfidence(confidence)} CI`
  const rows = evaluations.flatMap(({ target, estimates }, k) => {
    const { value, interval } = estimates[0]!
    const difference = differences[k - 1]
    // What cannot be told has no number.
    if (value === null || difference?.action === 'cannot-tell') return []
    const earned = formatEstimate(value, interval)
    const lift = formatLift(difference?.lift ?? null)
    const p = difference?.adjustedPValue ?? null
    return [
      [
        cut(target, LONGEST_NAME),
        earned.value,
        earned.interval ?? '',
        p === null ? '' : formatPValue(p).replace(/^p (= )?/, ''),
        lift?.value ?? '',
        lift?.interval ?? '',
      ],
    ]
  })
  const header = ['policy', 'reward', level, 'p', 'lift', level]
  // Without a lift there are no columns for it.
  const shown = rows.some((row) => row[4] !== '') ? 6 : 4
  return rows.length === 0
    ? []
    : textTable(
        header.slice(0, shown),
        rows.map((row) => row.slice(0, shown)),
        terminal,
      )
}
