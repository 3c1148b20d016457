import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { looksLikeAddress } from '../node/warehouse/address.js'
import type { Command } from './command.js'
import { jsonOption, tell } from './outputs.js'
import { LOG_LISTS, LOG_OPTIONS, parseHeader } from './log-options.js'
import { number, onlyPositional, text } from './parse.js'
import { commandLine } from '../commands/command-line.js'
import { kindsText } from '../log/join/join-options.js'
import { type ColumnMapping, mappingText } from '../log/layout.js'
import { wrapLabel } from '../log/bytes/wraps.js'
import { describeCommandOf } from '../commands/log-choices.js'
import { counted, formatCount } from '../number-text.js'
import type { EventsGuess } from '../read/guess-events.js'
import type { Preview } from '../read/preview.js'
import { columns, cut, GAP, WIDTH, wrap } from './format.js'
import type { Terminal } from './terminal.js'

export const preview: Command = {
  name: 'preview',
  usage: 'preview LOG [options]',
  about:
    'Shows the first rows of a file as they are, what kind of file it is, its columns and the paths into them, which columns of a log they seem to be, and what you still have to say.',
  options: {
    rows: { value: 'N', help: 'how many rows to show (5)' },
    format: LOG_OPTIONS.format!,
    header: LOG_OPTIONS.header!,
    ...jsonOption('all of it'),
  },
  examples: [
    ['hindcast preview clicks.ndjson', 'what is in this file?'],
    ['hindcast preview clicks.parquet --rows 20 --json -', 'more rows, for a program'],
    ['zcat log.csv.gz | hindcast preview - --header none', 'a table without a header line, from a pipe'],
  ],
  lists: LOG_LISTS.slice(0, 1),
  async run(args, context) {
    const { previewLogFile } = await import('../node/preview-file.js')
    const header = text(args, 'header')
    const log = onlyPositional(args, 'preview', 'a log')
    if (looksLikeAddress(log))
      throw new HindcastError('bad-option', 'hindcast preview shows files, and this is an address.', {
        remedy: `For a table of a warehouse: hindcast describe ${log} --table shop.impressions`,
      })
    const seen = await previewLogFile(log, {
      ...given({
        format: text(args, 'format'),
        header: header === undefined ? undefined : parseHeader(header),
        rows: number(args, 'rows'),
      }),
      signal: context.signal,
    })
    await tell(seen, () => previewText(seen, log, context.terminal), args, context)
    return 0
  },
}

const KINDS = { csv: 'text table', ndjson: 'NDJSON', parquet: 'Parquet', records: 'text records' } as const
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  '\t': 'tabs',
  ';': 'semicolons',
  '|': 'bars',
  '::': 'double colons',
}
const WHY = { name: 'by its name', synonym: 'by a common name', values: 'by its values' } as const
/** The widest column of raw rows. */
const WIDEST = 24

/** A preview for a terminal of 80 columns. */
export function previewText(preview: Preview, log: string, terminal: Terminal): string {
  const heading = (words: string): string => terminal.style('bold', words)
  return [
    heading(preview.file),
    wrap(aboutFile(preview)),
    ...preview.notes.map((note) => wrap(note)),
    '',
    heading('First rows, as they are in the file'),
    rawTable(preview.raw),
    '',
    heading('Columns and paths, with their first values'),
    columns(preview.columns.map((column) => [cut(column.name, 32), columnText(column)])),
    '',
    heading('As a log'),
    columns([
      ...preview.guesses.map(({ column, names, why, sureness }): [string, string] => [
        column,
        `${names.join(' + ')} (${WHY[why]}${sureness === 'unsure' ? ': please check' : ''})`,
      ]),
      ...preview.missing
        .filter(({ column }) => !preview.events || column !== 'reward')
        .map(({ column, remedy }): [string, string] => [column, `? ${remedy}`]),
    ]),
    ...(preview.events ? eventsCommand(preview, preview.events, log) : commandFor(preview, log)),
  ].join('\n')
}

