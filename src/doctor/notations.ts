import { advice, set } from '../advice.js'
import { NUMBER_COLUMNS, type NumberColumn } from '../log/columns.js'
import type { BrokenCells } from '../log/build.js'
import { mappingText } from '../log/layout.js'
import type { RawRow } from '../log/source.js'
import { notatedNumber, NOTATIONS, PLAIN } from '../log/values/notation.js'
import { type Notation, notationText, notationWords } from '../log/values/value.js'
import { counted, formatCount, verb } from '../number-text.js'
import { recognisedNotations } from '../read/notations.js'
import type { ReadLog } from '../read/plan.js'
import { type Examination, type Finding, revalued } from './finding.js'

const EXAMPLES = 5
/** How many cells that cannot be read are looked at. */
const LOOKED_AT = 20

/** The rows whose cells show how unreadable numbers are written. */
export const notationRows = ({ broken }: ReadLog): number[] =>
  looked(broken).flatMap((column) => brokenRows(broken, column).slice(0, LOOKED_AT))

const looked = (broken: BrokenCells): NumberColumn[] =>
  NUMBER_COLUMNS.filter((column) => column !== 'time' && broken.count(column) > 0)

const brokenRows = ({ cells }: BrokenCells, column: NumberColumn): number[] =>
  cells.filter((cell) => cell.column === column).map(({ row }) => row)

/**
 * Finds numbers written with decimal commas or percent signs: those that are read so, and those that cannot be. `rawRow`
 * gives the rows of `notationRows` as they are in the file.
 */
export const notationFindings = (
  read: ReadLog,
  about: Omit<Examination, 'log'>,
  rawRow: (row: number) => RawRow,
): Finding[] => [
  ...recognised(read),
  ...looked(read.broken).flatMap((column) => unrecognised(read, about, column, rawRow)),
]

/** A short word for the notation. */
const codeOf = ({ comma }: Notation): string => (comma ? 'decimal-commas' : 'percent-signs')

function recognised({ origins, columns }: ReadLog): Finding[] {
  return recognisedNotations(origins, columns).map(({ column, name, value, ...notation }) => ({
    code: codeOf(notation),
    level: 'note',
    column,
    seen: `${name} is written with ${notationWords(notation)}; ${column} is read as ${value}.`,
    why: 'All of the first rows are written this way. A row written otherwise counts as a bad row.',
    remedy: advice`Nothing to do. To state it yourself, use ${set('columns', mappingText({ ...columns, [column]: value }))}.`,
    numbers: {},
    rows: [],
  }))
}

function unrecognised(
  { log, origins, broken }: ReadLog,
  about: Omit<Examination, 'log'>,
  column: NumberColumn,
  rawRow: (row: number) => RawRow,
): Finding[] {
  const [name = ''] = origins[column] ?? []
  if (!about.names?.includes(name)) return []
  const rows = brokenRows(broken, column)
  const texts = rows.slice(0, LOOKED_AT).flatMap((row) => rawRow(row).cells[name] ?? [])
  // A plain number that breaks a rule is not written in another way.
  if (texts.some((text) => !Number.isNaN(notatedNumber(text, PLAIN)))) return []
  const notation = NOTATIONS.find((one) => texts.every((text) => !Number.isNaN(notatedNumber(text, one))))
  if (texts.length === 0 || !notation) return []
  const cells = broken.count(column)
  const isWhole = cells === log.rows
  const { setting } = revalued(about, column, () => notationText(name, notation))
  const ambiguous = advice`If the comma is a decimal sign, say so with ${setting}. If it separates thousands, export the numbers without it.`
  return [
    {
      code: codeOf(notation),
      level: 'problem',
      column,
      seen: `${formatCount(cells)} of ${counted(log.rows, 'row')} ${verb(cells, 'has', 'have')} a ${column} with ${notationWords(notation)}, such as ${JSON.stringify(texts[0])}.`,
      why: isWhole
        ? 'The comma may be a decimal sign or separate thousands, and nothing is guessed.'
        : 'The other rows are written otherwise, so it is unclear which is meant.',
      remedy: isWhole ? ambiguous : 'Write all numbers of the column in the same way.',
      numbers: { rows: cells },
      rows: rows.slice(0, EXAMPLES),
    },
  ]
}
