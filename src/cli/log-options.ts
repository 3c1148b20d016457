import { HindcastError } from '../error.js'
import { given } from '../given.js'
import type { Header } from '../log/bytes/detect.js'
import type { Column } from '../log/columns.js'
import { withFeatures } from '../log/contexts.js'
import { quarantineCsv, quarantineNdjson } from '../log/write/text.js'
import { canonical } from '../log/formats/canonical.js'
import { FORMATS, formatNamed } from '../log/formats/index.js'
import { parseColumnMapping } from '../log/layout.js'
import { parsePropensityChoice } from '../propensity/choice.js'
import { explained, type PropensityChoice } from '../propensity/stand-in.js'
import { PROPENSITIES } from '../propensity/choices.js'
import { notationWords } from '../log/values/value.js'
import { recognisedNotations } from '../read/notations.js'
import type { ReadLog, ReadOptions } from '../read/plan.js'
import { type Arguments, type ChoiceList, choiceList, type Context, type Option } from './command.js'
import { isWarehouseLog } from '../node/warehouse/warehouse-log.js'
import { formatCount } from '../number-text.js'
import { estimateText } from '../words/propensity-text.js'
import { wrap } from './format.js'
import { JOIN_OPTIONS, joinOptions, type NamedLog } from './join-options.js'
import { number, text } from './parse.js'
import type { ReadFileOptions } from '../node/read-log.js'
import type { Terminal } from './terminal.js'
import { progressLine } from './progress-line.js'
import { connectOptions, needsRows } from './warehouse-options.js'

/** The options of every command that reads a log. */
export const LOG_OPTIONS: Readonly<Record<string, Option>> = {
  format: {
    value: 'NAME',
    get help() {
      return `layout of the log: ${FORMATS.names.join(', ')}`
    },
  },
  columns: {
    value: 'MAP',
    help: 'columns of any other table, or values computed from them: "user=uid,item=sku,reward=rating >= 4,propensity=p / 100"',
  },
  header: {
    value: 'NAMES',
    help: 'column names of a table without a header line, comma-separated; first: the first line has them, even if they are numbers; none: columns are called column_1, column_2 …',
  },
  glob: {
    help: 'LOG is a pattern (*, ?, [abc]): read all files that match it as one log, in the order of their names',
  },
  ...JOIN_OPTIONS,
  propensity: {
    value: 'CHOICE',
    get help() {
      return `propensities, if none were logged: ${PROPENSITIES.all.map(({ typed }) => typed).join(', ')}`
    },
  },
  'propensity-floor': {
    value: 'P',
    help: 'raise estimated propensities below P to P, and report how many (no floor)',
  },
  'click-from': { value: 'N', help: 'count a rating of at least N as a click (movielens: 4)' },
  catalogue: {
    value: 'FILE',
    help: 'all item ids, one per line or as a table with the item column, to include items never shown',
  },
  'on-bad-row': {
    value: 'WHAT',
    help: 'stop (default), skip, or quarantine:FILE to save bad rows to a file',
    writes: (typed) => quarantineFile(typed) ?? [],
  },
}

/** The option of commands that know rows by their features. */
export const FEATURES_OPTION: Readonly<Record<string, Option>> = {
  features: {
    value: 'NAMES',
    help: 'columns of numbers that were known when each item was chosen, comma-separated, for policies over features: to train one by --objective, or to evaluate it',
  },
}

/** The features that the user named. */
export function featuresAsked(args: Arguments): string[] | undefined {
  const typed = text(args, 'features')
  if (typed === undefined) return undefined
  const names = typed.split(',').map((name) => name.trim())
  if (names.some((name) => name === '') || new Set(names).size < names.length)
    throw new HindcastError('bad-option', `--features does not accept ${JSON.stringify(typed)}.`, {
      remedy: 'Give names of columns, each once, separated by commas: --features age,hour.',
    })
  return names
}

