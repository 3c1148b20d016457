import { describe, expect, it } from 'vitest'
import { byRankPolicy } from './by-rank.js'
import { epsilonGreedyPolicy } from './epsilon-greedy.js'
import {
  type AskedRule,
  parseAskedRule,
  parseScoreRule,
  probabilitiesByRule,
  ruledName,
  type ScoreRule,
  scoreRuleText,
  withoutRule,
} from './score-rule.js'
import { softmaxPolicy } from './softmax.js'
import { topKPolicy } from './top-k.js'

describe('parseScoreRule', () => {
  it.each<[string, ScoreRule]>([
    ['1', { kind: 'softmax', temperature: 1 }],
    ['0.25', { kind: 'softmax', temperature: 0.25 }],
    ['Infinity', { kind: 'softmax', temperature: Infinity }],
    ['greedy', { kind: 'greedy', epsilon: 0 }],
    ['greedy:0.1', { kind: 'greedy', epsilon: 0.1 }],
    ['top:5', { kind: 'top', k: 5 }],
    ['rank', { kind: 'rank' }],
  ])('reads %s, and writes it again', (typed, rule) => {
    expect(parseScoreRule(typed)).toEqual(rule)
    expect(scoreRuleText(rule)).toBe(typed)
  })

  it.each(['', '0', '-1', 'hot', 'NaN', 'greedy:', 'greedy:1.5', 'top', 'top:0', 'top:2.5', 'best:3', '1:2'])(
    'refuses %j and lists what it takes',
    (typed) => {
      expect(() => parseScoreRule(typed)).toThrow(
        expect.objectContaining({ code: 'bad-option', remedy: expect.stringContaining('greedy:E') }) as Error,
      )
    },
  )
})

describe('withoutRule', () => {
  const rules: AskedRule[] = [
    ...[1e-7, 0.25, 1, 3e21, Infinity].map((temperature) => ({ kind: 'softmax', temperature }) as const),
    ...[0, 1e-7, 0.1].map((epsilon) => ({ kind: 'greedy', epsilon }) as const),
    { kind: 'top', k: 5 },
    { kind: 'rank' },
    { kind: 'ess', share: 0.2 },
    { kind: 'entropy', share: 1e-7 },
  ]

  it.each(rules.map((rule) => [scoreRuleText(rule), rule] as const))('takes away @%s', (text, rule) => {
    expect(ruledName('model:a@b.csv', rule)).toBe(`model:a@b.csv@${text}`)
    expect(withoutRule(`model:a@b.csv@${text}`)).toBe('model:a@b.csv')
  })

  it('leaves an @ that belongs to the name', () => {
    for (const name of ['scores:me@shop.csv', 'model:runs@home/today', 'popularity', '@1'])
      expect(withoutRule(name)).toBe(name)
  })
})

describe('parseAskedRule', () => {
  it.each<[string, AskedRule]>([
    ['ess=0.2', { kind: 'ess', share: 0.2 }],
    ['entropy=0.5', { kind: 'entropy', share: 0.5 }],
    ['0.5', { kind: 'softmax', temperature: 0.5 }],
  ])('reads %s, and writes it again', (typed, rule) => {
    expect(parseAskedRule(typed)).toEqual(rule)
    expect(scoreRuleText(rule)).toBe(typed)
  })

  it('reads topk=10 as top:10', () => {
    expect(parseAskedRule('topk=10')).toEqual({ kind: 'top', k: 10 })
  })

  it.each(['ess', 'ess=', 'ess=0', 'ess=1', 'ess=20', 'entropy=-1', 'rank=3', 'topk', 'topk=0'])(
    'refuses %j',
    (typed) => {
      expect(() => parseAskedRule(typed)).toThrow('Scores cannot become probabilities')
    },
  )

  it('needs a log for what depends on one', () => {
    expect(() => parseScoreRule('ess=0.2')).toThrow('it takes a log to choose the temperature')
  })
})

describe('probabilitiesByRule', () => {
  const scores = Float64Array.of(1, 3, 3, -Infinity, 0)

  it('gives the probabilities of the policies of the same kind', () => {
    const by = (rule: string): Float64Array => probabilitiesByRule(parseScoreRule(rule), scores, 's')
    expect(by('0.7')).toEqual(softmaxPolicy('s', scores, 0.7).probabilities(0))
    expect(by('greedy:0.2')).toEqual(epsilonGreedyPolicy('s', scores, 0.2).probabilities(0))
    expect(by('rank')).toEqual(byRankPolicy('s', scores).probabilities(0))
    expect(by('top:3')).toEqual(topKPolicy('s', scores, 3).probabilities(0))
  })

  it.each(['rank', 'top:2', 'greedy:0.1'])('does not see the scale of scores: %s', (rule) => {
    const by = (scale: number): number[] =>
      Array.from(probabilitiesByRule(parseScoreRule(rule), Float64Array.of(0.3, -1, 2, 0.7, 0.7).map((score) => scale * score), 's')) // prettier-ignore
    expect(by(10)).toEqual(by(1))
    expect(by(1e-6)).toEqual(by(1))
  })

  it('shares ties: of two best, each has half', () => {
    expect(Array.from(probabilitiesByRule(parseScoreRule('greedy'), scores, 's'))).toEqual([
      0, 0.5, 0.5, 0, 0,
    ])
  })

  it('cannot show an item where none has a score', () => {
    expect(() =>
      probabilitiesByRule(parseScoreRule('1'), Float64Array.of(-Infinity), 's.csv, user "u7"'),
    ).toThrow('s.csv, user "u7": no item can be shown.')
  })
})
