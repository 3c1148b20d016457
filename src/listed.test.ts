import { expect, it } from 'vitest'
import { listed, withinSentence } from './listed.js'

it('joins words as a sentence does', () => {
  expect(listed([])).toBe('')
  expect(listed(['a'])).toBe('a')
  expect(listed(['a', 'b'])).toBe('a and b')
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c')
  expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c')
})

it('lowers the first letter of a sentence within another, but of no name', () => {
  expect(
    [
      'The rewards do not vary.',
      'A few clusters decide the estimate.',
      'SNIPS and DR differ by 0.1.',
      'There is only one cluster.',
      'DuckDB cannot sort.',
      'Anna follows the mean rewards of items.',
      'A/B tests differ.',
      'π is 0.',
      '3 rows have no user.',
      'Only',
    ].map(withinSentence),
  ).toEqual([
    'the rewards do not vary.',
    'a few clusters decide the estimate.',
    'SNIPS and DR differ by 0.1.',
    'there is only one cluster.',
    'DuckDB cannot sort.',
    'Anna follows the mean rewards of items.',
    'A/B tests differ.',
    'π is 0.',
    '3 rows have no user.',
    'only',
  ])
})
