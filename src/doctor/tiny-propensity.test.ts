import { expect, it } from 'vitest'
import { examinationOf, toyLog } from './example-log.js'
import { checkTinyPropensity } from './tiny-propensity.js'

const withOne = (propensity: number) =>
  checkTinyPropensity(examinationOf(toyLog((row, k) => (k === 7 ? { ...row, propensity } : row))))

it('finds a propensity that no row of such a log can have', () => {
  for (const propensity of [1e-200, Number.MIN_VALUE])
    expect(withOne(propensity)).toMatchObject([
      {
        code: 'propensity-tiny',
        level: 'problem',
        lowersTo: 'refuse',
        rows: [7],
        numbers: { tiny: 1, smallest: propensity },
      },
    ])
})

it('draws the line at one in a million logs: 1e-6/(rows × 10,000 items)', () => {
  const limit = 1e-6 / (5000 * 10_000)
  expect(withOne(0.99 * limit)).toHaveLength(1)
  expect(withOne(1.01 * limit)).toEqual([])
})

it('leaves values that are no probabilities to others', () => {
  expect(withOne(0)).toEqual([])
  expect(withOne(0.1)).toEqual([])
})
