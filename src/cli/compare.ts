import { HindcastError } from '../error.js'
import type { Comparison, Difference } from '../estimate/comparison.js'
import { given } from '../given.js'
import { withinSentence } from '../listed.js'
import type { ReadLog } from '../read/plan.js'
import { isWarehouseLog } from '../node/warehouse/warehouse-log.js'
import { adviceOn } from './advice-on.js'
import { targetsFor } from './ask-target.js'
import type { Arguments, Command, Context } from './command.js'
import { refuseInMemoryOnly, settingsInPlace, SWEPT_IN_MEMORY } from './evaluate.js'
import {
  ESTIMATOR_OPTION,
  estimatorList,
  evaluateOptionsOf,
  exitCodeFor,
  INTERVAL_LIST,
  JUDGING_OPTIONS,
  readingInPlace,
  readLogFor,
  sayLook,
  TARGET_NOTES,
} from './evaluate-options.js'
import { logNamed, type NamedLog, nameOfLog } from './join-options.js'
import { LOG_LISTS } from './log-options.js'
import { jsonOption, reportOption, tell, writeReport } from './outputs.js'
import { text } from './parse.js'
import { FACT_LIST } from './said-options.js'
import { parseTarget } from './target-option.js'
import { curvesAsked, printCurves } from './temperatures-option.js'
import { emphasised, type Terminal } from './terminal.js'
import { outcomeOf } from '../verdict/decision.js'
import { worstVerdict } from '../estimate/verdict.js'
import type { QuestionAnswer, Verdict } from '../verdict/verdict.js'
import { decisionSentences, whyNot } from '../words/decision-text.js'
import { allOf, formatLift } from '../words/difference-text.js'
import { formatConfidence, formatEstimate, formatPValue, nearestText } from '../words/estimate-text.js'
import { perUnitOf } from '../words/unit.js'
import { bullet, cut, GAP, textTable, WIDTH, wrap } from './format.js'
import { intervalTable, OUTCOME_STYLE, type Row } from './interval-table.js'
import { loggersTable, questionLine, verdictText } from './verdict-text.js'

export const compare: Command = {
  name: 'compare',
  usage: 'compare LOG --targets A B … [options]',
  about:
    'Which policy to launch, if any? Compares policies on the same log. The first target is the baseline; differences from it are paired, so their intervals are much narrower than those of separate evaluations. Intervals and p-values hold for all comparisons at once, and agree with each other.',
  options: {
    targets: {
      value: 'A B …',
      many: true,
      help: 'logging, uniform, popularity@RULE, column:NAME, table:FILE, scores:FILE@RULE or model:DIR@RULE; the first is the baseline (commas work too)',
    },
    ...ESTIMATOR_OPTION,
    ...JUDGING_OPTIONS,
    ...jsonOption('the comparison'),
    ...reportOption('write a page with the differences as a figure'),
  },
  examples: [
    ['hindcast compare toy.csv --targets logging uniform', 'is random better than what we do?'],
    [
      'hindcast compare log.parquet --targets logging column:a column:b --estimator dr',
      'two candidates, doubly robust',
    ],
    [
      'hindcast compare log.csv --targets logging column:a column:b column:c',
      'which of three candidates to launch, if any',
    ],
    [
      'hindcast compare held-out.csv --targets logging model:runs/a@best model:runs/b@best',
      'two trained models against the logging policy',
    ],
  ],
  lists: [estimatorList('estimator'), INTERVAL_LIST, FACT_LIST, ...LOG_LISTS],
  notes: TARGET_NOTES,
  async run(args, context) {
    const names = (text(args, 'targets') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
    const path = logNamed(args, 'compare')
    if (names.length < 2)
      throw new HindcastError('bad-option', 'hindcast compare needs at least two policies in --targets.', {
        remedy: `For example: --targets logging uniform. Each is one of: ${await targetsFor(path, args)}.`,
      })
    const compareThere = isWarehouseLog(path) ? compareInPlace : compareInMemory
    const { comparison, file, settings } = await compareThere(path, names, args, context)
    context.terminal.status('')
    const { terminal, signal } = context
    await tell(comparison, () => comparisonText(file, comparison, terminal), args, context)
    if (text(args, 'json') !== '-') {
      sayLook(args, context)
      printCurves(comparison, context)
    }
    await writeReport(args, context, async (path) => {
      const { writeComparisonReport } = await import('../node/write-report.js')
      const used = { ...settings, options: args.values }
      await writeComparisonReport(path, { title: file, comparison, settings: used }, signal)
    })
    return exitCodeFor(
      comparison.differences.map(({ verdict }) => verdict.level),
      args,
    )
  },
}

/** A comparison, the log as it is called, and how it was read. */
interface Made {
  readonly comparison: Comparison
  readonly file: string
  readonly settings: Readonly<Record<string, unknown>>
}

/** Compares the policies with these names. */
type Compare = (path: NamedLog, names: readonly string[], args: Arguments, context: Context) => Promise<Made>

const compareInMemory: Compare = async (path, names, args, context) => {
  const reads: ReadLog[] = []
  const reading = { ...context, terminal: sayingOnce(context.terminal) }
  for (const name of names) reads.push(await readLogFor(path, name, args, reading))
  const { compare: run } = await import('../estimate/compare.js')
  context.terminal.status(`comparing ${names.length} policies …`)
  const { log, file, format } = reads[0]!
  const targets = []
  for (const [k, read] of reads.entries())
    targets.push({ target: await parseTarget(names[k]!, read, args, context), log: read.log })
  const options = await evaluateOptionsOf(args, log)
  const comparing = given({ estimator: text(args, 'estimator') })
  const made = await run(log, { ...options, ...comparing, targets })
  const all = targets.map(({ target }) => target)
  const curves = await curvesAsked(log, all, { ...options, ...comparing }, { args, context })
  const comparison = { ...made, ...curves }
  return { comparison, file, settings: { log: file, format } }
}

/** The log is read once for each target; what is worth knowing of it is said the first time. */
function sayingOnce(terminal: Terminal): Terminal {
  const said = new Set<string>()
  return { ...terminal, note: (text) => void (said.has(text) || (said.add(text), terminal.note(text))) }
}

/** The log stays in the warehouse, which computes the sums. */
const compareInPlace: Compare = async (path, names, args, context) => {
  refuseInMemoryOnly(args, SWEPT_IN_MEMORY)
  const readings = []
  for (const name of names) readings.push(await readingInPlace(path, name, args, context))
  const { compareFile } = await import('../node/evaluate-file.js')
  const comparison = await compareFile(path, readings, {
    ...(await evaluateOptionsOf(args)),
    ...given({ estimator: text(args, 'estimator') }),
  })
  return { comparison, file: nameOfLog(path), settings: settingsInPlace(path) }
}

/** A comparison for a terminal of 80 columns: what to do, the differences drawn, the best first, values and lifts, a verdict for each. */
export function comparisonText(file: string, comparison: Comparison, terminal: Terminal): string {
  const { baseline, confidence, estimator, differences } = comparison
  const names = ['target', 'difference', `${formatConfidence(confidence)} CI`, 'action'] as const
  const count = differences.length
  const verdicts = differences.map(({ verdict }) => verdict) as [Verdict, ...Verdict[]]
  return [
    terminal.style('bold', file),
    ...decisionSentences(comparison).map((sentence) => emphasised(wrap(sentence, WIDTH), terminal)),
    ...comparison.evaluations.flatMap((evaluation) => {
      const nearest = nearestText(evaluation)
      return nearest === undefined ? [] : [wrap(`${evaluation.target}: ${withinSentence(nearest)}`, WIDTH)]
    }),
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
