import type { Expression, FunctionName, Operator, Relation } from '../expression.js'
import { exp, log } from '../portable-math.js'
import { textOf } from './expression.js'

/** Rows computed at a time: their intermediate results stay in the fastest memory. */
export const BLOCK = 1024

/** A column of rows in memory; a number is that of every row. */
export type RowArray = Float64Array | Uint8Array | Uint16Array | Uint32Array | number

/** The columns of rows in memory; NaN stands for all numbers of one that is not there. */
export type RowArrays<Column extends string> = Readonly<Partial<Record<Column, RowArray | undefined>>>

/** Computes the expressions for rows `from` … `from + count − 1`, at most `BLOCK` of them. The arrays are used again. */
export type Vectorised = (from: number, count: number) => readonly Float64Array[]

/** Computes a part of an expression for some rows. */
type Part = (from: number, count: number) => Float64Array

/**
 * Expressions over typed arrays: each operation is a loop over a block of rows, and what several expressions share
 * is computed once. The same operations in the same order as anyone would write them, so the same bits.
 */
export function vectorise<Column extends string>(
  expressions: readonly Expression<Column>[],
  rows: RowArrays<Column>,
): Vectorised {
  const made = new Map<string, Part>()
  const fresh: { forget: () => void }[] = []

  const part = (expression: Expression<Column>): Part => {
    const key = textOf(expression)
    const known = made.get(key)
    if (known) return known
    const computed = once(make(expression))
    made.set(key, computed)
    return computed
  }

  /** Computes a block once, however many expressions hold the part. */
  const once = (compute: Part): Part => {
    let last: Float64Array | undefined
    fresh.push({ forget: () => (last = undefined) })
    return (from, count) => (last ??= compute(from, count))
  }

  const make = (expression: Expression<Column>): Part => {
    switch (expression.kind) {
      case 'number':
        return constant(expression.value)
      case 'column': {
        const column: RowArray = rows[expression.column] ?? NaN
        if (typeof column === 'number') return constant(column)
        if (column instanceof Float64Array) return (from, count) => column.subarray(from, from + count)
        const out = new Float64Array(BLOCK)
        return (from, count) => {
          for (let k = 0; k < count; k++) out[k] = column[from + k]!
          return out
        }
      }
      case 'operation':
        return operate(expression.operator, part(expression.left), part(expression.right))
      case 'function':
        return applied(expression.name, part(expression.of))
      case 'case': {
        const { relation, left, right, value, otherwise } = expression
        const areNumbers = value.kind === 'number' && otherwise.kind === 'number'
        return areNumbers
          ? chooseNumber(relation, part(left), part(right), value.value, otherwise.value)
          : choose(relation, part(left), part(right), part(value), part(otherwise))
      }
    }
  }

  const parts = expressions.map(part)
  return (from, count) => {
    for (const one of fresh) one.forget()
    return parts.map((compute) => compute(from, count))
  }
}

/** Computes the expressions for each block of so many rows. The arrays are used again. */
export function eachBlock<Column extends string>(
  expressions: readonly Expression<Column>[],
  columns: RowArrays<Column>,
  rows: number,
  visit: (values: readonly Float64Array[], from: number, count: number) => void,
): void {
  const compute = vectorise(expressions, columns)
  for (let from = 0; from < rows; from += BLOCK) {
    const count = Math.min(BLOCK, rows - from)
    visit(compute(from, count), from, count)
  }
}

function constant(value: number): Part {
  const all = new Float64Array(BLOCK).fill(value)
  return () => all
}

function operate(operator: Operator, left: Part, right: Part): Part {
  const out = new Float64Array(BLOCK)
  return (from, count) => {
    const [a, b] = [left(from, count), right(from, count)]
    switch (operator) {
      case '+':
        for (let k = 0; k < count; k++) out[k] = a[k]! + b[k]!
        break
      case '-':
        for (let k = 0; k < count; k++) out[k] = a[k]! - b[k]!
        break
      case '*':
        for (let k = 0; k < count; k++) out[k] = a[k]! * b[k]!
        break
      case '/':
        for (let k = 0; k < count; k++) out[k] = a[k]! / b[k]!
        break
      case 'min':
        for (let k = 0; k < count; k++) out[k] = Math.min(a[k]!, b[k]!)
        break
      case 'max':
        for (let k = 0; k < count; k++) out[k] = Math.max(a[k]!, b[k]!)
    }
    return out
  }
}

/** A loop for each relation: a call for each number would cost more than the comparison. */
function choose(relation: Relation, left: Part, right: Part, then: Part, otherwise: Part): Part {
  const out = new Float64Array(BLOCK)
  return (from, count) => {
    const [a, b, yes, no] = [left(from, count), right(from, count), then(from, count), otherwise(from, count)]
    switch (relation) {
      case '=':
        for (let k = 0; k < count; k++) out[k] = a[k]! === b[k]! ? yes[k]! : no[k]!
        break
      case '!=':
        for (let k = 0; k < count; k++) out[k] = a[k]! !== b[k]! ? yes[k]! : no[k]!
        break
      case '<':
        for (let k = 0; k < count; k++) out[k] = a[k]! < b[k]! ? yes[k]! : no[k]!
        break
      case '<=':
        for (let k = 0; k < count; k++) out[k] = a[k]! <= b[k]! ? yes[k]! : no[k]!
        break
      case '>':
        for (let k = 0; k < count; k++) out[k] = a[k]! > b[k]! ? yes[k]! : no[k]!
        break
      case '>=':
        for (let k = 0; k < count; k++) out[k] = a[k]! >= b[k]! ? yes[k]! : no[k]!
    }
    return out
  }
}

/** The same between two numbers, such as 1 and 0: most conditions are of this kind, and read half as much. */
function chooseNumber(relation: Relation, left: Part, right: Part, yes: number, no: number): Part {
  const out = new Float64Array(BLOCK)
  return (from, count) => {
    const [a, b] = [left(from, count), right(from, count)]
    switch (relation) {
      case '=':
        for (let k = 0; k < count; k++) out[k] = a[k]! === b[k]! ? yes : no
        break
      case '!=':
        for (let k = 0; k < count; k++) out[k] = a[k]! !== b[k]! ? yes : no
        break
      case '<':
        for (let k = 0; k < count; k++) out[k] = a[k]! < b[k]! ? yes : no
        break
      case '<=':
        for (let k = 0; k < count; k++) out[k] = a[k]! <= b[k]! ? yes : no
        break
      case '>':
        for (let k = 0; k < count; k++) out[k] = a[k]! > b[k]! ? yes : no
        break
      case '>=':
        for (let k = 0; k < count; k++) out[k] = a[k]! >= b[k]! ? yes : no
    }
    return out
  }
}

function applied(name: FunctionName, of: Part): Part {
  const out = new Float64Array(BLOCK)
  if (name === 'floor')
    return (from, count) => {
      const x = of(from, count)
      for (let k = 0; k < count; k++) out[k] = Math.floor(x[k]!)
      return out
    }
  const compute = { exp, log }[name]
  return (from, count) => {
    const x = of(from, count)
    // Neighbours often have the same number, and these functions cost more than all else.
    let [last, value] = [NaN, NaN]
    for (let k = 0; k < count; k++) {
      if (x[k] !== last) {
        last = x[k]!
        value = compute(last)
      }
      out[k] = value
    }
    return out
  }
}
