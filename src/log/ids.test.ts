import { expect, it } from 'vitest'
import { areWholeNumbers, orderOfIds } from './ids.js'

const ordered = (...ids: string[]): string[] => Array.from(orderOfIds(ids), (place) => ids[place]!)

it('orders ids as numbers where all are whole, else as text', () => {
  expect(ordered('10', '2', '-1', '0')).toEqual(['-1', '0', '2', '10'])
  expect(ordered('10', '2', 'a')).toEqual(['10', '2', 'a'])
  expect(ordered('b', 'a', 'c')).toEqual(['a', 'b', 'c'])
  expect(ordered('1', '2', '3')).toEqual(['1', '2', '3'])
  expect(ordered()).toEqual([])
})

it('takes for whole numbers what a JavaScript number writes alike', () => {
  expect(areWholeNumbers(['0', '7', '-12', '123456789012345'])).toBe(true)
  for (const id of ['007', '1.0', '', ' 1', '1e3', '-0', '+1', '1234567890123456', 'a1', '1a'])
    expect(areWholeNumbers(['1', id]), id).toBe(false)
})
