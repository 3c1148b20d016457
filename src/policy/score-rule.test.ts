import { describe, expect, it } from 'vitest'
import {
  byRankPolicy,
  epsilonGreedyPolicy,
  probabilitiesByRule,
  softmaxPolicy,
  topKPolicy,
} from './ruled-policy.js'
import {
  type AskedRule,
  noRule,
  parseAskedRule,
  parseScoreRule,
  ruledName,
  ruleMeaning,
  type ScoreRule,
  scoreRuleText,
  splitRuledName,
  withoutRule,
} from './score-rule.js'

const refusal = (typed: string): string => {
  try {
    parseAskedRule(typed)
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

describe('parseScoreRule', () => {
  it.each<[string, ScoreRule]>([
    ['best', { kind: 'best' }],
    ['top=5', { kind: 'top', k: 5 }],
    ['epsilon=0.1', { kind: 'epsilon', epsilon: 0.1 }],
    ['softmax=1', { kind: 'softmax', temperature: 1 }],
    ['softmax=0.25', { kind: 'softmax', temperature: 0.25 }],
    ['softmax=Infinity', { kind: 'softmax', temperature: Infinity }],
    ['rank', { kind: 'rank' }],
  ])('reads %s, and writes it again', (typed, rule) => {
    expect(parseScoreRule(typed)).toEqual(rule)
    expect(scoreRuleText(rule)).toBe(typed)
  })

  it.each([
    '',
    'hot',
    'best=3',
    'epsilon',
    'epsilon=1.5',
    'top',
    'top=0',
    'top=2.5',
    'softmax',
    'softmax=0',
    'softmax=NaN',
  ])('refuses %j and lists what it takes', (typed) => {
    expect(() => parseScoreRule(typed)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        remedy: expect.stringMatching(
          /^Use @best .*@top=K .*@epsilon=E .*@softmax=T .*@rank .*@ess=S .*@entropy=S/,
        ) as string,
      }) as Error,
    )
  })

  it('needs a log for what depends on one', () => {
    expect(() => parseScoreRule('ess=0.2')).toThrow('it takes a log in memory to choose the temperature')
  })

  it.each([
    ['0.5', 'softmax=0.5'],
    ['1', 'softmax=1'],
    ['Infinity', 'softmax=Infinity'],
    ['greedy', 'best'],
    ['greedy:0', 'best'],
    ['greedy:0.1', 'epsilon=0.1'],
    ['top:5', 'top=5'],
    ['topk=5', 'top=5'],
    ['ess:0.2', 'ess=0.2'],
    ['Best', 'best'],
  ])('names the rule that %s stood for: %s', (typed, now) => {
    expect(refusal(typed)).toBe(
      `Scores cannot become probabilities by @${typed}: this is now written @${now}.`,
    )
  })

  it('has one spelling of the best item alone', () => {
    expect(refusal('epsilon=0')).toContain('this is the best item: @best')
  })
})

describe('parseAskedRule', () => {
  it.each<[string, AskedRule]>([
    ['ess=0.2', { kind: 'ess', share: 0.2 }],
    ['entropy=0.5', { kind: 'entropy', share: 0.5 }],
    ['softmax=0.5', { kind: 'softmax', temperature: 0.5 }],
  ])('reads %s, and writes it again', (typed, rule) => {
    expect(parseAskedRule(typed)).toEqual(rule)
    expect(scoreRuleText(rule)).toBe(typed)
  })

  it.each(['ess', 'ess=', 'ess=0', 'ess=1', 'ess=20', 'entropy=-1', 'rank=3'])('refuses %j', (typed) => {
    expect(refusal(typed)).toContain('Scores cannot become probabilities')
  })
})

describe('names', () => {
  const rules: AskedRule[] = [
    ...[1e-7, 0.25, 1, 3e21, Infinity].map((temperature) => ({ kind: 'softmax', temperature }) as const),
    ...[1e-7, 0.1].map((epsilon) => ({ kind: 'epsilon', epsilon }) as const),
    { kind: 'best' },
    { kind: 'top', k: 5 },
    { kind: 'rank' },
    { kind: 'ess', share: 0.2 },
    { kind: 'entropy', share: 1e-7 },
  ]

  it.each(rules.map((rule) => [scoreRuleText(rule), rule] as const))('end with @%s', (text, rule) => {
    expect(ruledName('model:a@b.csv', rule)).toBe(`model:a@b.csv@${text}`)
    expect(splitRuledName(`model:a@b.csv@${text}`)).toEqual({ scores: 'model:a@b.csv', rule })
    expect(withoutRule(`model:a@b.csv@${text}`)).toBe('model:a@b.csv')
  })

  it('keep an @ that belongs to them', () => {
    for (const name of ['scores:me@shop.csv', 'model:runs@home/today', 'popularity', '@rank'])
      expect(splitRuledName(name)).toEqual({ scores: name })
  })

  it('are explained in words', () => {
    expect(
      ['best', 'top=3', 'epsilon=0.1', 'softmax=0.5', 'rank', 'softmax=Infinity'].map((typed) =>
        ruleMeaning(parseAskedRule(typed)),
      ),
    ).toEqual([
      'always the best item',
      'one of the 3 best items, equally often',
      'the best item, or with probability 0.1 any scored item',
      'in proportion to exp(score/0.5)',
      'in proportion to 1/rank',
      'all scored items equally often',
    ])
  })
})

