import { given } from '../given.js'
import type { BadCell, ColumnOrigins } from '../log/bad-rows.js'
import type { Container, Header, TextContainer } from '../log/bytes/detect.js'
import type { BrokenCells, OnBadRow } from '../log/build.js'
import { canonical } from '../log/formats/canonical.js'
import type { Format } from '../log/formats/format.js'
import { formatNamed } from '../log/formats/index.js'
import { type ColumnMapping, findColumn, type FindName, resolveLayout } from '../log/layout.js'
import type { JoinOptions } from '../log/join/join-options.js'
import type { Log } from '../log/log.js'
import type { RawRow, RowSource } from '../log/source.js'
import type { ProgressListener } from '../progress.js'
import { bestNamed, commonlyNamed } from './synonyms.js'
import { missingPropensity } from '../propensity/choice.js'
import type { EstimatedPropensity, PropensityChoice } from '../propensity/stand-in.js'
import { listed } from '../listed.js'
import { CANONICAL_NAMES, type Column, REQUIRED_COLUMNS } from '../log/columns.js'
import type { ByteInput } from '../log/bytes/input.js'
import type { OpenParquet } from '../log/bytes/parquet-source.js'
import type { RowFilter } from '../log/bytes/shaped-rows.js'
import { textSource } from '../log/bytes/text-source.js'
import type { Wrap } from '../log/bytes/wraps.js'
import { mappableNames, type Offered, pageOrigins } from '../log/shape.js'

/** How to read a log. */
export interface ReadOptions {
  /** A known layout by name (default `canonical`). */
  format?: string
  /** Columns of the file for columns of the log; they take precedence over those of the format. */
  columns?: ColumnMapping
  /** Further columns of the file to keep as text labels, by their names in it; the log has them in `labels`. */
  labels?: readonly string[]
  /** Further columns of the file to keep as numbers, by their names in it; the log has them in `numbers`. */
  numbers?: readonly string[]
  /** Column names for a table without a header line; `first` takes them from its first line even if that holds numbers, `none` numbers the columns. */
  header?: Header
  /** How outcomes are joined to decisions, where those are in tables of their own. */
  join?: JoinOptions
  /** What stands in for propensities that were not logged, or in place of those that were. */
  propensity?: PropensityChoice
  /** Allows a log without propensities and without a stand-in, for uses that need none. */
  propensityOptional?: boolean
  /** The ids of all items that could have been shown, in addition to those that were. */
  catalogue?: readonly string[]
  /** Ratings of at least this much become a reward of 1, others 0; a format may have its own default. */
  clickFrom?: number
  /** `stop` (default): an error names the bad rows; `skip`: they are left out and counted; `keep`: for the doctor. */
  onBadRow?: OnBadRow
  /** Called with the bad rows that `skip` leaves out. */
  onSkipped?: (bad: { cell: BadCell; raw: RawRow }[]) => void | Promise<void>
  /** Gets a sentence about how the file is read, where that is not as usual. */
  onNote?: (note: string) => void
  progress?: ProgressListener
  signal?: AbortSignal
}

/** A log that was read, and how it was read. */
export interface ReadLog {
  readonly log: Log
  /** How its propensities were estimated, if they were. */
  readonly estimatedPropensity?: EstimatedPropensity
  readonly file: string
  readonly format: string
  /** Rows left out because they break a rule. */
  readonly skipped: number
  /** The columns of the file behind each column of the log. */
  readonly origins: ColumnOrigins
  /** The cells that break a rule, left out (`skip`) or kept (`keep`). */
  readonly broken: BrokenCells
  /** What `linesOf` counts. */
  readonly lineUnit: 'line' | 'row'
  /** The 1-based line numbers in the file (row numbers for Parquet) of rows of the log. */
  linesOf(rows: readonly number[], signal?: AbortSignal): Promise<number[]>
  /** Rows of the log as they appear in the file. */
  rawRows(rows: readonly number[], signal?: AbortSignal): Promise<RawRow[]>
  /** What identifies rows of the log where lines mean nothing: `key 17`, or `user 1, item 10`. */
  readonly namesOf?: (rows: readonly number[]) => readonly string[]
  /** Where the outcomes are, if rewards were joined from them: `linesOf` takes places in their file, from 0. */
  readonly outcomes?: Pick<ReadLog, 'file' | 'lineUnit' | 'linesOf'>
  /** The mapping of columns that was asked for. */
  readonly columns?: ColumnMapping
}

/** The format, by name or by default. */
export const formatOf = (options: ReadOptions): Format =>
  options.format === undefined ? canonical : formatNamed(options.format)

/** Finds the columns of the log in the file; a log without propensities needs a stand-in. */
export function planColumns(
  file: string,
  names: readonly string[],
  options: ReadOptions,
  { ignoreReward = false }: { readonly ignoreReward?: boolean } = {},
): ColumnOrigins {
  const format = formatOf(options)
  const origins = resolveLayout(file, names, {
    format,
    ...given({ columns: options.columns, labels: options.labels, numbers: options.numbers }),
    ignorePropensity: options.propensity !== undefined,
    ignoreReward,
    allowTwice: options.onBadRow === 'keep',
    ...(format === canonical && { otherwise: byCommonName(options) }),
    propose: bestNamed,
  })
  if (format === canonical) noteCommonNames(origins, options)
  const needsChoice =
    !origins.propensity && !options.propensity && !options.propensityOptional && !format.withoutPropensity
  if (needsChoice && options.onBadRow !== 'keep') throw missingPropensity(file, names)
  return origins
}

