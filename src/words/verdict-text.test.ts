import { describe, expect, it } from 'vitest'
import type { Estimate, Verdict } from '../estimate/evaluation.js'
import {
  furtherReasons,
  hullText,
  jointLevel,
  otherVerdicts,
  verdictHeading,
  verdictWord,
} from './verdict-text.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const verdict = exampleVerdict
const estimate = (estimator: string, own: Verdict, value: number | null = 0.2): Estimate => ({
  estimator,
  value,
  se: null,
  interval: null,
  method: 't',
  verdict: own,
})

describe('verdicts other than the answer’s', () => {
  it('are named with the reasons that the answer does not have', () => {
    const answer = verdict('caution', 'few days')
    const estimates = [
      estimate('dm', verdict('refuse', 'no rows', 'few days')),
      estimate('snips', answer),
      estimate('ips', verdict('trust', 'many clicks', 'no row dominates')),
      estimate('dr', verdict('refuse', 'no rows', 'few days')),
    ]
    expect(
      otherVerdicts({ estimates, verdict: answer }).map(({ level, estimates: of, reasons }) => [
        level,
        of.map(({ estimator }) => estimator),
        reasons,
      ]),
    ).toEqual([
      ['refuse', ['dm', 'dr'], ['no rows']],
      ['trust', ['ips'], ['many clicks']],
    ])
  })

  it('are none where all agree, or an estimate has no value', () => {
    const trust = verdict('trust', 'many clicks')
    const estimates = [estimate('snips', trust), estimate('mips', verdict('refuse', 'no category'), null)]
    expect(otherVerdicts({ estimates, verdict: trust })).toEqual([])
  })

  it('begin with their shape', () => {
    expect((['trust', 'caution', 'refuse'] as const).map((level) => verdictWord({ level }))).toEqual([
      '✔ trust',
      '▲ caution',
      '✘ refuse',
    ])
  })
})

describe('several verdicts seen together', () => {
  it('are refused where all are, and no better than caution where one is', () => {
    expect(jointLevel(['refuse', 'refuse'])).toBe('refuse')
    expect(jointLevel(['refuse', 'trust'])).toBe('caution')
    expect(jointLevel(['caution', 'trust'])).toBe('caution')
    expect(jointLevel(['trust', 'trust'])).toBe('trust')
  })
})

describe('a verdict by its questions', () => {
  it('says of a refusal which of the two it is', () => {
    const refused = exampleVerdict('refuse', 'Few clicks.')
    expect(verdictHeading(refused)).toBe('✘ refuse: cannot tell')
    expect(verdictHeading({ ...refused, means: 'do-not-believe' })).toBe('✘ refuse: do not believe')
    expect(verdictHeading(exampleVerdict('caution', 'Few days.'))).toBe('▲ caution')
  })

  it('leaves to its reasons what no question has said', () => {
    const verdict = exampleVerdict('caution', 'Few days.', 'One user dominates.')
    expect(furtherReasons(verdict)).toEqual(['One user dominates.'])
  })

  it('has the interval with and without the faults, where there is one', () => {
    expect(hullText({ hull: [0.19, 0.2404] })).toBe('0.190–0.240 with and without these faults')
    expect(hullText({})).toBeUndefined()
  })
})
