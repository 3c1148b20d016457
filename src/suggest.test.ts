import { expect, it } from 'vitest'
import { suggest } from './suggest.js'

const commands = ['simulate', 'describe', 'doctor', 'data']

it.each([
  ['describ', 'describe'],
  ['descirbe', 'describe'],
  ['SIMULATE', 'simulate'],
  ['dotcor', 'doctor'],
  ['dta', 'data'],
])('takes %s for %s', (typed, meant) => {
  expect(suggest(typed, commands)).toBe(meant)
})

it.each(['train', 'x', 'description of it', 'doctorate'])('suggests nothing for %s', (typed) => {
  expect(suggest(typed, ['describe', 'simulate', 'data'])).toBeUndefined()
})

it('counts a swap of neighbours as one slip, and takes the closest, the first of equals', () => {
  expect(suggest('ab', ['ba'])).toBe('ba')
  expect(suggest('abcdef', ['abcxyf', 'abcdex'])).toBe('abcdex')
  expect(suggest('cat', ['bat', 'hat'])).toBe('bat')
})

it('has nothing to suggest where there is nothing', () => {
  expect(suggest('anything', [])).toBeUndefined()
})
