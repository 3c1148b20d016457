import { describe, expect, it } from 'vitest'
import type { Cell } from '../log/cell.js'
import { type ColumnContent, contentOf } from './synonyms.js'

const counting = Array.from({ length: 12 }, (_, k) => String(k + 5))

describe('contentOf', () => {
  it.each<[ColumnContent, Cell[]]>([
    ['nothing', []],
    ['nothing', ['', null, undefined]],
    ['zeros-and-ones', ['0', '1', '', '0']],
    ['zeros-and-ones', [true, false]],
    ['zeros-and-ones', ['True', 'FALSE']],
    ['zeros-and-ones', ['1', '1']],
    ['probabilities', ['0.25', '1', '1e-9']],
    ['numbers', ['0', '0.5']],
    ['numbers', ['-0.5', '12.25']],
    ['times', ['2024-05-01', '2024-05-01T12:30:00Z']],
    ['times', ['881250949', '891717742']],
    ['times', [1_700_000_000_000, 1_700_000_000_001n]],
    ['times', [new Date(0)]],
    ['whole-numbers', ['12', '7', '1193']],
    ['whole-numbers', counting.slice(0, 9)],
    ['row-numbers', counting],
    ['text', ['u1', 'u2']],
    ['text', ['1', 'u2']],
    ['text', ['Infinity']],
  ])('tells %s', (content, cells) => {
    expect(contentOf(cells)).toBe(content)
  })
})