function aboutFile({ container, bytes, rows, totalRows, format }: Preview): string {
  const { kind, delimiter, wraps, header } = container
  const separated = delimiter === undefined ? '' : `, separated by ${DELIMITERS[delimiter] ?? delimiter}`
  const size =
    totalRows === undefined
      ? counted(bytes, 'byte')
      : `${counted(bytes, 'byte')}, ${counted(totalRows, 'row')}`
  const named = kind === 'csv' && !header ? ', without a header line' : ''
  return `${KINDS[kind]}${separated}${wraps.map((wrap) => `, ${wrapLabel(wrap)}`).join('')}${named}: ${size}. The first ${formatCount(rows)} ${rows === 1 ? 'row was' : 'rows were'} examined. ${format.why}`
}

/** As many columns as fit, and how many there are besides. */
function rawTable({ columns: names, rows }: Preview['raw']): string {
  const cells = names.map((name, k) =>
    [name, ...rows.map((row) => row[k] ?? '')].map((cell) => cut(cell, WIDEST)),
  )
  const widths = cells.map((column) => Math.max(...column.map((cell) => cell.length)))
  let [shown, width] = [0, 0]
  while (shown < names.length && (shown === 0 || width + GAP.length + widths[shown]! <= WIDTH))
    width += GAP.length + widths[shown++]!
  const lines = ['', ...rows].map((_, line) =>
    cells
      .slice(0, shown)
      .map((column, k) => `${GAP}${column[line]!.padEnd(widths[k]!)}`)
      .join('')
      .trimEnd(),
  )
  const more = names.length - shown
  return [...lines, ...(more > 0 ? [`${GAP}… and ${counted(more, 'more column')}`] : [])].join('\n')
}

function columnText({ content, samples, isList }: Preview['columns'][number]): string {
  const holds = `${isList ? 'lists of ' : ''}${content.replaceAll('-', ' ')}`
  return samples.length === 0 ? holds : `${holds}: ${samples.map((sample) => cut(sample, 20)).join(', ')}`
}

/** The command that reads the file as guessed, once nothing but propensities is missing. */
function commandFor({ guesses, missing, options }: Preview, log: string): string[] {
  if (missing.some(({ column }) => column !== 'propensity')) return []
  // Of several columns of probabilities, the likeliest is shown.
  const likeliest = missing[0]?.candidates[0]
  const mapped = Object.fromEntries([
    ...guesses.flatMap(({ column, names, why }) => (why === 'name' ? [] : [[column, names[0]!]])),
    ...(likeliest === undefined ? [] : [['propensity', likeliest]]),
  ]) as ColumnMapping
  const words = describeCommandOf({ log: { file: log, ...options, columns: mapped } })
  const needs = missing.length > 0 && likeliest === undefined ? ' --propensity CHOICE' : ''
  const condition = likeliest === undefined ? '' : `, if ${likeliest} holds the propensities`
  return ['', wrap(`To read it like this${condition}:`), `${GAP}${commandLine(words)}${needs}`]
}

/** The command that joins the events of a file. */
function eventsCommand({ options }: Preview, events: EventsGuess, log: string): string[] {
  const { kinds, decision, outcome, columns: mapped } = events
  const command = [
    'describe',
    '--events',
    log,
    '--kind',
    kindsText(kinds),
    ...(options.format === 'canonical' ? [] : ['--format', options.format!]),
    '--columns',
    mappingText({ ...mapped, decision }),
    '--outcome-columns',
    mappingText({ decision: outcome }),
  ]
  const needs = mapped.propensity === undefined ? ' --propensity CHOICE' : ''
  const told = `The rows are events of several kinds (column ${kinds.column}): outcomes name their decisions by ${outcome}. To join them, so that the outcomes give the rewards:`
  return ['', wrap(told), `${GAP}${commandLine(command)}${needs}`]
}
