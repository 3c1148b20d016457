import { HindcastError } from '../error.js'
import type { Evaluated } from '../estimate/evaluate-source.js'
import { listed } from '../listed.js'
import { formatCount } from '../number-text.js'
import type { Arguments, Context, Option } from './command.js'
import { evaluateOptionsOf } from './evaluate-options.js'
import { JOIN_OPTIONS } from './join-options.js'
import { LOG_OPTIONS } from './log-options.js'
import { text } from './parse.js'
import { POLICY_OPTIONS } from './target-option.js'

/** The option of `evaluate` that takes the result of the statement of `hindcast sql`. */
export const SUMS_OPTION: Readonly<Record<string, Option>> = {
  sums: {
    value: 'FILE',
    help: 'instead of LOG, the saved result of the statement that hindcast sql printed: CSV, Parquet or JSON',
  },
}

/** Options that say how rows are read: the statement has said all of it. */
const OF_ROWS = [
  ...Object.keys(LOG_OPTIONS),
  ...Object.keys(JOIN_OPTIONS),
  ...Object.keys(POLICY_OPTIONS),
  'by',
  'engine',
  'loggers',
  'temperatures',
  'reward-model',
  'categories',
]

/** An evaluation from recorded sums, and what they were asked for. */
export interface FromSums {
  readonly evaluated: Evaluated
  readonly settings: Readonly<Record<string, string>>
}

/** Evaluates what a statement summed: its target, by its estimators, unless fewer are asked for. */
export async function evaluateSums(
  file: string,
  args: Arguments,
  { terminal }: Context,
  estimators: readonly string[] | undefined,
): Promise<FromSums> {
  refuseOthers(args)
  const { namedInput } = await import('../node/file-input.js')
  const { readRecorded } = await import('../estimate/source/read-recorded.js')
  const { recordedSums } = await import('../estimate/source/sums-statement.js')
  const { evaluateSource } = await import('../estimate/evaluate-source.js')
  terminal.status(`reading ${file} …`)
  const rows = await readRecorded(await namedInput(file))
  const recorded = recordedSums(file, rows)
  const target = text(args, 'target')
  if (target !== undefined && target !== recorded.source.about.target)
    throw new HindcastError(
      'bad-option',
      `${file} has the sums for the target ${recorded.source.about.target}, not for ${target}.`,
      { remedy: `Leave --target out, or print a statement for it: hindcast sql --target ${target} …` },
    )
  const options = await evaluateOptionsOf(args)
  terminal.status(`estimating from ${formatCount(rows.length)} recorded rows …`)
  const evaluated = await evaluateSource(recorded.source, {
    ...options,
    estimators: estimators ?? recorded.estimators,
    ...(options.cluster === undefined && { cluster: recorded.cluster }),
    withCurve: args.values['report'] !== undefined,
  })
  terminal.status('')
  return { evaluated, settings: Object.fromEntries(recorded.settings) }
}

function refuseOthers(args: Arguments): void {
  const [log] = args.positionals
  if (log !== undefined)
    throw new HindcastError('bad-option', `--sums takes the place of a log, but ${log} was given too.`, {
      remedy: 'Give one of them.',
    })
  const given = OF_ROWS.filter((option) => args.values[option] !== undefined).map((option) => `--${option}`)
  if (given.length > 0)
    throw new HindcastError('bad-option', `${listed(given)} cannot be used with --sums.`, {
      remedy:
        'What the sums describe was fixed when the statement was printed: give such options to hindcast sql.',
    })
}
