import { expect, it } from 'vitest'
import { exampleTuning } from '../figures/example-tuning.js'
import { createDocument } from '../node/dom.js'
import { tuningSchema } from '../schemas/index.js'
import { tuningAnswer } from '../words/tuning-text.js'
import { tuningPage } from './tuning-page.js'

const tuning = exampleTuning()
const options = { document: createDocument(), generatedBy: 'Hindcast' }

it('a page about a tuning has the answer, the figure, every trial and the command', () => {
  const html = tuningPage({ title: 'clicks.csv', tuning, command: 'hindcast train clicks.csv' }, options)
  expect(html).toContain(tuningAnswer(tuning).slice(0, 60))
  expect(html).toContain('id="tuning-curves"')
  expect(html).toContain('hindcast train clicks.csv')
  expect(html).toContain('EASE, λ = 200')
})

it('a page about a tuning without any value has no figure', () => {
  const trials = tuning.trials.map((trial) => ({ ...trial, reached: [] }))
  const { test: _, ...untested } = tuning
  const html = tuningPage({ title: 'clicks.csv', tuning: { ...untested, best: null, trials } }, options)
  expect(html).toContain('No trial can be chosen')
  expect(html).not.toContain('tuning-curves')
})

it('a tuning is written by its schema', () => {
  expect(tuningSchema.parse(JSON.parse(JSON.stringify(tuning)))).toEqual(tuning)
})
