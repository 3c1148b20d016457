import { compares, namedIn, type Operator } from '../../expression.js'
import { exp, log } from '../../portable-math.js'
import { type Cell, cellLabel, cellOutcome, cellText, isMissing } from '../cell.js'
import { notatedNumber } from './notation.js'
import type { CellColumn, Value } from './value.js'

/** Finds the cell of a column. */
export type CellOf<Row> = (row: Row, column: CellColumn) => Cell

/**
 * What computes a value from the cells of a row. Every step is a finite number or NaN, for no value: a cell that is
 * missing or not a number, a division by zero, the logarithm of what is not above 0, a number too large. What is
 * computed from no value has none, so a comparison with a missing cell is not false, but unknown.
 */
export function computeValue<Row>(value: Value, cellOf: CellOf<Row>): (row: Row) => number {
  switch (value.kind) {
    case 'number':
      return () => value.value
    case 'column': {
      const { column } = value
      return (row) => finite(columnNumber(cellOf(row, column), column))
    }
    case 'operation': {
      const [left, right] = [computeValue(value.left, cellOf), computeValue(value.right, cellOf)]
      const operate = OPERATIONS[value.operator]
      return (row) => finite(operate(left(row), right(row)))
    }
    case 'function': {
      const of = computeValue(value.of, cellOf)
      const apply = { exp, log, floor: Math.floor }[value.name]
      return (row) => finite(apply(of(row)))
    }
    case 'case': {
      const [left, right] = [computeValue(value.left, cellOf), computeValue(value.right, cellOf)]
      const [then, otherwise] = [computeValue(value.value, cellOf), computeValue(value.otherwise, cellOf)]
      return (row) => {
        const [a, b] = [left(row), right(row)]
        if (Number.isNaN(a) || Number.isNaN(b)) return NaN
        return compares(a, value.relation, b) ? then(row) : otherwise(row)
      }
    }
  }
}

const finite = (value: number): number => (Number.isFinite(value) ? value : NaN)

/** The smaller and the larger keep the first of two equal ones, which tells 0 from −0 in every engine alike. */
const OPERATIONS: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  min: (a, b) => (a <= b ? a : b < a ? b : NaN),
  max: (a, b) => (a >= b ? a : b > a ? b : NaN),
}

const columnNumber = (cell: Cell, column: CellColumn): number => {
  // A word that is compared with is a word, even if it is None.
  const isEmpty = column.compared ? cellText(cell) === undefined : isMissing(cell)
  if (column.filled !== undefined && isEmpty) return column.filled
  if (column.compared) return comparedNumber(cellLabel(cell), column.compared)
  return column.comma || column.percent ? notatedNumber(cell, column) : cellOutcome(cell)
}

const comparedNumber = (
  label: string | undefined,
  { relation, text }: NonNullable<CellColumn['compared']>,
): number => (label === undefined ? NaN : Number((label === text) === (relation === '=')))

/** Why a row has no value, briefly; undefined where it has one. */
export function whyNoValue<Row>(value: Value, row: Row, cellOf: CellOf<Row>): string | undefined {
  const numberOf = (part: Value): number => computeValue(part, cellOf)(row)
  if (!Number.isNaN(numberOf(value))) return undefined
  for (const column of namedIn(value)) {
    const why = whyNoNumber(cellOf(row, column), column)
    if (why !== undefined) return why
  }
  return whyNoResult(value, numberOf) ?? 'cannot be computed'
}

function whyNoNumber(cell: Cell, column: CellColumn): string | undefined {
  if (Number.isFinite(columnNumber(cell, column))) return undefined
  const text = cellText(cell)
  if (text?.trim() === '' || isMissing(cell)) return `${column.name} is missing`
  if (column.compared) return `${column.name} is not a text`
  const written = [
    ...(column.comma ? ['with a decimal comma'] : []),
    ...(column.percent ? ['with a percent sign'] : []),
  ]
  return `${column.name} is not a number${written.length === 0 ? '' : ` written ${written.join(' and ')}`}`
}

/** The first step, from the inside out, that gives no number though all it is given are. */
function whyNoResult(value: Value, numberOf: (part: Value) => number): string | undefined {
  const parts =
    value.kind === 'operation' || value.kind === 'case'
      ? [value.left, value.right]
      : value.kind === 'function'
        ? [value.of]
        : []
  for (const part of parts) if (Number.isNaN(numberOf(part))) return whyNoResult(part, numberOf)
  if (value.kind === 'function' && value.name === 'log')
    return `logarithm of ${numberOf(value.of)}, which is not above 0`
  if (value.kind === 'operation' && value.operator === '/' && numberOf(value.right) === 0)
    return 'division by zero'
  return 'the result is too large'
}
