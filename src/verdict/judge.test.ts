import { describe, expect, it } from 'vitest'
import type { Check, Suspicion } from './check.js'
import { differenceOf, type Judged, judgeOutcomes } from './judge.js'

const check = (code: string, question: Check['question'] = 'rewards'): Check => ({
  code,
  question,
  finds: '',
  helps: '',
  without: () => undefined,
  asks: () => ({}),
  judge: () => [],
})

/** A shift with a thousandth of it as its error, from a hundred users alike. */
const certain = (shift: number): NonNullable<Suspicion['repaired']> => ({
  shift,
  users: Float64Array.from({ length: 100 }, (_, g) => ((g % 2 ? 1 : -1) * Math.abs(shift)) / 1e4),
  effectiveUsers: 100,
})

const suspicion = (shift: number, more: Partial<Suspicion> = {}): Suspicion => ({
  repaired: certain(shift),
  seen: 'Some rows are copies.',
  how: 'without copies',
  ...more,
})

const answer: Judged = {
  value: 0.3,
  interval: [0.2, 0.4],
  noun: 'the answer',
  scale: 1,
  matters: 0,
  accept: {},
  clusters: 500,
}
const judged = (shift: number, changes: Partial<Judged> = {}, more: Partial<Suspicion> = {}) =>
  judgeOutcomes([{ check: check('copies'), suspicions: [suspicion(shift, more)] }], { ...answer, ...changes })

describe('a fault', () => {
  it.each([
    [0.02, 'note'],
    [0.03, 'caution'],
    [-0.09, 'caution'],
    [0.15, 'refuse'],
  ])('that moves the answer by %f of a margin of .1 is a %s', (shift, level) => {
    expect(judged(shift).reasons.map((reason) => [reason.level, reason.shift])).toEqual([[level, shift]])
  })

  it('says what the answer would be without it, and by how much of the margin it moves', () => {
    expect(judged(0.03).reasons[0]!.message).toBe(
      'Some rows are copies (p < 0.001). Repaired, without copies, the answer would be 0.33 instead of 0.30: 0.3 of its margin of error.',
    )
  })

  it('widens the interval to a hull that covers if either is right, notes included', () => {
    expect(judged(0.02).hull).toEqual([0.2, 0.42000000000000004])
    expect(judged(-0.05).hull).toEqual([0.15000000000000002, 0.4])
    expect(judged(0).hull).toBeUndefined()
  })

  it('of chance is no reason', () => {
    const { reasons } = judged(
      0.3,
      {},
      { repaired: { ...certain(0.3), users: new Float64Array(100).map((_, g) => (g % 2 ? 0.1 : -0.1)) } },
    )
    expect(reasons).toEqual([])
  })

  it('is weighed against what matters, where that is more than the margin', () => {
    expect(judged(0.15, { matters: 1 }).reasons[0]!.level).toBe('note')
  })

  it('refuses nothing by fewer than forty users, nor where a harmless cause looks the same', () => {
    expect(judged(0.3, { clusters: 39 }).reasons[0]!.level).toBe('caution')
    const harmless = { level: 'caution', text: 'So may be.' } as const
    expect(judged(0.3, {}, { harmless }).reasons[0]!.level).toBe('caution')
  })

  it('that is accepted is said, and lowers nothing', () => {
    const { reasons, hull } = judged(0.3, { accept: { copies: 'a test of the pipeline' } })
    expect(reasons[0]!.level).toBe('note')
    expect(reasons[0]!.message).toContain('Accepted: a test of the pipeline.')
    expect(hull).toBeUndefined()
  })

  it('without a repair refuses', () => {
    expect(judged(0, {}, { repaired: null, chance: 1e-6 }).reasons[0]).toMatchObject({
      level: 'refuse',
      shift: null,
    })
  })
})

