import { describe, expect, it } from 'vitest'
import { evaluate } from '$core/estimate/evaluate.js'
import { toyWorld } from '$core/world/toy.js'
import { answerHtml } from './answer-html.js'

const log = toyWorld({ seed: 1, users: 200 }).draw()
const { evaluation } = await evaluate(log, { target: { kind: 'uniform' } })

describe('the answer', () => {
  it('begins with what to do, in bold', () => {
    expect(answerHtml(evaluation)).toMatch(
      /^<strong>This log cannot tell<\/strong> what a uniform policy would earn: /,
    )
  })

  it('escapes what comes from data', () => {
    expect(answerHtml({ ...evaluation, target: 'column:<b>' })).toContain('column &lt;b&gt;')
  })
})