describe('scores without a rule', () => {
  it('are asked for one, each ready to be typed', () => {
    const { message, remedy } = noRule('scores:s.csv')
    expect(message).toBe('scores:s.csv: scores are no policy until a rule says how items are shown by them.')
    const typed = [...remedy!.matchAll(/scores:s\.csv@(\S+)/g)].map(([, rule]) => rule!)
    expect(typed.map((rule) => parseAskedRule(rule).kind)).toEqual(['best', 'top', 'epsilon', 'softmax', 'rank', 'ess', 'entropy']) // prettier-ignore
  })

  it('are not offered in an engine what needs the log in memory', () => {
    expect(noRule('scores:s.csv', true).remedy).not.toMatch(/ess=|entropy=/)
  })
})

/** Four items, the second best tied, and one that is never shown. */
const SCORES = Float64Array.of(1, 3, 3, -Infinity, 0)
const RULES = [
  'best',
  'top=1',
  'top=2',
  'top=3',
  'epsilon=0.2',
  'epsilon=1',
  'softmax=0.7',
  'softmax=Infinity',
  'rank',
]
const by = (typed: string, scores = SCORES): number[] =>
  Array.from(probabilitiesByRule(parseScoreRule(typed), scores, 's'))

describe('probabilitiesByRule', () => {
  it.each<[string, number[]]>([
    ['best', [0, 1 / 2, 1 / 2, 0, 0]],
    ['top=1', [0, 1 / 2, 1 / 2, 0, 0]],
    ['top=3', [1 / 3, 1 / 3, 1 / 3, 0, 0]],
    ['epsilon=0.2', [0.05, 0.45, 0.45, 0, 0.05]],
    ['softmax=Infinity', [0.25, 0.25, 0.25, 0, 0.25]],
    // Ranks 3, 1 or 2, 1 or 2, and 4: 12/25 · (1/3, 3/4, 3/4, 1/4).
    ['rank', [0.16, 0.36, 0.36, 0, 0.12]],
  ])('is exact for %s', (typed, expected) => {
    by(typed).forEach((p, item) => expect(p).toBeCloseTo(expected[item]!, 15))
  })

  it('is exact for softmax: odds of exp(difference/T)', () => {
    const p = by('softmax=2', Float64Array.of(0, 2 * Math.log(3)))
    expect(p[0]).toBeCloseTo(0.25, 15)
    expect(p[1]).toBeCloseTo(0.75, 15)
  })

  it.each(RULES)('sums to 1: %s', (typed) => {
    expect(by(typed).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 15)
  })

  it('gives the probabilities of the policies of the same kind', () => {
    expect(by('softmax=0.7')).toEqual(Array.from(softmaxPolicy('s', SCORES, 0.7).probabilities(0)))
    expect(by('epsilon=0.2')).toEqual(Array.from(epsilonGreedyPolicy('s', SCORES, 0.2).probabilities(0)))
    expect(by('best')).toEqual(Array.from(epsilonGreedyPolicy('s', SCORES, 0).probabilities(0)))
    expect(by('rank')).toEqual(Array.from(byRankPolicy('s', SCORES).probabilities(0)))
    expect(by('top=3')).toEqual(Array.from(topKPolicy('s', SCORES, 3).probabilities(0)))
  })

  it.each(RULES.filter((rule) => !rule.startsWith('softmax')))(
    'does not see the scale of scores: %s',
    (typed) => {
      const scaled = (scale: number): number[] =>
        by(
          typed,
          Float64Array.of(0.3, -1, 2, 0.7, 0.7).map((score) => scale * score),
        )
      expect(scaled(10)).toEqual(scaled(1))
      expect(scaled(1e-6)).toEqual(scaled(1))
    },
  )

  it('cannot show an item where none has a score', () => {
    expect(() =>
      probabilitiesByRule(parseScoreRule('best'), Float64Array.of(-Infinity), 's.csv, user "u7"'),
    ).toThrow('s.csv, user "u7": no item can be shown.')
  })
})
