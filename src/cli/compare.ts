import { HindcastError } from '../error.js'
import type { Comparison } from '../estimate/comparison.js'
import { given } from '../given.js'
import type { ReadLog } from '../read/plan.js'
import { isWarehouseLog } from '../node/warehouse/warehouse-log.js'
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
import type { Terminal } from './terminal.js'

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
    await tell(
      comparison,
      async () => (await import('./comparison-text.js')).comparisonText(file, comparison, terminal),
      args,
      context,
    )
    if (text(args, 'json') !== '-') {
      sayLook(args, context)
      await printCurves(comparison, context)
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
