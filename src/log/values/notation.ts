import { type Cell, cellNumber } from '../cell.js'
import type { Notation } from './value.js'

/** Spaces, among them those that do not break a line. */
const SPACE = `[ \\t-\\r\u00a0\u202f]*`
const POINT = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`
const COMMA = String.raw`[+-]?\d+(?:,\d+)?(?:[eE][+-]?\d+)?`

/** What a number looks like in a notation, as a pattern that engines understand too. */
export const notationPattern = ({ comma, percent }: Notation): string =>
  `${SPACE}(${comma ? COMMA : POINT})${SPACE}${percent ? `%${SPACE}` : ''}`

const patterns = new Map<string, RegExp>()

function patternOf(notation: Notation): RegExp {
  const source = notationPattern(notation)
  const known = patterns.get(source) ?? new RegExp(`^${source}$`)
  patterns.set(source, known)
  return known
}

/**
 * The number in a cell that is written so: `0,25` is 0.25, `3.2 %` is 0.032; NaN if it is written otherwise. A cell that
 * is not text has no decimal sign, and no percent sign either.
 */
export function notatedNumber(cell: Cell, notation: Notation): number {
  if (typeof cell !== 'string') return notation.percent ? NaN : cellNumber(cell)
  const digits = patternOf(notation).exec(cell)?.[1]
  if (digits === undefined) return NaN
  const number = Number(digits.replace(',', '.'))
  return notation.percent ? number / 100 : number
}

/** A number without any of this. */
export const PLAIN: Notation = { comma: false, percent: false }
/** The ways to write a number that a column may have. */
export const NOTATIONS: readonly Notation[] = [
  { comma: false, percent: true },
  { comma: true, percent: false },
  { comma: true, percent: true },
]

/** A comma that cannot separate thousands: behind a leading 0, or not before three digits. */
const UNAMBIGUOUS = /^[^\d]*(?:0+,|\d+,(?!\d{3}(?!\d)))/

/**
 * How a column is written, if all its filled cells are written so and it cannot mean anything else; undefined where they
 * are plain numbers, or no numbers, or where 1,234 may be a thousand.
 */
export function notationOf(cells: readonly Cell[]): Notation | undefined {
  const filled = cells
    .filter((cell) => typeof cell !== 'string' || cell.trim() !== '')
    .filter((cell) => cell != null)
  const texts = filled.filter((cell) => typeof cell === 'string')
  if (texts.length === 0 || filled.every((cell) => !Number.isNaN(notatedNumber(cell, PLAIN))))
    return undefined
  const found = NOTATIONS.find((notation) =>
    filled.every((cell) => !Number.isNaN(notatedNumber(cell, notation))),
  )
  return found && (!found.comma || texts.some((text) => UNAMBIGUOUS.test(text))) ? found : undefined
}
