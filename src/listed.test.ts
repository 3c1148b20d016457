import { expect, it } from 'vitest'
import { listed } from './listed.js'

it('joins words as a sentence does', () => {
  expect(listed([])).toBe('')
  expect(listed(['a'])).toBe('a')
  expect(listed(['a', 'b'])).toBe('a and b')
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c')
  expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c')
})
