import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Relation } from '../expression.js'
import { exp, log } from '../portable-math.js'
import {
  type Expression,
  least,
  minus,
  number,
  over,
  plus,
  row,
  type RowColumn,
  textOf,
  times,
  when,
} from './expression.js'
import { vectorise } from './vectorise.js'

type Row = Record<RowColumn, number>

/** The slow, obvious reference: one row at a time. */
function valueOf(expression: Expression, at: Row): number {
  switch (expression.kind) {
    case 'number':
      return expression.value
    case 'column':
      return at[expression.column]
    case 'operation': {
      const [a, b] = [valueOf(expression.left, at), valueOf(expression.right, at)]
      return {
        '+': a + b,
        '-': a - b,
        '*': a * b,
        '/': a / b,
        min: Math.min(a, b),
        max: Math.max(a, b),
      }[expression.operator]
    }
    case 'function':
      return { exp, log, floor: Math.floor }[expression.name](valueOf(expression.of, at))
    case 'case': {
      const [a, b] = [valueOf(expression.left, at), valueOf(expression.right, at)]
      const holds = {
        '=': a === b,
        '!=': a !== b,
        '<': a < b,
        '<=': a <= b,
        '>': a > b,
        '>=': a >= b,
      }[expression.relation]
      return valueOf(holds ? expression.value : expression.otherwise, at)
    }
  }
}

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...Object.values(row)),
    fc.double({ noNaN: true, min: -9, max: 9 }).map(number),
    fc
      .tuple(fc.constantFrom(plus, minus, times, over, least), tie('expression'), tie('expression'))
      .map(([make, a, b]) => make(a, b)),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([left, right]): Expression => ({ kind: 'operation', operator: 'max', left, right })),
    fc
      .tuple(fc.constantFrom('exp' as const, 'log' as const), tie('expression'))
      .map(([name, of]): Expression => ({ kind: 'function', name, of })),
    fc
      .tuple(
        fc.constantFrom<Relation[]>('=', '!=', '<', '<=', '>', '>='),
        tie('expression'),
        tie('expression'),
        tie('expression'),
        tie('expression'),
      )
      .map(([relation, a, b, c, d]) => when(a, relation, b, c, d)),
  ),
}))

const NAMES = Object.keys(row) as RowColumn[]
const rows = fc.array(
  fc.tuple(...NAMES.map(() => fc.double())).map((cells) => {
    return Object.fromEntries(NAMES.map((name, k) => [name, cells[k]!])) as Row
  }),
  { minLength: 1, maxLength: 20 },
)

describe('an expression over typed arrays', () => {
  it('has the bits of the expression, row by row, whatever stands beside it', () => {
    fc.assert(
      fc.property(fc.array(expression, { minLength: 1, maxLength: 4 }), rows, (expressions, at) => {
        const columns = Object.fromEntries(
          NAMES.map((name) => [name, Float64Array.from(at, (one) => one[name])]),
        )
        const found = vectorise(expressions, columns)(0, at.length)
        expressions.forEach((one, k) =>
          at.forEach((values, place) => expect(found[k]![place]).toBe(valueOf(one, values))),
        )
      }),
    )
  })

  it('of an exact example: v + min(w, 2)·(r − q)', () => {
    const clipped = plus(row.v, times(least(row.w, 2), minus(row.r, row.q)))
    expect(textOf(clipped)).toBe('v + (min(w, 2)·(r − q))')
    const columns = {
      v: Float64Array.of(1, 1),
      w: Float64Array.of(3, 0.5),
      r: Float64Array.of(1, 1),
      q: Float64Array.of(0.25, 0.5),
    }
    expect([...vectorise([clipped], columns)(0, 2)[0]!.subarray(0, 2)]).toEqual([2.5, 1.25])
  })

  it('of any number of parts, and beside others in turn', () => {
    const sums = (parts: number, add: number): Expression[] =>
      Array.from({ length: parts }, (_, k) => plus(row.r, times(number(k), add)))
    const columns = { r: Float64Array.of(0.5, 2) }
    const made = [1, 2, 3].map((add) => vectorise(sums(add === 3 ? 2000 : 20, add), columns))
    for (const turn of [0, 1, 2, 0, 2, 1])
      expect(made[turn]!(0, 2).map((values) => [...values.subarray(0, 2)])).toEqual(
        sums(turn === 2 ? 2000 : 20, turn + 1).map((_, k) => [0.5 + k * (turn + 1), 2 + k * (turn + 1)]),
      )
  })

  it('reads alike only where it is alike', () => {
    fc.assert(
      fc.property(expression, expression, (a, b) => {
        if (JSON.stringify(a) !== JSON.stringify(b)) expect(textOf(a)).not.toBe(textOf(b))
      }),
    )
    expect(textOf(minus(row.r, minus(row.q, row.v)))).not.toBe(textOf(minus(minus(row.r, row.q), row.v)))
  })
})
