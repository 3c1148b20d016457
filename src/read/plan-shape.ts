import type { ColumnOrigins } from '../log/bad-rows.js'
import type { Container, TextContainer } from '../log/bytes/detect.js'
import type { ByteInput } from '../log/bytes/input.js'
import type { OpenParquet } from '../log/bytes/parquet-source.js'
import type { RowFilter } from '../log/bytes/row-filter.js'
import { textSource } from '../log/bytes/text-source.js'
import type { Wrap } from '../log/bytes/wraps.js'
import { findColumn } from '../log/layout.js'
import { mappableNames, type Offered, pageOrigins } from '../log/pages.js'
import type { RowSource } from '../log/source.js'
import { formatOf, planColumns, type ReadOptions } from './plan.js'

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