/** The rows of the file behind those of a log whose bad rows may have been left out. */
export async function rawRowsOf(
  source: RowSource,
  places: Uint32Array | undefined,
  rows: readonly number[],
  signal?: AbortSignal,
): Promise<RawRow[]> {
  const wanted = rows.map((row) => (places ? places[row]! : row))
  const ascending = [...new Set(wanted)].toSorted((a, b) => a - b)
  const raw = await source.rawRows(ascending, signal)
  const byPlace = new Map(ascending.map((place, k) => [place, raw[k]!]))
  return wanted.map((place) => byPlace.get(place)!)
}

/**
 * The columns that are found by other names too: those a log needs, and times where outcomes are joined. Of the others, a
 * wrong one would do more harm than none.
 */
const commonColumns = ({ join }: ReadOptions): readonly Column[] => [
  ...REQUIRED_COLUMNS,
  'propensity',
  ...(join ? (['time'] as const) : []),
]

/** Finds a column by another common name. */
const byCommonName =
  (options: ReadOptions): FindName =>
  (column, names) =>
    commonColumns(options).includes(column) ? commonlyNamed(column, names) : undefined

/** Says which columns were read by another name than the log's own, if nobody asked for them. */
function noteCommonNames(origins: ColumnOrigins, options: ReadOptions): void {
  const found = commonColumns(options).flatMap((column) => {
    const [name] = origins[column] ?? []
    const isOwn = name === CANONICAL_NAMES[column] || options.columns?.[column] !== undefined
    return name === undefined || isOwn ? [] : [{ name, column }]
  })
  const told = found.map(({ name, column }, k) => `${name} ${k === 0 ? 'is read ' : ''}as the ${column}`)
  if (told.length > 0) options.onNote?.(`Judging by names, ${listed(told, 'and')}.`)
}

/** What finds the columns of a file: those of a log, of decisions alone, or of outcomes. */
export type Planner = (file: string, offered: Offered, options: ReadOptions) => ColumnOrigins

/** Finds the columns of the log in a file whose cells may hold more than one value: by name, by path, as lists. */
export function planShape(file: string, offered: Offered, options: ReadOptions): ColumnOrigins {
  return pageOrigins(file, planColumns(file, mappableNames(offered, namesAsked(options)), options), offered)
}

/** The names in a mapping, of labels, and of the format. */
export function namesAsked(options: ReadOptions): string[] {
  const sources = Object.values(formatOf(options).columns).flatMap((source) =>
    typeof source === 'string' ? [source] : 'anyOf' in source ? source.anyOf : source.joined,
  )
  return [...Object.values(options.columns ?? {}), ...(options.labels ?? []), ...sources]
}

/**
 * Whether the columns of text of a Parquet file must be looked into: a mapping asks for a path that its schema does not
 * have, or for rewards that are texts, which may be lists.
 */
function needsTexts(
  { columns, shape, textColumns }: Pick<OpenParquet, 'columns' | 'shape' | 'textColumns'>,
  options: ReadOptions,
): boolean {
  const { decision, outcomeColumns } = options.join ?? {}
  const asked = [
    ...Object.values(options.columns ?? {}),
    ...(options.labels ?? []),
    ...(decision === undefined ? [] : [decision]),
    ...Object.values(outcomeColumns ?? {}),
  ]
  const known = mappableNames({ names: columns, shape }, asked)
  const reward = options.columns?.reward ?? findColumn(columns, formatOf(options).columns.reward)?.[0]
  return asked.some((name) => !known.includes(name)) || textColumns.has(reward ?? '')
}

/** Opens a Parquet file, and its texts where the names that are asked for lead into them. */
export async function openNamed(
  input: ByteInput,
  options: ReadOptions,
  wraps: readonly Wrap[] = [],
): Promise<OpenParquet> {
  // Half of the core's size: a web page loads it with the first Parquet file.
  const { openParquet, openTexts } = await import('../log/bytes/parquet-source.js')
  const opened = await openParquet(input, wraps)
  return needsTexts(opened, options) ? openTexts(opened) : opened
}

/** A file whose columns are known. */
export interface PlannedFile {
  readonly input: ByteInput
  readonly container: Container
  /** The footer of a Parquet file. */
  readonly parquet: OpenParquet | undefined
  readonly origins: ColumnOrigins
  /** Which of its records are read, if not all. */
  readonly filter?: RowFilter | undefined
}

/** The rows of a file, read from its bytes. */
export async function rowsOf({
  input,
  container,
  parquet,
  origins,
  filter,
}: PlannedFile): Promise<RowSource> {
  if (!parquet) return textSource(input, container as TextContainer, origins, filter)
  const { parquetSource } = await import('../log/bytes/parquet-source.js')
  return parquetSource(parquet, origins, filter)
}
