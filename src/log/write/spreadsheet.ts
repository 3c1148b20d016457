import { quoteCsv } from './text.js'

/** How a cell begins that a spreadsheet would run as a formula, if it is not a number. */
export const FORMULA_START = /^[=+\-@\t\r\n]/

/** A number as a cell shows it. */
export const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Whether a spreadsheet would run a cell as a formula: it starts with =, +, -, @, a tab or a line break, and is not a number. */
export const isFormula = (text: string): boolean => FORMULA_START.test(text) && !NUMBER.test(text)

/**
 * A field of a CSV for people: one that a spreadsheet would run as a formula gets a ' before it, which makes it
 * text. Not for logs, whose ids must come back as they are.
 */
export const spreadsheetCsv = (text: string): string => quoteCsv(isFormula(text) ? `'${text}` : text)
