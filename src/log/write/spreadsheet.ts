import { quoteCsv } from './text.js'

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Whether a spreadsheet would run a cell as a formula: it starts with =, +, -, @, a tab or a line break, and is not a number. */
export const isFormula = (text: string): boolean => /^[=+\-@\t\r\n]/.test(text) && !NUMBER.test(text)

/**
 * A field of a CSV for people: one that a spreadsheet would run as a formula gets a ' before it, which makes it
 * text. Not for logs, whose ids must come back as they are.
 */
export const spreadsheetCsv = (text: string): string => quoteCsv(isFormula(text) ? `'${text}` : text)
