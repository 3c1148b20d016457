import type { Expression, FunctionName, Operator, Relation } from '../expression.js'
import { exp, log } from '../portable-math.js'
import { textOf } from './expression.js'

/** Rows computed at a time: their intermediate results stay in fast memory. */
export const BLOCK = 512

/** A column of rows in memory; a number is that of every row. */
export type RowArray = Float64Array | Uint8Array | Uint16Array | Uint32Array | number

/** The columns of rows in memory; NaN stands for all numbers of one that is not there. */
export type RowArrays<Column extends string> = Readonly<Partial<Record<Column, RowArray | undefined>>>

/** Computes the expressions for rows `from` … `from + count − 1`, at most `BLOCK` of them. The arrays are used again by whatever is computed next. */
export type Vectorised = (from: number, count: number) => readonly Float64Array[]

/** Computes a part of an expression for some rows. */
type Step = (from: number, count: number) => void

/** Where a part of an expression is computed to, and whether it is the same for all rows. */
interface Part {
  readonly at: number
  readonly isConstant: boolean
}

/** Parts that the usual memory has room for. */
const PARTS = 1024

/**
 * Expressions over typed arrays: each operation is a loop over a block of rows, and what several expressions share
 * is computed once. The same operations in the same order as anyone would write them, so the same bits.
 */
export function vectorise<Column extends string>(
  expressions: readonly Expression<Column>[],
  rows: RowArrays<Column>,
): Vectorised {
  const made = new Map<string, Part>()
  const [atFirst, steps]: [Step[], Step[]] = [[], []]
  // Where the memory is depends on how many parts there are: steps look it up.
  let loops: Loops

  const part = (expression: Expression<Column>): Part => {
    const key = textOf(expression)
    const known = made.get(key)
    if (known) return known
    const { step, isConstant } = make(expression)
    const own = { at: made.size * BLOCK, isConstant }
    made.set(key, own)
    ;(isConstant ? atFirst : steps).push((from, count) => step(own.at, from, count))
    return own
  }

  const make = (
    expression: Expression<Column>,
  ): { isConstant: boolean; step: (to: number, from: number, count: number) => void } => {
    switch (expression.kind) {
      case 'number':
        return constant(expression.value)
      case 'column': {
        const column: RowArray = rows[expression.column] ?? NaN
        if (typeof column === 'number') return constant(column)
        return {
          isConstant: false,
          step: (to, from, count) => loops.memory.set(column.subarray(from, from + count), to),
        }
      }
      case 'operation': {
        const { operator } = expression
        const [a, b] = [part(expression.left), part(expression.right)]
        return {
          isConstant: a.isConstant && b.isConstant,
          step: (to, _, count) => loops.operate(operator, a.at, b.at, to, count),
        }
      }
      case 'function': {
        const { name } = expression
        const of = part(expression.of)
        return { isConstant: of.isConstant, step: (to, _, count) => loops.apply(name, of.at, to, count) }
      }
      case 'case': {
        const { relation } = expression
        const [a, b, value, otherwise] = [
          part(expression.left),
          part(expression.right),
          part(expression.value),
          part(expression.otherwise),
        ]
        return {
          isConstant: [a, b, value, otherwise].every((one) => one.isConstant),
          step: (to, _, count) => loops.choose(relation, a.at, b.at, value.at, otherwise.at, to, count),
        }
      }
    }
  }

  const constant = (value: number): ReturnType<typeof make> => ({
    isConstant: true,
    step: (to, _, count) => loops.memory.fill(value, to, to + count),
  })

  const parts = expressions.map(part)
  loops = made.size <= PARTS ? (usual ??= loopsOver(new Float64Array(PARTS * BLOCK))) : loopsOver(new Float64Array(made.size * BLOCK)) // prettier-ignore
  const found = parts.map(({ at }) => loops.memory.subarray(at, at + BLOCK))
  const own = {}
  return (from, count) => {
    if (loops.holds !== own) for (const step of atFirst) step(0, BLOCK)
    loops.holds = own
    for (const step of steps) step(from, count)
    return found
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

type Loops = ReturnType<typeof loopsOver>
let usual: Loops | undefined

/** The loops over parts of one memory. There are few memories: an engine is twice as quick where it knows which one a loop is about. */
function loopsOver(memory: Float64Array) {
  /** Whose constants it has. */
  const holds: object | undefined = undefined as object | undefined

  function operate(operator: Operator, a: number, b: number, to: number, count: number): void {
    switch (operator) {
      case '+':
        for (let k = 0; k < count; k++) memory[to + k] = memory[a + k]! + memory[b + k]!
        break
      case '-':
        for (let k = 0; k < count; k++) memory[to + k] = memory[a + k]! - memory[b + k]!
        break
      case '*':
        for (let k = 0; k < count; k++) memory[to + k] = memory[a + k]! * memory[b + k]!
        break
      case '/':
        for (let k = 0; k < count; k++) memory[to + k] = memory[a + k]! / memory[b + k]!
        break
      case 'min':
        for (let k = 0; k < count; k++) memory[to + k] = Math.min(memory[a + k]!, memory[b + k]!)
        break
      case 'max':
        for (let k = 0; k < count; k++) memory[to + k] = Math.max(memory[a + k]!, memory[b + k]!)
    }
  }

  function choose(
    relation: Relation,
    a: number,
    b: number,
    value: number,
    otherwise: number,
    to: number,
    count: number,
  ): void {
    // The place of the number, rather than a branch: nobody can guess which way rows go.
    const step = value - otherwise
    switch (relation) {
      case '=':
        for (let k = 0; k < count; k++)
          memory[to + k] = memory[otherwise + k + (-Number(memory[a + k] === memory[b + k]) & step)]!
        break
      case '!=':
        for (let k = 0; k < count; k++)
          memory[to + k] = memory[otherwise + k + (-Number(memory[a + k] !== memory[b + k]) & step)]!
        break
      case '<':
        for (let k = 0; k < count; k++)
          memory[to + k] = memory[otherwise + k + (-Number(memory[a + k]! < memory[b + k]!) & step)]!
        break
      case '<=':
        for (let k = 0; k < count; k++)
          memory[to + k] = memory[otherwise + k + (-Number(memory[a + k]! <= memory[b + k]!) & step)]!
        break
      case '>':
        for (let k = 0; k < count; k++)
          memory[to + k] = memory[otherwise + k + (-Number(memory[a + k]! > memory[b + k]!) & step)]!
        break
      case '>=':
        for (let k = 0; k < count; k++)
          memory[to + k] = memory[otherwise + k + (-Number(memory[a + k]! >= memory[b + k]!) & step)]!
    }
  }

  function apply(name: FunctionName, of: number, to: number, count: number): void {
    if (name === 'floor') {
      for (let k = 0; k < count; k++) memory[to + k] = Math.floor(memory[of + k]!)
      return
    }
    const compute = { exp, log }[name]
    // Neighbours often have the same number, and these functions cost more than all else.
    let [last, value] = [NaN, NaN]
    for (let k = 0; k < count; k++) {
      const own = memory[of + k]!
      if (own !== last) {
        last = own
        value = compute(last)
      }
      memory[to + k] = value
    }
  }

  return { memory, holds, operate, choose, apply }
}
