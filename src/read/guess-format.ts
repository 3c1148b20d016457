import type { Cell } from '../log/cell.js'
import { cellNumber } from '../log/cell.js'
import { REQUIRED_COLUMNS } from '../log/columns.js'
import { canonical } from '../log/formats/canonical.js'
import type { Format } from '../log/formats/format.js'
import { FORMATS } from '../log/formats/index.js'
import { findColumn } from '../log/layout.js'
import { RULES } from '../log/rules.js'
import { contentOf } from './synonyms.js'
import type { Sureness } from './guess-columns.js'

/** The layout a file seems to have. */
export interface FormatGuess {
  readonly format: Format
  readonly sureness: Sureness
  /** Why, as a sentence. */
  readonly why: string
}

/** The format that recognises the most of these column names; `canonical` if none does. */
export function formatOfNames(names: readonly string[]): FormatGuess {
  const found = FORMATS.all
    .filter(({ textReader, isGuessed = true }) => !textReader && isGuessed)
    .flatMap((format) => {
      const columns = Object.values(format.columns).flatMap((source) => findColumn(names, source) ?? [])
      const isWhole = REQUIRED_COLUMNS.every((column) => findColumn(names, format.columns[column]))
      return isWhole ? [{ format, columns }] : []
    })
  const [best] = found.toSorted((a, b) => b.columns.length - a.columns.length)
  if (!best)
    return {
      format: canonical,
      sureness: 'unsure',
      why: 'No known layout has these columns, so each is guessed.',
    }
  return {
    format: best.format,
    sureness: 'sure',
    why: `It has the columns of the ${best.format.name} layout: ${best.columns.join(', ')}.`,
  }
}

/** The format of a text that is not a table, if one can read at least half of its first records. */
export function formatOfRecords(text: string, isWhole: boolean): FormatGuess | undefined {
  for (const format of FORMATS.all) {
    const reader = format.textReader?.()
    if (!reader) continue
    const propensity = reader.names.indexOf(String(format.columns.propensity))
    let [good, all] = [0, 0]
    const visit = (_line: number, cells: readonly Cell[], broken?: string): void => {
      all++
      // A table may look like records by chance, but will hardly have a probability in the right place.
      if (broken === undefined && isPropensity(cells[propensity])) good++
    }
    reader.push(text, visit)
    if (isWhole) reader.end(visit)
    if (good > 0 && 2 * good >= all)
      return { format, sureness: 'sure', why: `Its first records are ${format.name} events.` }
  }
  return undefined
}

function isPropensity(cell: Cell): boolean {
  const value = cellNumber(cell)
  return value >= RULES.propensity.least && value <= RULES.propensity.most
}

const FEWEST_RATED = 3
const HIGHEST_RATING = 5

/**
 * The format of a table of numbers without a header line: ratings if each row holds a user, an
 * item, a rating in half steps up to 5 and perhaps a time.
 */
export function formatOfNumbers(rows: readonly (readonly Cell[])[]): FormatGuess | undefined {
  const width = rows[0]?.length ?? 0
  const ratings = FORMATS.all.find(
    ({ headerless, clickFrom }) => headerless !== undefined && clickFrom !== undefined,
  )
  if (!ratings || width < FEWEST_RATED || width > ratings.headerless!.length) return undefined
  const columns = Array.from({ length: width }, (_, k) => rows.map((row) => row[k]))
  const [users, items, rated, times] = columns as [Cell[], Cell[], Cell[], Cell[]?]
  const values = rated.map(cellNumber)
  const fits =
    [users, items].every((cells) => cells.every((cell) => Number.isInteger(cellNumber(cell)))) &&
    values.every((value) => value > 0 && value <= HIGHEST_RATING && Number.isInteger(2 * value)) &&
    values.some((value) => value > 1) &&
    (times === undefined || contentOf(times) === 'times')
  if (!fits) return undefined
  return {
    format: ratings,
    sureness: 'likely',
    why: `It has no header line, and its rows look like ratings of the ${ratings.name} layout.`,
  }
}
