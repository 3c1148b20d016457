import { COLUMNS, isLabelColumn } from '$core/log/columns.js'
import type { Labels } from '$core/log/labels.js'
import { previewLog } from '$core/read/preview.js'
import { blobInput } from '$core/log/bytes/input.js'
import type { ReadLog } from '$core/read/plan.js'
import type { LogFiles, Reading } from './log-source.js'

/** The columns of a file that rows can be divided by, and those that are left out, each with the reason. */
export interface KeptLabels {
  readonly names: readonly string[]
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
}

/** A column with more values than this in the first rows would divide them too finely. */
const MOST_VALUES = 50
/** One with more than this in all rows is not kept. */
const MOST_IN_ALL = 1000
/** So many columns are kept at most: each takes four bytes per row. */
const MOST_COLUMNS = 8
const FIRST_ROWS = 1000

/** None, and none left out. */
export const NO_LABELS: KeptLabels = { names: [], leftOut: [] }
const TOO_MANY_VALUES = `more than ${MOST_VALUES} different values in the first rows`
const TOO_MANY_COLUMNS = `only the first ${MOST_COLUMNS} columns with few values are kept`

/** The columns to keep, from the first rows of a file: those with few values that the log does not use anyway. */
export async function labelsToKeep({
  file,
  outcomes,
  reading,
}: LogFiles & { reading: Reading }): Promise<KeptLabels> {
  // Mended rows have the columns of a log alone; in one file of two kinds of events, rows mean different things.
  if (reading.mended || (outcomes && 'kinds' in outcomes)) return NO_LABELS
  const { format, header, columns } = reading
  const preview = await previewLog(blobInput(file.name, file), {
    ...(format !== undefined && { format }),
    ...(header !== undefined && { header }),
    rows: FIRST_ROWS,
  })
  if (preview.container.kind === 'records') return NO_LABELS
  const { raw } = preview
  // A cell that holds a list or an object is no label.
  const composed = preview.columns.flatMap(({ name, isList, isNested }) =>
    isNested ? [name.split('.')[0]!] : isList ? [name] : [],
  )
  const used = new Set([
    ...preview.guesses.flatMap(({ names }) => names),
    ...Object.values(columns ?? {}),
    ...composed,
  ])
  const free = raw.columns.flatMap((name, place) =>
    used.has(name) || !isTypeable(name) || raw.columns.indexOf(name) !== raw.columns.lastIndexOf(name)
      ? []
      : [{ name, values: new Set(raw.rows.map((row) => row[place])).size }],
  )
  const divided = free.filter(({ values }) => values > 1)
  const few = divided.filter(({ values }) => values <= MOST_VALUES)
  return {
    names: few.slice(0, MOST_COLUMNS).map(({ name }) => name),
    leftOut: [
      ...divided
        .filter(({ values }) => values > MOST_VALUES)
        .map(({ name }) => ({ name, why: TOO_MANY_VALUES })),
      ...few.slice(MOST_COLUMNS).map(({ name }) => ({ name, why: TOO_MANY_COLUMNS })),
    ],
  }
}

/** Spaces at either end would not survive the command line. */
const isTypeable = (name: string): boolean => name !== '' && name === name.trim()

/** The log with the labels that can be asked for: without columns that the log uses, and those that have too many values after all. */
export function withKeptLabels(
  { log, origins }: Pick<ReadLog, 'log' | 'origins'>,
  { names, leftOut }: KeptLabels,
): { readonly log: ReadLog['log']; readonly origins: ReadLog['origins']; readonly kept: KeptLabels } {
  const { labels = {}, ...rest } = log
  const used = new Set(COLUMNS.flatMap((column) => origins[column] ?? []))
  const known = names.filter((name) => Object.hasOwn(labels, name) && !used.has(name))
  const isSmall = (name: string): boolean => labels[name]!.ids.length <= MOST_IN_ALL
  const small = known.filter(isSmall)
  const few: Readonly<Record<string, Labels>> = Object.fromEntries(small.map((name) => [name, labels[name]!]))
  return {
    log: small.length === 0 ? rest : { ...rest, labels: few },
    origins: Object.fromEntries(Object.entries(origins).filter(([column]) => !isLabelColumn(column))),
    kept: {
      names: small,
      leftOut: [
        ...leftOut.filter(({ name }) => !used.has(name)),
        ...known
          .filter((name) => !isSmall(name))
          .map((name) => ({ name, why: `more than ${MOST_IN_ALL} different values` })),
      ],
    },
  }
}
