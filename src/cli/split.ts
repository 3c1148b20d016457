import { HindcastError } from '../error.js'
import type { LogPart } from '../log/stamp.js'
import type { PartsOptions } from '../log/split.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import type { ReadLog } from '../read/plan.js'
import type { Arguments, Command, Context } from './command.js'
import { wrap } from './format.js'
import { filesOf, logNamed, type NamedLog, nameOfLog } from './join-options.js'
import { LOG_LISTS, LOG_NOTE, LOG_OPTIONS, readNamedLog } from './log-options.js'
import { oneOf, text, wholeNumber } from './parse.js'
import type { Terminal } from './terminal.js'
import { WAREHOUSE_NOTE, WAREHOUSE_OPTIONS } from './warehouse-options.js'

/** Options that say what stands in for what a log lacks, which no part is to have as if it were logged. */
const LEFT_OUT: readonly string[] = ['propensity', 'propensity-floor', 'catalogue']

export const split: Command = {
  name: 'split',
  usage: 'split LOG --by user|time --out DIR [options]',
  about:
    'Cuts a log into parts, so that a policy made from one of them can be evaluated on another. Beside each part stands a small file with the hashes of all parts: by it Hindcast knows later that a policy was made from held-out rows.',
  options: {
    by: {
      value: 'user|time',
      help: 'user: all rows of a user in one part, by a hash of the id; time: whole days, the earliest in part 1',
    },
    share: { value: 'S', help: 'the share of part 1 of 2 (0.5)' },
    parts: { value: 'N|S,S,…', help: 'instead of --share: the number of equal parts, or the share of each' },
    seed: { value: 'N', help: 'seed of the hash of users (0; of a part that is cut again, the next one)' },
    out: {
      value: 'DIR',
      help: 'the folder for the parts, another than that of the log; created if missing',
      writes: (out) => [out],
    },
    ...Object.fromEntries(Object.entries(LOG_OPTIONS).filter(([name]) => !LEFT_OUT.includes(name))),
    ...WAREHOUSE_OPTIONS,
  },
  examples: [
    ['hindcast split clicks.csv --by user --out parts', 'half of the users in each part'],
    [
      'hindcast split clicks.parquet --by time --share 0.8 --out parts',
      'the first days to make a policy from, the last fifth to evaluate it on',
    ],
    ['hindcast split clicks.csv --by user --parts 0.6,0.2,0.2 --out parts', 'three parts'],
  ],
  lists: LOG_LISTS.slice(0, 1),
  notes: [
    'Parts are written as the log is: CSV, NDJSON (both perhaps with .gz) or Parquet, and Parquet for any other layout. Columns have the names that Hindcast knows (user_id, item_id, reward, propensity, …), so parts need no --columns; further columns are kept.',
    'PART.hindcast.json beside a part has its hash and those of the others. Copied beside a policy as POLICY.hindcast.json, it says that the policy was made from this part.',
    LOG_NOTE,
    WAREHOUSE_NOTE,
  ],
  async run(args, context) {
    const log = logNamed(args, 'split')
    const out = text(args, 'out')
    if (out === undefined)
      throw new HindcastError('bad-option', 'hindcast split needs a folder for the parts.', {
        remedy: 'Name one with --out parts.',
      })
    const asked = await partsAsked(args, nameOfLog(log))
    const { log: whole, file } = await readWhole(log, args, context)
    const { writeParts } = await import('../node/write-log.js')
    context.terminal.status(`cutting ${formatCount(whole.rows)} rows into ${asked.shares.length} parts …`)
    const parts = await writeParts(out, whole, file, asked, {
      signal: context.signal,
      onPart: (name) => context.terminal.status(`writing ${name} …`),
    })
    context.terminal.status('')
    context.terminal.print(partsText(out, parts, context.terminal))
    return 0
  },
}

/** How the log is to be cut, as typed. */
async function partsAsked(args: Arguments, file: string): Promise<PartsOptions> {
  const by = oneOf(args, 'by', ['user', 'time'] as const)
  if (by === undefined)
    throw new HindcastError('bad-option', 'hindcast split needs to know what to cut by.', {
      remedy:
        'Add --by user, for a policy that treats new users like these, or --by time, for one that is to hold on later days.',
    })
  const { partBeside } = await import('../node/write-log.js')
  // A part that is cut again by the same hash would have all of its users in one of its parts.
  const seed = wholeNumber(args, 'seed') ?? ((await partBeside(file))?.seed ?? -1) + 1
  return { by, shares: sharesOf(text(args, 'share'), text(args, 'parts')), seed }
}

function sharesOf(share: string | undefined, parts: string | undefined): number[] {
  if (share !== undefined && parts !== undefined)
    throw new HindcastError('bad-option', '--share and --parts exclude each other.', {
      remedy: 'Use --share for two parts, --parts for more.',
    })
  if (parts === undefined) {
    const first = share === undefined ? 0.5 : numberOf(share)
    if (first > 0 && first < 1) return [first, 1 - first]
    throw new HindcastError('bad-option', `--share expects a number between 0 and 1, not ${share}.`, {
      remedy: 'For example: --share 0.8',
    })
  }
  const typed = parts.split(',').map(numberOf)
  if (typed.length > 1) return typed
  const [count] = typed as [number]
  if (Number.isSafeInteger(count) && count > 1) return Array.from({ length: count }, () => 1 / count)
  throw new HindcastError('bad-option', `--parts does not accept ${JSON.stringify(parts)}.`, {
    remedy: 'Give the number of parts, such as --parts 5, or their shares, such as --parts 0.6,0.2,0.2.',
  })
}

const numberOf = (typed: string): number => (typed.trim() === '' ? NaN : Number(typed))

/** The log with all columns of its file. */
async function readWhole(log: NamedLog, args: Arguments, context: Context): Promise<ReadLog> {
  const read = await readNamedLog(log, args, context, { propensityOptional: true })
  const { furtherColumns, withNamesKept, withNumbers } = await import('../doctor/mend.js')
  const labels = await furtherColumns(read, context.signal)
  if (labels.length === 0) return read
  if (filesOf(log).includes('-'))
    throw new HindcastError(
      'bad-option',
      'The log has further columns, for which it is read twice, which standard input does not allow.',
      { remedy: 'Save it to a file first.' },
    )
  const whole = await readNamedLog(log, args, context, { propensityOptional: true, labels })
  return { ...whole, log: withNumbers(withNamesKept(whole.log)) }
}

function partsText(out: string, parts: readonly LogPart[], terminal: Terminal): string {
  const [first, second] = parts as [LogPart, LogPart]
  const { rows } = first.of
  const lines = parts.map(
    ({ file, made }) =>
      `  ${file}  ${counted(made.rows, 'row')} (${formatShare(made.rows / rows)}), ${made.from}`,
  )
  return [
    terminal.style(
      'green',
      `✔ Wrote ${parts.length} parts to ${out}, each with its hash in PART.hindcast.json:`,
    ),
    ...lines,
    `Make a policy from ${first.file}, and evaluate it on ${second.file}.`,
  ]
    .map((line) => wrap(line))
    .join('\n')
}
