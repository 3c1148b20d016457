import { describe, expect, it } from 'vitest'
import type { Cell } from '../cell.js'
import { happenedWord, outcomeWords } from './outcome-words.js'

describe('words of outcomes', () => {
  it.each([
    [
      ['clicked', 'viewed', 'clicked', ''],
      ['clicked', 'viewed'],
    ],
    [['view'], ['view']],
    [['Y', 'N'], undefined],
    [['1', 'clicked'], undefined],
    [['NULL', 'clicked'], undefined],
    [['a', 'b', 'c', 'd', 'e', 'f', 'g'], undefined],
    [['', null], undefined],
    [[true], undefined],
  ] as [Cell[], unknown][])('%j: %j', (cells, words) => {
    expect(outcomeWords(cells)).toEqual(words)
  })

  it.each([
    [['clicked', 'viewed'], 'clicked'],
    [['no_click', 'click'], 'click'],
    [['impression', 'purchase'], 'purchase'],
    [['not clicked', 'skipped'], undefined],
    [['click', 'purchase'], undefined],
  ])('of %j, %s happened', (words, word) => {
    expect(happenedWord(words)).toBe(word)
  })
})