describe('a question', () => {
  it('that a source could not answer is lacking, never passed', () => {
    const { questions } = judgeOutcomes(
      [{ check: check('copies'), without: 'the statement did not ask', isLacking: true }],
      answer,
    )
    expect(questions).toContainEqual({
      question: 'rewards',
      level: 'lacking',
      text: 'Not checked: the statement did not ask.',
    })
  })

  it('that no column of the log allows is not applicable', () => {
    const { questions } = judgeOutcomes(
      [{ check: check('late'), without: 'the log has no times', isLacking: false }],
      answer,
    )
    expect(questions[0]).toMatchObject({ level: 'not-applicable' })
  })

  it('says which faults the log is too small to show', () => {
    const wide = { ...certain(0.001), users: Float64Array.from({ length: 100 }, () => 0.004) }
    const { questions } = judged(0.001, {}, { repaired: wide })
    expect(questions[0]!.text).toMatch(/less than 0.13\d? cannot be seen/)
  })

  it('says so of a log whose users are too few for any check', () => {
    const nothing = [{ check: check('copies'), suspicions: [] }]
    const small = /half of its margin of error cannot be seen in so small a log/
    const textOf = (outcomes: typeof nothing, changes: Partial<Judged>): string =>
      judgeOutcomes(outcomes, { ...answer, ...changes }).questions[0]!.text
    expect(textOf(nothing, { clusters: 29 })).toMatch(small)
    expect(textOf(nothing, { clusters: 40 })).not.toMatch(small)
    // Of many users a few may carry all rewards.
    const { questions } = judged(0.001, {}, { repaired: { ...certain(0.001), effectiveUsers: 29 } })
    expect(questions[0]!.text).toMatch(small)
  })

  it('says so of the smallest rewards', () => {
    const small = { ...certain(1e-42), users: Float64Array.from({ length: 100 }, () => 4e-42) }
    const changes = { value: 3e-41, interval: [2e-41, 4e-41] } as const
    expect(judged(1e-42, changes, { repaired: small }).questions[0]!.text).toMatch(
      /less than 1\.3\d? × 10⁻⁴⁰ cannot be seen/,
    )
  })
})

it('a difference is moved by what a fault does to one policy and not to the other', () => {
  const outcomes = (shift: number) => [{ check: check('copies'), suspicions: [suspicion(shift)] }]
  const shiftOf = (target: number, baseline: number): number | undefined => {
    const [outcome] = differenceOf(outcomes(target), outcomes(baseline))
    return outcome && 'suspicions' in outcome ? outcome.suspicions[0]?.repaired?.shift : undefined
  }
  expect(shiftOf(0.5, 0.25)).toBe(0.25)
  expect(shiftOf(0.5, 0.5)).toBe(0)
  const [alone] = differenceOf([{ check: check('copies'), suspicions: [] }], outcomes(0.5))
  expect(alone && 'suspicions' in alone && alone.suspicions[0]!.repaired!.shift).toBe(-0.5)
})

describe('a fault that each policy of a difference has repaired otherwise', () => {
  const repairedBy = (how: string, shift: number, also: readonly [string, number][] = []) => [
    {
      check: check('copies'),
      suspicions: [
        suspicion(shift, {
          how,
          chance: 1e-6,
          also: also.map(([name, other]) => ({ ...certain(other), how: name })),
        }),
      ],
    },
  ]
  const differing = (...[target, baseline]: Parameters<typeof differenceOf>): readonly Suspicion[] => {
    const [outcome] = differenceOf(target, baseline)
    return outcome && 'suspicions' in outcome ? outcome.suspicions : []
  }

  it('is repaired as the target is, on both sides', () => {
    const [one, ...others] = differing(
      repairedBy('from the last', 0.5, [['to the first', 0.25]]),
      repairedBy('to the first', -0.75, [['from the last', 0.125]]),
    )
    expect(others).toEqual([])
    expect(one).toMatchObject({ how: 'from the last', repaired: { shift: 0.375 } })
    expect(one!.also).toMatchObject([{ how: 'to the first', shift: 1 }])
  })

  it('moves the difference by an unknown amount where the baseline was not repaired so', () => {
    const found = differing(repairedBy('from the last', 0.5), repairedBy('to the first', 0.25))
    expect(found).toMatchObject([{ how: 'from the last', repaired: null }])
  })
})
