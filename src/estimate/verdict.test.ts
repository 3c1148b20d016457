import { describe, expect, it } from 'vitest'
import { exampleVerdict } from '../verdict/example-verdict.js'
import type { Diagnostics } from './evaluation.js'
import { type Complaint, coverage, verdictFrom, worstVerdict } from './verdict.js'

const reason = (
  level: Complaint['level'],
  question: Complaint['question'],
  code: string,
  message = 'So it is.',
): Complaint => ({ level, question, code, message, value: null })

describe('the verdict', () => {
  it('is trust when nothing speaks against it, and says what it goes by', () => {
    const { level, means, reasons, questions } = verdictFrom([])
    expect([level, means, reasons]).toEqual(['trust', 'decide', []])
    expect(questions.map(({ question, level: of }) => [question, of])).toEqual([
      ['declared', 'not-said'],
      ['overlap', 'trust'],
      ['propensities', 'trust'],
      ['rewards', 'trust'],
      ['time', 'trust'],
    ])
  })

  it('is that of its worst reason, and stays trust with notes alone', () => {
    const [note, caution, refuse] = (['note', 'caution', 'refuse'] as const).map((level) =>
      reason(level, 'rewards', level),
    ) as [Complaint, Complaint, Complaint]
    expect(verdictFrom([note])).toMatchObject({ level: 'trust', means: 'decide', reasons: [note] })
    expect(verdictFrom([note, caution])).toMatchObject({ level: 'caution', means: 'careful' })
    const { level, reasons } = verdictFrom([note, caution, refuse, note])
    expect([level, reasons.map(({ code }) => code)]).toEqual([
      'refuse',
      ['refuse', 'caution', 'note', 'note'],
    ])
  })

  it('cannot tell where the log does not cover the policy, whatever else is wrong; else it is not to be believed', () => {
    const wrong = reason('refuse', 'propensities', 'mean-weight')
    expect(verdictFrom([wrong]).means).toBe('do-not-believe')
    // No repair of the propensities shows what the log never showed.
    expect(verdictFrom([wrong, reason('refuse', 'overlap', 'unsupported')]).means).toBe('cannot-tell')
    expect(verdictFrom([wrong, reason('caution', 'overlap', 'dominated')]).means).toBe('do-not-believe')
  })

  it('answers each question by its worst reason, else by what is known, else by a sentence of its own', () => {
    const { questions } = verdictFrom(
      [
        reason('caution', 'propensities', 'item-shares'),
        reason('refuse', 'propensities', 'mean-weight', 'Weights average 2.'),
        reason('note', 'rewards', 'copied-rows', 'Some rows are copies.'),
        reason('note', 'time', 'days-differ', 'Days differ.'),
      ],
      [
        { question: 'declared', level: 'trust', text: 'Made elsewhere.' },
        { question: 'declared', level: 'not-said', text: 'Taken for granted: all.' },
        { question: 'rewards', level: 'trust', text: 'Said before the copies were found.' },
      ],
    )
    expect(questions.map((one) => [one.level, one.text])).toEqual([
      ['not-said', 'Taken for granted: all.'],
      ['trust', 'The log covers the policy.'],
      ['refuse', 'Weights average 2.'],
      ['note', 'Some rows are copies.'],
      ['note', 'Days differ.'],
    ])
  })

  it('is never trust where the source did not compute what it looks at', () => {
    const message = 'Not computed: the largest weight, because the engine cannot sort.'
    const verdict = verdictFrom([reason('caution', 'overlap', 'not-computed', message)])
    expect(verdict).toMatchObject({ level: 'caution', means: 'careful' })
    expect(verdict.questions[1]).toEqual({ question: 'overlap', level: 'lacking', text: message })
  })
})

it('of several verdicts the worst is the first of the lowest level', () => {
  const [trust, one, other] = [
    exampleVerdict('trust'),
    exampleVerdict('caution', 'One.'),
    exampleVerdict('caution', 'Other.'),
  ] as const
  expect(worstVerdict([trust, one, other])).toBe(one)
  expect(worstVerdict([other, exampleVerdict('refuse'), one])).toMatchObject({ level: 'refuse' })
})

it('how well a log covers a policy is said by its effective clicks and their largest share', () => {
  const diagnostics = { effectiveClusterClicks: 704.2, topClusterShare: 0.01 } as Diagnostics
  expect(coverage(diagnostics, 'user')).toEqual([
    {
      question: 'overlap',
      level: 'trust',
      text: 'About 700 effective clicks, at most 1.0 % from one user.',
    },
  ])
  expect(coverage({ ...diagnostics, topClusterShare: null }, 'user')).toEqual([])
})
