import type { Diagnosis, LocatedFinding } from '../doctor/finding.js'
import { HindcastError } from '../error.js'
import { isWarehouseLog, type WarehouseLog } from '../node/warehouse/warehouse-log.js'
import type { ExaminedWarehouse } from '../node/warehouse/describe-warehouse.js'
import type { Arguments, Command, Context } from './command.js'
import { counted, formatCount } from '../number-text.js'
import type { ReadLog } from '../read/plan.js'
import { cut, wrap } from './format.js'
import { jsonOption, leftOutFile, tell } from './outputs.js'
import { filesOf, logNamed, type NamedLog } from './join-options.js'
import {
  LOG_LISTS,
  LOG_NOTE,
  LOG_OPTIONS,
  namedReading,
  readingOptions,
  readNamedLog,
} from './log-options.js'
import { asOptions } from './option-words.js'
import { text } from './parse.js'
import { TOTALS_OPTION, totalsAsked } from './said-options.js'
import { EXAMINED_NOTE, WAREHOUSE_OPTIONS } from './warehouse-options.js'
import { onOneLine, type Terminal } from './terminal.js'
import type { MendedLog } from '../doctor/mend.js'
import { quarantineCsv } from '../log/write/text.js'
import { advice, set, worded } from '../advice.js'

export const doctor: Command = {
  name: 'doctor',
  usage: 'doctor LOG [options]',
  about:
    'Looks for mistakes that would invalidate every later result: propensities logged as log-probabilities, percentages or inverses; costs given as rewards; target probabilities that do not sum to 1; row numbers used as ids. Then asks the rows what every verdict asks them: copies, rewards that are lost, late or of other rows, propensities that do not match what was shown. Exits with 1 if it finds a problem.',
  options: {
    ...Object.fromEntries(
      Object.entries(LOG_OPTIONS).filter(([name]) => name !== 'on-bad-row' && name !== 'catalogue'),
    ),
    ...WAREHOUSE_OPTIONS,
    ...TOTALS_OPTION,
    fix: { help: 'write the log without the mistakes that need no judgement, to the file named by --out' },
    out: {
      value: 'FILE',
      writes: (out) => [out, leftOutFile(out)],
      help: 'where --fix writes the repaired log: CSV, NDJSON or Parquet by its ending',
    },
    ...jsonOption('the findings'),
  },
  examples: [
    ['hindcast doctor clicks.csv', 'is this log fit for use?'],
    ['hindcast doctor clicks.parquet --columns user=uid,item=sku,reward=buy,propensity=p', 'any table'],
    ['hindcast doctor clicks.csv --columns "propensity=p / 100"', 'with a value computed from a column'],
    [
      'hindcast doctor --events events.ndjson --kind event:impression=decision,click=outcome',
      'impressions and clicks in one file',
    ],
    ['hindcast doctor clicks.csv --totals rows=1200000,reward=34000', 'against the numbers of a dashboard'],
    ['hindcast doctor clicks.csv --fix --out repaired.csv', 'write the repaired log'],
    ['hindcast doctor postgres://reader@db/shop --table shop.impressions', 'a table of a warehouse'],
    [
      'hindcast doctor clicks.csv --json - && hindcast describe clicks.csv',
      'continue only if the log is clean',
    ],
  ],
  lists: LOG_LISTS,
  notes: [LOG_NOTE, EXAMINED_NOTE],
  async run(args, context) {
    const log = logNamed(args, 'doctor')
    if (args.values['fix'] === true) return fixLog(log, args, context)
    if (text(args, 'out') !== undefined)
      throw new HindcastError('bad-option', '--out is where --fix writes the repaired log.', {
        remedy: 'Add --fix, or leave out --out.',
      })
    const { diagnose } = await import('../doctor/diagnose.js')
    const { read, ...known } = await rowsToExamine(log, args, context)
    context.terminal.status(`examining ${formatCount(read.log.rows)} rows …`)
    const totals = await totalsAsked(args)
    if (totals && known.of !== undefined)
      throw new HindcastError('bad-option', '--totals needs all rows, and only some of them are examined.', {
        remedy: 'Give it to hindcast evaluate, which sums all of them.',
      })
    const { totalsFindings } = await import('../doctor/verdict-findings.js')
    const further = [...(known.further ?? []), ...(totals ? totalsFindings(read.log, totals) : [])]
    const diagnosis = await diagnose(read, { ...known, further, words: asOptions, signal: context.signal })
    context.terminal.status('')
    await tell(diagnosis, () => diagnosisText(diagnosis, read, context.terminal), args, context)
    return diagnosis.clean ? 0 : 1
  },
}

