import { compares, type Expression, type FunctionName, type Operator } from '../expression.js'
import { exp, log } from '../portable-math.js'
import { textOf } from './expression.js'

/** Rows computed at a time: their intermediate results stay in the fastest memory. */
export const BLOCK = 1024

/** The columns of rows in memory; NaN stands for all numbers of one that is not there. */
export type RowArrays<Column extends string> = Readonly<Partial<Record<Column, Float64Array>>>

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
      case 'number': {
        const constant = new Float64Array(BLOCK).fill(expression.value)
        return () => constant
      }
      case 'column': {
        const column: Float64Array | undefined = rows[expression.column]
        const missing = new Float64Array(column ? 0 : BLOCK).fill(NaN)
        return column ? (from, count) => column.subarray(from, from + count) : () => missing
      }
      case 'operation':
        return operate(expression.operator, part(expression.left), part(expression.right))
      case 'function':
        return applied(expression.name, part(expression.of))
      case 'case': {
        const { relation } = expression
        const [left, right] = [part(expression.left), part(expression.right)]
        const [then, otherwise] = [part(expression.value), part(expression.otherwise)]
        const out = new Float64Array(BLOCK)
        return (from, count) => {
          const [a, b] = [left(from, count), right(from, count)]
          const [yes, no] = [then(from, count), otherwise(from, count)]
          if (relation === '=') for (let k = 0; k < count; k++) out[k] = a[k]! === b[k]! ? yes[k]! : no[k]!
          else if (relation === '<=')
            for (let k = 0; k < count; k++) out[k] = a[k]! <= b[k]! ? yes[k]! : no[k]!
          else for (let k = 0; k < count; k++) out[k] = compares(a[k]!, relation, b[k]!) ? yes[k]! : no[k]!
          return out
        }
      }
    }
  }

  const parts = expressions.map(part)
  return (from, count) => {
    for (const one of fresh) one.forget()
    return parts.map((compute) => compute(from, count))
  }
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

function applied(name: FunctionName, of: Part): Part {
  const out = new Float64Array(BLOCK)
  const compute = { exp, log, floor: Math.floor }[name]
  return (from, count) => {
    const x = of(from, count)
    for (let k = 0; k < count; k++) out[k] = compute(x[k]!)
    return out
  }
}
