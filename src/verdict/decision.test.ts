import { describe, expect, it } from 'vitest'
import { type Action, actionFor, decide, type Deciding, type Rival } from './decision.js'
import type { Means } from './verdict.js'

const rival = (target: string, difference: number, half: number, means: Means = 'decide'): Rival => ({
  target,
  difference,
  simultaneous: [difference - half, difference + half],
  lift: { value: difference / 0.1, simultaneous: [(difference - half) / 0.1, (difference + half) / 0.1] },
  verdict: { means },
})
const ask = (differences: readonly Rival[], more: Partial<Deciding> = {}) =>
  decide({ baseline: 'now', differences, confidence: 0.95, log: { rows: 1000, days: 7 }, ...more })

describe('the action', () => {
  const outcomes = { better: 0.02, worse: -0.02, undecided: 0.005 } as const
  it.each<[Means, keyof typeof outcomes, Action]>([
    ['decide', 'better', 'launch'],
    ['decide', 'worse', 'keep'],
    ['decide', 'undecided', 'undecided'],
    ['careful', 'better', 'test'],
    ['careful', 'worse', 'keep'],
    ['careful', 'undecided', 'test'],
    ...(['cannot-tell', 'do-not-believe'] as const).flatMap((means) =>
      (['better', 'worse', 'undecided'] as const).map((outcome): [Means, keyof typeof outcomes, Action] => [
        means,
        outcome,
        'cannot-tell',
      ]),
    ),
  ])('where the verdict means %s and the policy is %s: %s', (means, outcome, action) => {
    expect(actionFor(rival('new', outcomes[outcome], 0.01, means))).toBe(action)
  })

  it('is cannot-tell without a difference or an interval, and undecided between policies that never differ', () => {
    const none = {
      target: 'new',
      difference: null,
      simultaneous: null,
      lift: null,
      verdict: { means: 'decide' },
    } as const
    expect(actionFor(none)).toBe('cannot-tell')
    expect(actionFor({ ...none, difference: 0.1 })).toBe('cannot-tell')
    expect(actionFor({ ...none, difference: 0 })).toBe('undecided')
  })
})

describe('the decision about one policy', () => {
  it('launches it with its lift, and errs in half of 1 − confidence', () => {
    expect(ask([rival('new', 0.02, 0.01)])).toEqual({
      action: 'launch',
      policy: 'new',
      lift: expect.closeTo(0.2, 12) as number,
      interval: [expect.closeTo(0.1, 12), expect.closeTo(0.3, 12)],
      errorRate: expect.closeTo(0.025, 12) as number,
    })
  })

  it('keeps the baseline, with the lift of what is not launched', () => {
    expect(ask([rival('new', -0.02, 0.01)])).toMatchObject({ action: 'keep', policy: 'now', errorRate: null })
    expect(ask([rival('new', -0.02, 0.01)]).lift).toBeCloseTo(-0.2, 12)
  })

  it('says how large a log decides: as the square of the half-width to the difference', () => {
    expect(ask([rival('new', 0.005, 0.01)]).needed).toEqual({
      rows: expect.closeTo(4000, 6) as number,
      days: expect.closeTo(28, 8) as number,
    })
    expect(ask([rival('new', 0.005, 0.01)], { log: { rows: 1000, days: null } }).needed).toEqual({
      rows: expect.closeTo(4000, 6) as number,
      days: null,
    })
    expect(ask([rival('new', 0.0001, 0.01)])).not.toHaveProperty('needed')
    expect(ask([rival('new', 0.02, 0.01)])).not.toHaveProperty('needed')
  })

  it('has no number where the log can tell nothing', () => {
    expect(ask([rival('new', 0.02, 0.01, 'do-not-believe')])).toEqual({
      action: 'cannot-tell',
      policy: 'new',
      lift: null,
      interval: null,
      errorRate: null,
    })
  })

  it('has the interval of the difference where the baseline may earn nothing', () => {
    const unlifted = { ...rival('new', 0.02, 0.01), lift: { value: 2, simultaneous: null } }
    expect(ask([unlifted])).toMatchObject({ action: 'launch', lift: null, interval: [0.01, 0.03] })
  })
})

describe('the decision about several policies', () => {
  const [good, better, doubtful, open, bad, lost] = [
    rival('good', 0.02, 0.01),
    rival('better', 0.03, 0.01),
    rival('doubtful', 0.09, 0.01, 'careful'),
    rival('open', 0.001, 0.01),
    rival('bad', -0.02, 0.01),
    rival('lost', 0.2, 0.01, 'cannot-tell'),
  ]

  it('launches the one with the largest difference of those that may be launched', () => {
    expect(ask([good, better, doubtful, open, bad, lost], { errorRate: 0.02 })).toMatchObject({
      action: 'launch',
      policy: 'better',
      errorRate: 0.02,
    })
  })

  it('else tests, else waits, else keeps, else cannot tell', () => {
    expect(ask([doubtful, open, bad, lost])).toMatchObject({ action: 'test', policy: 'doubtful' })
    expect(ask([bad, open, lost])).toMatchObject({ action: 'undecided', policy: 'open' })
    expect(ask([lost, bad])).toMatchObject({ action: 'keep', policy: 'now' })
    expect(ask([lost])).toMatchObject({ action: 'cannot-tell', policy: 'lost' })
  })
})