/** The rows of the log; of a large one in a warehouse some, and what is known of the others. */
async function rowsToExamine(
  log: NamedLog,
  args: Arguments,
  context: Context,
): Promise<Pick<ExaminedWarehouse, 'read'> & Partial<ExaminedWarehouse>> {
  if (!isWarehouseLog(log)) return { read: await readNamedLog(log, args, context, { onBadRow: 'keep' }) }
  const { examineWarehouse } = await import('../node/warehouse/describe-warehouse.js')
  const examined = await examineWarehouse(log, {
    ...(await namedReading(log, args, context)),
    onBadRow: 'keep',
  })
  context.terminal.status('')
  return examined
}

function diagnosisText({ file, rows, of, findings }: Diagnosis, read: ReadLog, terminal: Terminal): string {
  const problems = findings.filter(({ level }) => level === 'problem').length
  const notes = findings.length - problems
  const examined = `${formatCount(rows)}${of === undefined ? '' : ` of ${formatCount(of)}`} rows`
  const verdict =
    problems === 0
      ? terminal.style('green', `✔ ${onOneLine(file)}: no problems found in ${examined}.`)
      : terminal.style(
          'red',
          `✘ ${onOneLine(file)}: ${problems} ${problems === 1 ? 'problem' : 'problems'} in ${examined}.`,
        )
  const also = notes > 0 ? ` ${notes} ${notes === 1 ? 'note' : 'notes'}.` : ''
  return [`${verdict}${also}`, ...findings.map((finding) => findingText(finding, read, terminal))].join(
    '\n\n',
  )
}

function findingText(finding: LocatedFinding, read: ReadLog, terminal: Terminal): string {
  const { code, level, column, seen, why, remedy, lines, file } = finding
  const named = finding.examples?.map(onOneLine).join('; ') ?? ''
  const { lineUnit } = file === undefined ? read : read.outcomes!
  const mark = level === 'problem' ? terminal.style('red', '✘ problem') : terminal.style('yellow', '• note')
  const examples =
    lines.length === 0
      ? []
      : [
          `${lineUnit}${lines.length > 1 ? 's' : ''} ${lines.join(', ')}${file === undefined ? '' : ` of ${onOneLine(file)}`}`,
        ]
  return [
    `${mark}  ${terminal.style('bold', code)}${column === null ? '' : `, column ${cut(column, 60)}`}`,
    ...[
      ['seen', seen],
      ['where', named || examples.join('')],
      ['why', why],
      ['do', remedy],
    ].flatMap(([name, words]) =>
      words === '' ? [] : [`  ${name!.padEnd(6)} ${wrap(words!, 80, ' '.repeat(9)).trimStart()}`],
    ),
  ].join('\n')
}

/** `hindcast doctor LOG --fix --out FILE`: writes the repaired log and says what was done. Returns the exit code. */
async function fixLog(log: NamedLog, args: Arguments, context: Context): Promise<number> {
  const { terminal, signal } = context
  if (isWarehouseLog(log)) throw await onlyRead(log, args, context)
  const out = text(args, 'out')
  if (out === undefined)
    throw new HindcastError('bad-option', '--fix needs a file to write to.', {
      remedy: 'Name one with --out repaired.csv (or .ndjson, .parquet).',
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
    import('../node/warehouse/describe-warehouse.js'),
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
        ? 'No other values for its columns would repair it. To see what is wrong, leave out --fix.'
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
    ...(done.length === 0 ? ['There was nothing to repair.'] : done.map((sentence) => `  ${sentence}`)),
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
