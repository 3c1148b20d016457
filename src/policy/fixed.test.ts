import { expect, it } from 'vitest'
import { fixedPolicy } from './probabilities.js'

it('shows items in proportion to their weights', () => {
  expect(Array.from(fixedPolicy('fixed', [1, 0, 3]).probabilities(9))).toEqual([0.25, 0, 0.75])
})

it.each([
  [[], 'Policy broken: the weights of 0 items sum to 0.'],
  [[0, 0], 'Policy broken: the weights of 2 items sum to 0.'],
  [[1, -1], 'Policy broken: the weight of item 1 is -1.'],
  [[1, NaN], 'Policy broken: the weight of item 1 is NaN.'],
  [[1, Infinity], 'Policy broken: the weight of item 1 is Infinity.'],
  [[1e308, 1e308], 'Policy broken: the weights of 2 items sum to'],
])('refuses the weights %j', (weights, message) => {
  expect(() => fixedPolicy('broken', weights)).toThrow(message)
})
