import { type Expression, namedIn } from '../../expression.js'

/** How the numbers of a column are written: with a decimal comma (`0,25`), with a percent sign (`3.2 %`), or both. */
export interface Notation {
  readonly comma: boolean
  readonly percent: boolean
}

/** How a cell may compare with a text. */
export type TextRelation = '=' | '!='

/** A column of a file in a value, how its cells are written, and where in the text of the value it stands. */
export interface CellColumn extends Notation {
  readonly name: string
  /** A text that the cell is compared with: 1 where that is so, 0 where it is not; an empty cell is neither. */
  readonly compared?: { readonly relation: TextRelation; readonly text: string }
  /** What an empty cell counts as; without it, an empty cell cannot be computed with. */
  readonly filled?: number
  /** The place of its first character, and that behind its last. */
  readonly from: number
  readonly to: number
}

/** A number of the log, computed from the cells of a row of the file: `p / 100`. */
export type Value = Expression<CellColumn>

/** The functions that say how the numbers of a column are written: `comma(p)`, `percent(p)`. */
export const NOTATIONS = ['comma', 'percent'] as const

/** The function that says what an empty cell counts as: `filled(clicked, 0)`. */
export const FILLED = 'filled'

/** A name that stands for itself in a value; any other is put in double quotes. */
export const PLAIN_NAME = /[\p{L}_$][\p{L}\p{N}_$.:]*(?:\[[^[\]"]+\])?/u

const WHOLE_NAME = new RegExp(`^(?:${PLAIN_NAME.source})$`, 'u')

/** A column of a file as it is named in a value: `p`, `"show prob"`. */
export const nameText = (name: string): string =>
  WHOLE_NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`

/** A column that is written so, as a value: `percent(comma(p))`. */
export function notationText(name: string, { comma, percent }: Notation): string {
  const inner = comma ? `comma(${nameText(name)})` : nameText(name)
  return percent ? `percent(${inner})` : inner
}

/** A text as it stands in a value: `'Y'`. */
const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Whether a column holds a text, as a value: `clicked = 'Y'`. */
export const comparisonText = (name: string, text: string): string =>
  `${nameText(name)} = ${quotedText(text)}`

/** What is special about how a column is written: decimal commas and percent signs. */
export const notationWords = ({ comma, percent }: Notation): string =>
  [...(comma ? ['decimal commas'] : []), ...(percent ? ['percent signs'] : [])].join(' and ')

/** The names of the columns that a value is computed from, each once. */
export const namesIn = (value: Value): string[] => [...new Set(namedIn(value).map(({ name }) => name))]