/** The choices for reading a log, with their meanings. */
export const LOG_LISTS: readonly ChoiceList[] = [
  choiceList('Layouts (--format)', FORMATS),
  {
    heading: 'If no propensities were logged (--propensity)',
    rows: () => PROPENSITIES.all.map((one) => [one.typed, explained(one)]),
  },
]

/** The help's paragraph about LOG. */
export const LOG_NOTE =
  'LOG is a CSV, TSV, JSON or Parquet file, a folder of the parts of one, or - for standard input, also compressed with gzip or zstd. To see what a file holds and what to type, use hindcast preview LOG. Its columns are user_id, item_id, reward, propensity and optionally target_prob, slate_id, position, timestamp, cluster, weight. Rewards may also be separate events, joined by an id such as impression_id: --decisions A --outcomes B, or --events FILE --kind. For other names, use --format or --columns. A value in --columns is made of numbers, columns (in double quotes if their names have spaces or signs), + - * /, comparisons, exp, log, min, max and parentheses; comma(p) reads 0,25 and percent(p) reads 3.2 %.'

/** How the user wants a log to be read, except for bad rows. */
export async function readingOptions(
  args: Arguments,
  { terminal, signal }: Context,
): Promise<Omit<ReadFileOptions, 'onBadRow' | 'onSkipped'>> {
  const layout = layoutOptions(args)
  const propensity = await readPropensityChoice(args, layout, signal)
  const catalogue = text(args, 'catalogue')
  return {
    ...layout,
    ...(propensity && { propensity }),
    ...(catalogue !== undefined && { catalogue: await readNamedCatalogue(catalogue, layout) }),
    ...(args.values['glob'] === true && { glob: true }),
    onNote: noteOnce(terminal),
    progress: progressLine(terminal),
    signal,
  }
}

const noted = new WeakMap<Terminal, Set<string>>()

/** Shows each note about reading once, however often a command opens the log. */
function noteOnce(terminal: Terminal): (note: string) => void {
  const before = noted.get(terminal) ?? new Set()
  noted.set(terminal, before)
  return (note) => {
    if (!before.has(note)) terminal.note(wrap(note))
    before.add(note)
  }
}

type LayoutOptions = Pick<ReadOptions, 'format' | 'columns' | 'header' | 'clickFrom' | 'join'>

/** How the log is laid out, as typed. */
export function layoutOptions(args: Arguments): LayoutOptions {
  const { join, columns } = joinOptions(args)
  const header = text(args, 'header')
  return given({
    format: text(args, 'format'),
    columns: columns === undefined ? undefined : parseColumnMapping(columns),
    join,
    header: header === undefined ? undefined : parseHeader(header),
    clickFrom: number(args, 'click-from'),
  })
}

/** `first`, `none`, or names separated by commas. */
export const parseHeader = (typed: string): Header =>
  typed === 'first' || typed === 'none' ? typed : typed.split(',').map((name) => name.trim())

/** What replaces missing propensities. The random slice for naive Bayes has the layout of the log. */
async function readPropensityChoice(
  args: Arguments,
  layout: LayoutOptions,
  signal: AbortSignal,
): Promise<PropensityChoice | undefined> {
  const typed = text(args, 'propensity')
  const floor = number(args, 'propensity-floor')
  if (typed === undefined && floor !== undefined)
    throw new HindcastError('bad-option', '--propensity-floor needs estimated propensities.', {
      remedy: 'Choose how to estimate them, for example --propensity popularity.',
    })
  const choice = typed === undefined ? undefined : parsePropensityChoice(typed, floor)
  if (!choice || !('slice' in choice)) return choice
  const { readLogFile } = await import('../node/read-log.js')
  // The slice need not have columns that only the log needs, such as that of a target.
  const columns = Object.fromEntries(
    Object.entries(layout.columns ?? {}).filter(([column]) => SLICE_COLUMNS.has(column)),
  )
  const read = await readLogFile(choice.slice, { ...layout, columns, propensity: { kind: 'none' }, signal })
  return { ...choice, slice: read.log }
}

const SLICE_COLUMNS: ReadonlySet<string> = new Set<Column>(['user', 'item', 'reward', 'weight'])

