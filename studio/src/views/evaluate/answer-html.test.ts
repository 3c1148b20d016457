import { describe, expect, it } from 'vitest'
import { evaluate } from '$core/estimate/evaluate.js'
import type { Evaluation, VerdictLevel } from '$core/estimate/evaluation.js'
import { toyWorld } from '$core/world/toy.js'
import { answerHtml, furtherReasons } from './answer-html.js'
import { exampleVerdict } from '$core/verdict/example-verdict.js'

const log = toyWorld({ seed: 1, users: 200 }).draw()
const { evaluation } = await evaluate(log, { target: { kind: 'uniform' } })
const judged = (level: VerdictLevel, ...messages: string[]): Evaluation => ({
  ...evaluation,
  verdict: exampleVerdict(level, ...messages),
})

describe('the answer', () => {
  it.each([
    ['trust', '✔', 'Trust'],
    ['caution', '▲', 'Caution'],
    ['refuse', '✘', 'Refuse'],
  ] as const)('gives the verdict %s its shape and its colour', (level, shape, word) => {
    const html = answerHtml(judged(level, 'So it is.', 'And so.'))
    expect(html).toContain(
      `<strong class="${level}"><span aria-hidden="true">${shape}</span>\u00a0${word}</strong>: so it is.`,
    )
    expect(furtherReasons(judged(level, 'So it is.', 'And so.'))).toEqual(['And so.'])
  })

  it('escapes what comes from data', () => {
    expect(answerHtml({ ...evaluation, target: 'column:<b>' })).toContain('column &lt;b&gt;')
  })
})
