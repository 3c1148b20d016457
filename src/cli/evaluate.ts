import { HindcastError } from '../error.js'
import { formatCount } from '../number-text.js'
import type { Evaluation } from '../estimate/evaluation.js'
import type { Arguments, Command, Context } from './command.js'
import {
  EVALUATE_OPTIONS,
  evaluateOptionsOf,
  exitCodeFor,
  MODEL_TARGET_NOTE,
  POPULARITY_TARGET_NOTE,
  oneOf,
  parseTarget,
  parseTargetOnDisk,
  readLogFor,
  withNamedColumns,
} from './evaluate-options.js'
import { writeJson } from './json.js'
import { LOG_NOTE, LOG_OPTIONS, readingOptions } from './log-options.js'
import { onlyPositional, text } from './parse.js'

export const evaluate: Command = {
  name: 'evaluate',
  usage: 'evaluate LOG --target uniform|logging|popularity[@T]|column:NAME|table:FILE|model:DIR [options]',
  about:
    'Would another policy have done better, and how sure are we? Estimates what a target policy would have earned, with intervals that hold for dependent rows of one user, diagnostics, and a verdict: trust, caution or refuse.',
  options: {
    target: {
      type: 'string',
      value: 'WHICH',
      help: 'uniform (default), logging, popularity[@T], which shows what was clicked most, column:NAME with its probabilities, table:FILE, a CSV with item_id, probability and optionally user_id, or model:DIR[@T], a trained model at temperature T',
    },
    estimators: {
      type: 'string',
      value: 'LIST',
      help: 'dm,ips,snips,dr (default); also sndr, mrdr, mips, clipped-ips, clipped-dr, sub-gaussian-ips, sub-gaussian-dr, switch-dr, dr-os, and for slates iips, rips, pi, cascade-dr; name:λ fixes λ',
    },
    engine: {
      type: 'string',
      value: 'NAME',
      help: 'memory (default), or duckdb for logs larger than memory',
    },
    ...EVALUATE_OPTIONS,
    ...LOG_OPTIONS,
    json: {
      type: 'string',
      value: 'FILE|-',
      help: 'the evaluation as JSON, to a file or to standard output',
    },
    report: {
      type: 'string',
      value: 'FILE.html',
      help: 'a page with figures: estimates, weights, bootstrap distributions',
    },
  },
  examples: [
    ['hindcast evaluate toy.csv --target uniform', 'what would random recommendations have earned?'],
    [
      'hindcast evaluate log.parquet --target column:new_policy_prob --report new.html',
      'a policy whose probabilities were logged',
    ],
    [
      'hindcast evaluate log.csv --estimators snips,switch-dr,clipped-ips:10 --json -',
      'more estimators, as JSON',
    ],
    ['hindcast evaluate held-out.csv --target model:runs/a@0.5', 'a model that hindcast train wrote'],
    [
      'hindcast evaluate men.csv --format obd --target uniform --cluster row',
      'Open Bandit data, rows taken as independent',
    ],
  ],
  notes: [LOG_NOTE, POPULARITY_TARGET_NOTE, MODEL_TARGET_NOTE],
  async run(args, context) {
    const path = onlyPositional(args, 'evaluate', 'a log')
    const named = text(args, 'target') ?? 'uniform'
    const estimators = text(args, 'estimators')
      ?.split(',')
      .map((name) => name.trim())
    const onDisk = oneOf(args, 'engine', ['memory', 'duckdb']) === 'duckdb'
    const evaluation = await (onDisk ? evaluateOnDisk : evaluateInMemory)(
      path,
      named,
      estimators,
      args,
      context,
    )
    return exitCodeFor([evaluation.verdict.level], args)
  },
}

type Evaluate = (
  path: string,
  target: string,
  estimators: readonly string[] | undefined,
  args: Arguments,
  context: Context,
) => Promise<Evaluation>

const evaluateInMemory: Evaluate = async (path, named, estimators, args, context) => {
  const read = await readLogFor(path, named, args, context)
  const report = text(args, 'report')
  const { evaluate: run } = await import('../estimate/evaluate.js')
  context.terminal.status(`estimating from ${formatCount(read.log.rows)} rows …`)
  const { evaluation, evidence } = await run(read.log, {
    ...(await evaluateOptionsOf(args, read.log)),
    target: await parseTarget(named, read, context),
    withCurve: report !== undefined,
    ...(estimators && { estimators }),
  })
  await show(read.file, evaluation, args, context)
  if (report !== undefined) {
    const { writeEvaluationReport } = await import('../node/evaluation-report.js')
    const { logSettings } = await import('../report/log-settings.js')
    const settings = { ...logSettings(read), options: args.values }
    await writeEvaluationReport(report, { title: read.file, evaluation, evidence, settings }, context.signal)
    context.terminal.note(`Wrote ${report}.`)
  }
  return evaluation
}

/** The log stays on disk and DuckDB takes the sums: for logs larger than memory. */
const evaluateOnDisk: Evaluate = async (path, named, estimators, args, context) => {
  for (const option of ['report', 'categories', 'reward-model', 'on-bad-row'])
    if (args.values[option] !== undefined)
      throw new HindcastError('bad-option', `--${option} needs the log in memory.`, {
        remedy: 'Leave out --engine duckdb.',
      })
  const target = parseTargetOnDisk(named)
  const { catalogue, ...reading } = await readingOptions(withNamedColumns(named, args), context)
  const { evaluateFile } = await import('../node/evaluate-file.js')
  const evaluation = await evaluateFile(
    path,
    { ...reading, target, ...(catalogue && { items: new Set(catalogue).size }) },
    { ...(await evaluateOptionsOf(args)), estimators: estimators ?? ['ips', 'snips'] },
  )
  context.terminal.status('')
  await show(path, evaluation, args, context)
  return evaluation
}

async function show(file: string, evaluation: Evaluation, args: Arguments, context: Context): Promise<void> {
  const json = text(args, 'json')
  if (json !== undefined) await writeJson(json, evaluation, context)
  if (json === '-') return
  const { evaluationText } = await import('./evaluation-text.js')
  context.terminal.print(evaluationText(file, evaluation, context.terminal))
}
