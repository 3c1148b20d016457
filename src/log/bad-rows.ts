import { type Advice, advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { isMissing } from './cell.js'
import type { Column, FurtherColumn, KeyColumn, LabelColumn } from './columns.js'
import { type BrokenCell, reasonFor, remedyFor } from './rules.js'
import type { RawRow, RowSource } from './source.js'
import { type CellOf, computeValue, whyNoValue } from './values/compute-value.js'
import { originOf } from './values/origin.js'
import { scaleRemedy } from './values/propensity-scales.js'
import { happenedWord, outcomeWords } from './values/outcome-words.js'
import { comparisonText, namesIn, nameText } from './values/value.js'

/** How many bad cells an error shows. */
export const SHOWN = 20

/** One cell that breaks a rule, described so that a person can find it. */
export interface BadCell {
  readonly file: string
  /** 1-based line number in a text file, 1-based row number in a Parquet file. */
  readonly line: number
  /** What `line` counts, if the file is one of several that make the log. */
  readonly lineUnit?: 'line' | 'row'
  /** What identifies the row where lines mean nothing, in a table of a warehouse. */
  readonly named?: string
  /** The column's name in the file; undefined when the row as a whole cannot be read. */
  readonly column: string | undefined
  readonly value: string | undefined
  readonly reason: string
}

/** Rows that break the rules of the log. `cells` holds the first of them, `rows` counts them all. */
export class BadRowsError extends HindcastError {
  readonly cells: readonly BadCell[]
  readonly rows: number

  constructor(file: string, unit: string, cells: readonly BadCell[], rows: number, remedy: string | Advice) {
    const shown = cells.map((cell) => `  ${describeCell(cell, unit)}`)
    const more =
      rows > new Set(cells.map((cell) => `${cell.line} ${cell.file}`)).size
        ? [`  … and more; ${count(rows)} in all.`]
        : []
    super('bad-rows', [`${file}: ${count(rows)} cannot be used.`, ...shown, ...more].join('\n'), {
      remedy: advice`${remedy}\nOr leave such rows out with ${set('onBadRow', 'skip')}.`,
    })
    this.cells = cells
    this.rows = rows
  }
}

const count = (rows: number): string => (rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`)

function describeCell(cell: BadCell, unit: string): string {
  const place =
    cell.named ??
    (cell.lineUnit === undefined ? `${unit} ${cell.line}` : `${cell.file}, ${cell.lineUnit} ${cell.line}`)
  if (cell.column === undefined) return `${place}: ${cell.reason}`
  const value = cell.value === undefined ? '' : ` = ${JSON.stringify(shorten(cell.value))}`
  return `${place}, column ${cell.column}${value}: ${cell.reason}`
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 37)}…` : text)

/**
 * The file's name for each column of the log: `{ user: ['user_id'] }`; several names where several columns are combined,
 * and the text of a value where one is computed: `{ propensity: ['p / 100'] }`. `originOf` tells them apart.
 */
export type ColumnOrigins = Readonly<
  Partial<Record<Column | KeyColumn, readonly string[]>> &
    Record<LabelColumn | FurtherColumn, readonly string[]>
>

/** Looks up broken cells in the file: the line, value and reason of each. */
export async function tellBrokenCells(
  source: Pick<RowSource, 'name' | 'rawRows'>,
  origins: ColumnOrigins,
  cells: readonly BrokenCell[],
): Promise<{ cell: BadCell; raw: RawRow }[]> {
  const places = [...new Set(cells.map((cell) => cell.row))].toSorted((a, b) => a - b)
  const rows = await source.rawRows(places)
  const byPlace = new Map(places.map((place, k) => [place, rows[k]!]))
  return cells.map((cell) => {
    const raw = byPlace.get(cell.row)!
    const names = cell.column && origins[cell.column]
    return {
      raw,
      cell: {
        ...(raw.within ?? { file: source.name, line: raw.line }),
        ...(raw.named !== undefined && { named: raw.named }),
        column: names?.join('+') ?? cell.column,
        ...(cell.structure === undefined
          ? valueAndReason(cell.column!, names ?? [], raw)
          : { value: undefined, reason: cell.structure }),
      },
    }
  })
}

/** What a broken cell holds, or the cells that a broken value is computed from, and why it cannot be used. */
function valueAndReason(
  column: Column,
  names: readonly string[],
  { cells }: RawRow,
): Pick<BadCell, 'value' | 'reason'> {
  const [text = ''] = names
  const origin = names.length === 1 ? originOf(text, Object.keys(cells), column) : undefined
  if (origin?.kind !== 'value') {
    const value = names.length === 1 ? cells[text] : undefined
    return { value, reason: reasonFor(column, value) }
  }
  const cellOf: CellOf<RawRow['cells']> = (row, { name }) => row[name]
  const used = namesIn(origin.value).flatMap((name) =>
    cells[name] === undefined ? [] : [`${name} = ${cells[name]}`],
  )
  const computed = computeValue(origin.value, cellOf)(cells)
  return {
    value: used.length === 0 ? undefined : used.join(', '),
    reason:
      whyNoValue(origin.value, cells, cellOf) ??
      `is ${String(computed)}, but ${reasonFor(column, String(computed))}`,
  }
}

/** The error for rows that break the rules: lists the first of them and counts them all. */
export async function badRowsError(
  source: Pick<RowSource, 'name' | 'lineUnit' | 'rawRows'>,
  origins: ColumnOrigins,
  cells: readonly BrokenCell[],
  rows: number,
): Promise<BadRowsError> {
  const told = await tellBrokenCells(source, origins, cells.slice(0, SHOWN))
  return new BadRowsError(
    source.name,
    source.lineUnit,
    told.map(({ cell }) => cell),
    rows,
    remedyOf(
      cells[0]?.column,
      told.map(({ cell }) => cell),
      // A scale is that of every row, so the first rows are on it; a single one is a slip.
      cells.length > 1 && cells.slice(0, SHOWN).every(({ row }, k) => row === k),
    ),
  )
}

/** What to do about broken cells; of rewards and propensities, with the column's name, and by what it holds. */
function remedyOf(
  column: Column | undefined,
  cells: readonly BadCell[],
  isEveryRow: boolean,
): string | Advice {
  const name = cells[0]?.column
  const isWhole = cells.every((cell) => cell.column === name)
  if (name === undefined || !isWhole) return remedyFor(column)
  if (column === 'propensity' && isEveryRow) {
    const values = cells.map(({ value }) => value)
    return scaleRemedy(name, values) ?? remedyFor(column)
  }
  if (column !== 'reward') return remedyFor(column)
  const words = outcomeWords(cells.map(({ value }) => value))
  if (words) {
    const word = happenedWord(words)
    const example = set('columns', `reward=${comparisonText(name, word ?? words[0]!)}`)
    const held = words.map((one) => JSON.stringify(one)).join(', ')
    return word === undefined
      ? advice`The rewards are words (${held}). Say which of them counts as 1, for example ${example}; all others then count as 0.`
      : advice`The rewards are words (${held}). If ${JSON.stringify(word)} counts as 1 and all others as 0, use ${example}.`
  }
  return cells.every(({ value }) => isMissing(value))
    ? advice`Write 0 for an impression without a click, or read empty cells as 0 with ${set('columns', `reward=filled(${nameText(name)}, 0)`)}. Leave out impressions whose outcome is unknown.`
    : remedyFor(column)
}
