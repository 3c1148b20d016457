import { expect, it } from 'vitest'
import { figure } from './finding.js'

it('writes numbers with four digits, or as many as tell them from 1', () => {
  expect([123456, 0.0123456, 1, 1.00001].map(figure)).toEqual(['123,500', '0.01235', '1', '1.00001'])
})
