import type { MendedLog } from '../doctor/mend.js'
import { HindcastError } from '../error.js'
import { quarantineCsv } from '../log/write/quarantine.js'
import { counted, formatCount } from '../number-text.js'
import type { Arguments, Context } from './command.js'
import { wrap } from './format.js'
import { filesOf, type NamedLog } from './join-options.js'
import { isWarehouseLog, type WarehouseLog } from '../node/warehouse/warehouse-log.js'
import { leftOutFile } from './outputs.js'
import { namedReading, readingOptions } from './log-options.js'
import { asOptions } from './option-words.js'
import { text } from './parse.js'
import type { Terminal } from './terminal.js'
import { advice, set, worded } from '../advice.js'

/** `hindcast doctor LOG --fix --out FILE`: writes the mended log and says what was done. Returns the exit code. */
export async function fixLog(log: NamedLog, args: Arguments, context: Context): Promise<number> {
  const { terminal, signal } = context
  if (isWarehouseLog(log)) throw await onlyRead(log, args, context)
  const out = text(args, 'out')
  if (out === undefined)
    throw new HindcastError('bad-option', '--fix needs a file to write to.', {
      remedy: 'Name one with --out mended.csv (or .ndjson, .parquet).',
    })
  if (filesOf(log).includes('-'))
    throw new HindcastError(
      'bad-option',
      '--fix reads the log several times, which standard input does not allow.',
      {
        remedy: 'Save it to a file first.',
      },
    )
  const quarantine = leftOutFile(out)
  const [{ mendLog }, { readLogFile }, { writeLogFile }, { writeAtomically }] = await Promise.all([
    import('../doctor/mend.js'),
    import('../node/read-log.js'),
    import('../node/write-log.js'),
    import('../node/write-atomically.js'),
  ])
  const reading = await readingOptions(args, context)
  const mended = await mendLog(
    (options) => readLogFile(log, { ...reading, propensityOptional: true, ...options }),
    reading.columns,
    { signal },
  )
  terminal.status('')
  if (mended.leftOut.length > 0) await writeAtomically(quarantine, quarantineCsv(mended.leftOut), signal)
  await writeLogFile(out, mended.log, signal)
  terminal.print(mendedText(out, quarantine, mended, terminal))
  return mended.findings.some(({ level }) => level === 'problem') ? 1 : 0
}

/** The error for a log in a warehouse, which is only read, with the mapping of columns that mends it. */
async function onlyRead(log: WarehouseLog, args: Arguments, context: Context): Promise<HindcastError> {
  const [{ mendedColumns }, { examineWarehouse }, { mappingText }] = await Promise.all([
    import('../doctor/mend.js'),
    import('../node/warehouse/examine-warehouse.js'),
    import('../log/layout.js'),
  ])
  const reading = await namedReading(log, args, context)
  const done: string[] = []
  const { columns } = await mendedColumns(
    async (options) =>
      (await examineWarehouse(log, { ...reading, ...options, propensityOptional: true })).read,
    reading.columns,
    done,
    { signal: context.signal },
  )
  context.terminal.status('')
  return new HindcastError('bad-option', 'A warehouse is only read: --fix writes nothing there.', {
    remedy:
      done.length === 0
        ? 'No other values for its columns would mend it. To see what is wrong, leave out --fix.'
        : advice`Read it without these mistakes: ${set('columns', mappingText(columns ?? {}))}.`,
  })
}

function mendedText(
  out: string,
  quarantine: string,
  { log, done, leftOut, findings }: MendedLog,
  terminal: Terminal,
): string {
  const problems = findings.filter(({ level }) => level === 'problem')
  return [
    terminal.style('green', `✔ Wrote ${out}: ${counted(log.rows, 'row')}.`),
    ...(done.length === 0 ? ['There was nothing to mend.'] : done.map((sentence) => `  ${sentence}`)),
    ...(leftOut.length === 0
      ? []
      : [
          `  Wrote ${quarantine}: the rows left out, with the reason for each (${formatCount(leftOut.length)} in all).`,
        ]),
    ...problems.flatMap(({ code, seen, remedy }) => [
      '',
      `${terminal.style('red', '✘ still a problem')}  ${terminal.style('bold', code)}`,
      `  ${seen}`,
      `  ${worded(remedy, asOptions)}`,
    ]),
  ]
    .map((line) => wrap(line))
    .join('\n')
}
