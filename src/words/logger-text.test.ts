import { expect, it } from 'vitest'
import type { Evaluation } from '../estimate/evaluation.js'
import { loggerCells, loggersText } from './log-text.js'

const logger = { name: 'old', rows: 1200, share: 0.25, value: 0.2041, se: 0.012, ess: 310.4 }
const evaluation = (changed: Partial<Evaluation>): Evaluation => changed as Evaluation

it('says how the rows of several loggers count', () => {
  const loggers = [logger, { ...logger, name: 'new' }]
  expect(loggersText(evaluation({}))).toBeNull()
  expect(loggersText(evaluation({ loggers: [logger], loggersCounted: 'rows' }))).toContain('one logger')
  expect(loggersText(evaluation({ loggers, loggersCounted: 'strata' }))).toBe(
    'The answer is a mean over the 2 loggers, each counted by how precisely it answers.',
  )
  expect(loggersText(evaluation({ loggers, loggersCounted: 'balanced' }))).toContain('balanced')
  expect(loggersText(evaluation({ loggers, loggersCounted: 'rows' }))).toContain('counts alike')
})

it('rounds what a logger says by its standard error, and names rows without a logger', () => {
  expect(loggerCells(logger)).toEqual(['old', '1,200', '25 %', '0.204', '0.012', '310'])
  expect(loggerCells({ ...logger, name: '', share: 0, value: null, se: null, ess: null })).toEqual([
    '(none)',
    '1,200',
    '0 %',
    '–',
    '–',
    '–',
  ])
})
