import { expect, it } from 'vitest'
import { exampleVerdict } from '../verdict/example-verdict.js'
import type { Verdict } from '../verdict/verdict.js'
import { verdictText } from './verdict-text.js'

const plain = { style: (_: unknown, text: string): string => text } as never

it('a verdict has its five questions on top, a shape each, then where the value may lie and further reasons', () => {
  const doubted = exampleVerdict(
    'caution',
    'Copies move the answer.',
    'One user of many carries a good part of it.',
  )
  const [declared, overlap, propensities, rewards, time] = doubted.questions
  const verdict: Verdict = {
    ...doubted,
    hull: [0.19, 0.24],
    questions: [
      { ...declared!, level: 'not-said', text: 'Nothing was said.' },
      overlap!,
      {
        ...propensities!,
        level: 'lacking',
        text: 'The engine cannot sort, so the tail of the weights is not known.',
      },
      { ...rewards!, level: 'note', text: 'Some were sent twice.' },
      { ...time!, level: 'not-applicable', text: 'No days.' },
    ],
  }
  expect(verdictText(verdict, plain, { target: 'column:new' })).toMatchInlineSnapshot(`
    "▲ caution  column:new
      ? said of the log  Nothing was said.
      ▲ overlap          Copies move the answer.
      … propensities     The engine cannot sort, so the tail of the weights is not
                         known.
      · rewards          Some were sent twice.
      – over time        No days.
      0.190–0.240 with and without these faults
      • One user of many carries a good part of it."
  `)
})
