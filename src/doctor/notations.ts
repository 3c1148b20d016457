import { advice, set } from '../advice.js'
import { NUMBER_COLUMNS, type NumberColumn } from '../log/columns.js'
import { mappingText } from '../log/layout.js'
import { notatedNumber } from '../log/values/notation.js'
import { type Notation, notationText, notationWords } from '../log/values/value.js'
import { counted, formatCount } from '../number-text.js'
import { recognisedNotations } from '../read/notations.js'
import type { ReadLog } from '../read/plan.js'
import type { Examination, Finding } from './finding.js'
import { revalued } from './revalued.js'
import { verb } from './wording.js'

const EXAMPLES = 5
/** How many cells that cannot be read are looked at. */
const LOOKED_AT = 20

const NOTATIONS: readonly Notation[] = [
  { comma: true, percent: false },
  { comma: false, percent: true },
  { comma: true, percent: true },
]

/** Finds numbers written with decimal commas or percent signs: those that are read so, and those that cannot be. */
export async function notationFindings(
  read: ReadLog,
  about: Omit<Examination, 'log'>,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const findings = recognised(read)
  for (const column of NUMBER_COLUMNS)
    if (column !== 'time' && read.broken.count(column) > 0)
      findings.push(...(await unrecognised(read, about, column, signal)))
  return findings
}

/** A short word for the notation. */
const codeOf = ({ comma }: Notation): string => (comma ? 'decimal-commas' : 'percent-signs')

function recognised({ origins, columns }: ReadLog): Finding[] {
  return recognisedNotations(origins, columns).map(({ column, name, value, ...notation }) => ({
    code: codeOf(notation),
    level: 'note',
    column,
    seen: `${name} is written with ${notationWords(notation)}; ${column} is read as ${value}.`,
    why: 'All of the first rows are written so. A row that is written otherwise is a bad row.',
    remedy: advice`Nothing to do. To say it yourself, use ${set('columns', mappingText({ ...columns, [column]: value }))}.`,
    numbers: {},
    rows: [],
  }))
}

async function unrecognised(
  { log, origins, broken, rawRows }: ReadLog,
  about: Omit<Examination, 'log'>,
  column: NumberColumn,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const [name = ''] = origins[column] ?? []
  if (!about.names?.includes(name)) return []
  const rows = broken.cells.filter((cell) => cell.column === column).map(({ row }) => row)
  const raw = await rawRows(rows.slice(0, LOOKED_AT), signal)
  const texts = raw.flatMap(({ cells }) => cells[name] ?? [])
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
        : 'The other rows are written otherwise, so nothing says which way is meant.',
      remedy: isWhole ? ambiguous : 'Write all numbers of the column in the same way.',
      numbers: { rows: cells },
      rows: rows.slice(0, EXAMPLES),
    },
  ]
}
