import { expect, it } from 'vitest'
import { figure, percent, verb } from './wording.js'

it('writes shares with two digits below a tenth and with three above', () => {
  expect([0, 0.0001, 0.04217, 0.1, 0.12345, 0.5, 0.999, 1].map(percent)).toEqual([
    '0 %',
    '0.01 %',
    '4.2 %',
    '10 %',
    '12.3 %',
    '50 %',
    '99.9 %',
    '100 %',
  ])
})

it('never rounds a share to nothing or to all', () => {
  expect(percent(0.00009)).toContain('0.01 %')
  expect(percent(0.00009)).not.toBe('0.01 %')
  expect(percent(0.9995)).toContain('99.9 %')
  expect(percent(0.9995)).not.toBe('99.9 %')
})

it('writes numbers with four digits, or as many as tell them from 1', () => {
  expect([123456, 0.0123456, 1, 1.00001].map(figure)).toEqual(['123,500', '0.01235', '1', '1.00001'])
})

it('takes the verb of one thing for one alone', () => {
  expect([0, 1, 2].map((number) => verb(number, 'is', 'are'))).toEqual(['are', 'is', 'are'])
})