/** Reads the log that the user named, shows progress, and notes skipped rows and estimated propensities. */
export async function readNamedLog(
  log: NamedLog,
  args: Arguments,
  context: Context,
  {
    notesEstimate = true,
    ...extra
  }: Pick<ReadFileOptions, 'labels' | 'numbers' | 'onBadRow' | 'propensityOptional' | 'onCounted'> & {
    notesEstimate?: boolean
  } = {},
): Promise<ReadLog> {
  // Rows leave a warehouse only for commands that say what that takes.
  if (isWarehouseLog(log) && !extra.onCounted) throw needsRows()
  const { readLogFile } = await import('../node/read-log.js')
  const { terminal } = context
  const features = featuresAsked(args)
  const found = await readLogFile(log, {
    ...(await namedReading(log, args, context)),
    ...extra,
    ...(features && { numbers: [...new Set([...(extra.numbers ?? []), ...features])] }),
  })
  const read = features ? { ...found, log: withFeatures(found.log, features) } : found
  terminal.status('')
  // The doctor reports them itself.
  if (extra.onBadRow !== 'keep')
    for (const { name, value, ...notation } of recognisedNotations(read.origins, read.columns))
      terminal.note(wrap(`${name} is written with ${notationWords(notation)}; it is read as ${value}.`))
  if (read.skipped > 0) {
    const handling = parseOnBadRow(text(args, 'on-bad-row'))
    const kept = handling.quarantine === undefined ? '' : `; see ${handling.quarantine}`
    terminal.note(
      `Skipped ${formatCount(read.skipped)} bad ${read.skipped === 1 ? 'row' : 'rows'} of ${formatCount(read.skipped + read.log.rows)}${kept}.`,
    )
  }
  if (read.estimatedPropensity && notesEstimate) terminal.note(wrap(estimateText(read.estimatedPropensity)))
  return read
}

/** How the log that the user named is to be read, bad rows and connections included. */
export async function namedReading(
  log: NamedLog,
  args: Arguments,
  context: Context,
): Promise<ReadFileOptions> {
  const { onBadRow, quarantine } = parseOnBadRow(text(args, 'on-bad-row'))
  return {
    ...(await readingOptions(args, context)),
    onBadRow,
    ...(quarantine !== undefined && { onSkipped: quarantineTo(quarantine, context.signal) }),
    ...(isWarehouseLog(log) && (await connectOptions(args))),
  }
}

function parseOnBadRow(typed: string | undefined): { onBadRow: 'stop' | 'skip'; quarantine?: string } {
  if (typed === undefined || typed === 'stop') return { onBadRow: 'stop' }
  if (typed === 'skip') return { onBadRow: 'skip' }
  const [quarantine] = quarantineFile(typed) ?? []
  if (quarantine !== undefined) return { onBadRow: 'skip', quarantine }
  throw new HindcastError('bad-option', `--on-bad-row does not accept ${JSON.stringify(typed)}.`, {
    remedy: 'Choose stop, skip or quarantine:FILE.',
  })
}

/** The file that bad rows go to, if they are kept. */
const quarantineFile = (typed: string): string[] | undefined => /^quarantine:(.+)$/.exec(typed)?.slice(1)

function quarantineTo(path: string, signal: AbortSignal): NonNullable<ReadOptions['onSkipped']> {
  return async (rows) => {
    const { writeAtomically } = await import('../node/write-atomically.js')
    const asText = /\.(ndjson|jsonl)$/.test(path) ? quarantineNdjson : quarantineCsv
    await writeAtomically(path, asText(rows), signal)
  }
}

/** The item column of the catalogue has the same name as that of the log. */
async function readNamedCatalogue(path: string, { format, columns }: LayoutOptions): Promise<string[]> {
  const { readCatalogue } = await import('../node/read-catalogue.js')
  const names = [columns?.item, formatNamed(format ?? canonical.name).columns.item, 'item_id']
  return readCatalogue(
    path,
    names.filter((name) => typeof name === 'string'),
  )
}
