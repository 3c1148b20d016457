import { HindcastError } from '../error.js'
import { COMPARE_DEFAULTS } from '../estimate/defaults.js'
import type { ReadLog } from '../read/plan.js'
import type { Comparison } from '../estimate/comparison.js'
import type { InPlaceOptions } from '../node/sums/open-log.js'
import { isWarehouseLog } from '../node/warehouse/warehouse-log.js'
import { targetsFor } from './ask-target.js'
import type { Arguments, Command, Context } from './command.js'
import { refuseInMemoryOnly, settingsInPlace, SWEPT_IN_MEMORY } from './evaluate.js'
import {
  estimatorList,
  EVALUATE_OPTIONS,
  evaluateOptionsOf,
  exitCodeFor,
  INTERVAL_LIST,
  LOGGERS_OPTION,
  loggersAsked,
  readLogFor,
  sayLook,
  slatePropensitiesAsked,
  withNamedColumns,
} from './evaluate-options.js'
import {
  MODEL_TARGET_NOTE,
  parseTarget,
  parseTargetInPlace,
  POPULARITY_TARGET_NOTE,
} from './target-option.js'
import { curvesAsked, TEMPERATURES_OPTION } from './temperatures-option.js'
import { writeJson, writesFile } from './outputs.js'
import { logNamed, type NamedLog, nameOfLog } from './join-options.js'
import { FEATURES_OPTION, LOG_LISTS, LOG_NOTE, LOG_OPTIONS, readingOptions } from './log-options.js'
import { FACT_LIST, SAID_OPTIONS } from './said-options.js'
import { text } from './parse.js'
import { FILE_TARGETS_NOTE, RULES_NOTE } from './policy-targets.js'
import type { Terminal } from './terminal.js'
import { connectOptions, SCRATCH_OPTION, WAREHOUSE_NOTE, WAREHOUSE_OPTIONS } from './warehouse-options.js'

const ESTIMATOR_HELP = `${COMPARE_DEFAULTS.estimator} (default; snrips for pages whose propensities depend on the items above), or another from the list below`

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
    estimator: { value: 'NAME', help: ESTIMATOR_HELP },
    ...TEMPERATURES_OPTION,
    ...LOGGERS_OPTION,
    ...FEATURES_OPTION,
    ...EVALUATE_OPTIONS,
    ...SAID_OPTIONS,
    ...LOG_OPTIONS,
    ...WAREHOUSE_OPTIONS,
    ...SCRATCH_OPTION,
    json: {
      value: 'FILE|-',
      writes: writesFile,
      help: 'write the comparison as JSON, to a file or to standard output',
    },
    report: { value: 'FILE.html', writes: writesFile, help: 'write a page with the differences as a figure' },
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
  notes: [LOG_NOTE, WAREHOUSE_NOTE, FILE_TARGETS_NOTE, RULES_NOTE, POPULARITY_TARGET_NOTE, MODEL_TARGET_NOTE],
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
    const json = text(args, 'json')
    const report = text(args, 'report')
    if (json !== undefined) await writeJson(json, comparison, context)
    if (json !== '-') {
      const { comparisonText } = await import('./comparison-text.js')
      context.terminal.print(comparisonText(file, comparison, context.terminal))
      sayLook(args, context)
      if (comparison.temperatures) {
        const { curvesText } = await import('./curves-text.js')
        context.terminal.print(
          `\n${curvesText(comparison.temperatures, comparison.confidence, context.terminal)}`,
        )
      }
    }
    if (report !== undefined) {
      const { writeComparisonReport } = await import('../node/evaluation-report.js')
      const used = { ...settings, options: args.values }
      await writeComparisonReport(report, { title: file, comparison, settings: used }, context.signal)
      context.terminal.note(`Wrote ${report}.`)
    }
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
  const comparing = comparingOf(args)
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
  const connecting = await connectOptions(args)
  const readings: InPlaceOptions[] = []
  for (const name of names)
    readings.push({
      ...(await readingOptions(withNamedColumns(name, args), context)),
      ...connecting,
      ...loggersAsked(args),
      ...slatePropensitiesAsked(args),
      target: await parseTargetInPlace(name, args, context),
    })
  const { compareFile } = await import('../node/evaluate-file.js')
  const comparison = await compareFile(path, readings, {
    ...(await evaluateOptionsOf(args)),
    ...comparingOf(args),
  })
  return { comparison, file: nameOfLog(path), settings: settingsInPlace(path) }
}

/** The options of the comparison itself. */
function comparingOf(args: Arguments): { estimator?: string } {
  const estimator = text(args, 'estimator')
  return estimator === undefined ? {} : { estimator }
}
