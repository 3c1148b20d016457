import { HindcastError } from '../error.js'
import { quarantineCsv, quarantineNdjson } from '../log/write/quarantine.js'
import { parseColumnMapping } from '../log/layout.js'
import { parsePropensityChoice } from '../propensity/choice.js'
import type { ReadLog, ReadOptions } from '../read/plan.js'
import type { Arguments, Context, Option } from './command.js'
import { formatCount } from '../number-text.js'
import { number, text } from './parse.js'
import { progressLine } from './progress-line.js'

/** The options of every command that reads a log. */
export const LOG_OPTIONS: Readonly<Record<string, Option>> = {
  format: {
    type: 'string',
    value: 'NAME',
    help: 'layout: canonical, obd, vw-dsjson, vw-cb, movielens, kuairand',
  },
  columns: {
    type: 'string',
    value: 'MAP',
    help: 'columns of any other table: user=uid,item=sku,reward=clicked,propensity=p',
  },
  header: { type: 'string', value: 'NAMES', help: 'names of the columns of a table without a header line' },
  propensity: {
    type: 'string',
    value: 'CHOICE',
    help: 'when none were logged: none, uniform, constant:P or popularity[:POWER]',
  },
  'click-from': { type: 'string', value: 'N', help: 'a rating of at least N is a click (movielens: 4)' },
  catalogue: {
    type: 'string',
    value: 'FILE',
    help: 'ids of all items, one a line or a table with the item column, to count those never shown',
  },
  'on-bad-row': {
    type: 'string',
    value: 'WHAT',
    help: 'stop (default), skip, or quarantine:FILE to keep them aside',
  },
}

/** What help texts say about LOG. */
export const LOG_NOTE =
  'LOG is a CSV, TSV, NDJSON or Parquet file, gzip too, or - for standard input. Its columns are user_id, item_id, reward, propensity and optionally target_prob, slate_id, position, timestamp, cluster, weight; --format and --columns name others.'

/** How the user wants a log to be read, bad rows aside. */
export async function readingOptions(
  args: Arguments,
  { terminal, signal }: Context,
): Promise<Omit<ReadOptions, 'onBadRow' | 'onSkipped'>> {
  const columns = text(args, 'columns')
  const propensity = text(args, 'propensity')
  const clickFrom = number(args, 'click-from')
  const format = text(args, 'format')
  const catalogue = text(args, 'catalogue')
  const header = text(args, 'header')
  return {
    ...(format !== undefined && { format }),
    ...(columns !== undefined && { columns: parseColumnMapping(columns) }),
    ...(header !== undefined && { header: header.split(',').map((name) => name.trim()) }),
    ...(propensity !== undefined && { propensity: parsePropensityChoice(propensity) }),
    ...(clickFrom !== undefined && { clickFrom }),
    ...(catalogue !== undefined && { catalogue: await readNamedCatalogue(catalogue, format, columns) }),
    progress: progressLine(terminal),
    signal,
  }
}

/** Reads the log that the user named, shows progress, and says what was left out. */
export async function readNamedLog(
  log: string,
  args: Arguments,
  context: Context,
  extra: Pick<ReadOptions, 'onBadRow'> = {},
): Promise<ReadLog> {
  const { readLogFile } = await import('../node/read-log.js')
  const { terminal, signal } = context
  const handling = parseOnBadRow(text(args, 'on-bad-row'))
  const read = await readLogFile(log, {
    ...(await readingOptions(args, context)),
    onBadRow: handling.onBadRow,
    ...(handling.quarantine !== undefined && { onSkipped: quarantineTo(handling.quarantine, signal) }),
    ...extra,
  })
  terminal.status('')
  if (read.skipped > 0) {
    const kept = handling.quarantine === undefined ? '' : `; they are in ${handling.quarantine}`
    terminal.note(
      `Left out ${formatCount(read.skipped)} bad ${read.skipped === 1 ? 'row' : 'rows'} of ${formatCount(read.skipped + read.log.rows)}${kept}.`,
    )
  }
  return read
}

function parseOnBadRow(typed: string | undefined): { onBadRow: 'stop' | 'skip'; quarantine?: string } {
  if (typed === undefined || typed === 'stop') return { onBadRow: 'stop' }
  if (typed === 'skip') return { onBadRow: 'skip' }
  const quarantine = /^quarantine:(.+)$/.exec(typed)?.[1]
  if (quarantine !== undefined) return { onBadRow: 'skip', quarantine }
  throw new HindcastError('bad-option', `--on-bad-row ${typed} is not a choice.`, {
    remedy: 'Choose stop, skip or quarantine:FILE.',
  })
}

function quarantineTo(path: string, signal: AbortSignal): NonNullable<ReadOptions['onSkipped']> {
  return async (rows) => {
    const { writeAtomically } = await import('../node/write-atomically.js')
    const asText = /\.(ndjson|jsonl)$/.test(path) ? quarantineNdjson : quarantineCsv
    await writeAtomically(path, asText(rows), signal)
  }
}

/** The item column of the catalogue is called as that of the log is. */
async function readNamedCatalogue(
  path: string,
  format: string | undefined,
  columns: string | undefined,
): Promise<string[]> {
  const { readCatalogue } = await import('../node/read-catalogue.js')
  const { formatNamed } = await import('../log/formats/index.js')
  const names = [
    columns && parseColumnMapping(columns).item,
    formatNamed(format ?? 'canonical').columns.item,
    'item_id',
  ]
  return readCatalogue(
    path,
    names.filter((name) => typeof name === 'string'),
  )
}
