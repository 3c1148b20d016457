import { describe, expect, it } from 'vitest'
import type { HindcastError } from '../error.js'
import type { Policy } from '../policy/policy.js'
import type { VerdictLevel } from '../estimate/evaluation.js'
import { popularityTargets } from '../estimate/popularity-targets.js'
import { parseScoreRule } from '../policy/score-rule.js'
import { toyWorld } from '../world/toy.js'
import type { Arguments, Context } from './command.js'
import { evaluateOptionsOf, exitCodeFor, withNamedColumns } from './evaluate-options.js'
import { parseTarget, parseTargetInPlace } from './target-option.js'

const log = toyWorld({ seed: 1, users: 50, items: 10 }).draw()
const context: Context = {
  terminal: { print: () => {}, note: () => {}, status: () => {}, style: (_, text) => text },
  signal: new AbortController().signal,
}
const policyOf = async (typed: string): Promise<Policy> => {
  const target = await parseTarget(typed, { log, file: 'toy.csv' }, args({}), context)
  if (target.kind !== 'policy') throw new Error(`${typed} is no policy`)
  return target.policy
}

describe('--target popularity', () => {
  it.each(['softmax=1', 'softmax=Infinity', 'best', 'top=3', 'epsilon=0.1', 'rank'])(
    'popularity@%s is the popularity of the log by that rule',
    async (rule) => {
      const policy = await policyOf(`popularity@${rule}`)
      const wanted = popularityTargets(log).by(parseScoreRule(rule))
      expect(policy.name).toBe(wanted.name)
      for (const user of [0, 7, 49]) expect(policy.probabilities(user)).toEqual(wanted.probabilities(user))
    },
  )

  it.each(['popularity@', 'popularity@softmax=0', 'popularity@hot'])('%s has no such rule', async (typed) => {
    await expect(policyOf(typed)).rejects.toThrow('Scores cannot become probabilities by')
  })

  it.each([
    ['popularity', 'clicks', 'always the most clicked item', 'in proportion to clicks)'],
    ['scores:s.csv', 'scores', 'always the best item', 'in proportion to exp(score/1);'],
  ])('%s is asked for its rule, each ready to be typed', async (typed, what, best, softmax) => {
    const error = await policyOf(typed).catch((thrown: unknown) => thrown as HindcastError)
    const { message, remedy } = error as HindcastError
    expect(message).toBe(`${typed}: ${what} are no policy until a rule says how items are shown by them.`)
    expect(remedy).toContain(`${typed}@best (${best}; on pages a sorted list`)
    expect(remedy).toContain(`${typed}@softmax=1 (${softmax}`)
  })

  it('matches an amount of exploration by clicks too', async () => {
    const { ruled, name } = await policyOf('popularity@ess=0.5')
    expect(name).toBe('popularity@ess=0.5')
    expect(ruled!.temperature).toBeGreaterThan(0)
  })

  it.each(['popular', 'popularity:0.5', 'popularity 2'])('%s is not a target', async (typed) => {
    await expect(policyOf(typed)).rejects.toMatchObject({
      remedy: expect.stringContaining('popularity@RULE'),
    })
  })

  it('can be computed where the log is', async () => {
    expect(await parseTargetInPlace('popularity@softmax=0.5', args({}), context)).toEqual({
      kind: 'popularity',
      rule: { kind: 'softmax', temperature: 0.5 },
    })
    await expect(parseTargetInPlace('popularity', args({}), context)).rejects.toThrow('until a rule says')
    await expect(parseTargetInPlace('popularity@ess=0.2', args({}), context)).rejects.toThrow('in memory')
  })
})

const args = (values: Record<string, string>): Arguments => ({ positionals: [], values })

describe('--cluster', () => {
  it.each([
    ['auto', 'auto', undefined],
    ['user', 'user', undefined],
    ['day', 'day', undefined],
    ['user+day', 'user+day', undefined],
    ['row', 'row', undefined],
    ['column:shop', 'column', 'cluster=shop'],
    ['user+column:shop', 'user+column', 'cluster=shop'],
    ['column:shop+day', 'column+day', 'cluster=shop'],
    ['column:a+b', 'column', 'cluster=a+b'],
  ])('%s is %s, and maps the columns %s', async (typed, cluster, columns) => {
    expect(await evaluateOptionsOf(args({ cluster: typed }))).toEqual({ cluster })
    expect(withNamedColumns('uniform', args({ cluster: typed })).values.columns).toBe(columns)
  })

  it('is left to the evaluation where it is not given', async () => {
    expect(await evaluateOptionsOf(args({}))).toEqual({})
  })

  it.each(['', 'users', 'user+week', 'user+user', 'user+row', 'user+day+column:shop', 'column:', 'auto+day'])(
    'does not accept %j',
    async (typed) => {
      await expect(evaluateOptionsOf(args({ cluster: typed }))).rejects.toMatchObject({
        message: `--cluster does not accept ${JSON.stringify(typed)}.`,
        remedy: expect.stringContaining('user+day'),
      })
    },
  )

  it('takes one column, since a log has one cluster column', async () => {
    await expect(evaluateOptionsOf(args({ cluster: 'column:a+column:b' }))).rejects.toThrow(
      '--cluster names two columns',
    )
  })
})

describe('--reward-range', () => {
  it.each([
    ['0,5', [0, 5]],
    ['-1, 1', [-1, 1]],
    ['0,1e3', [0, 1000]],
  ])('%s', async (typed, rewardRange) => {
    expect(await evaluateOptionsOf(args({ 'reward-range': typed }))).toEqual({ rewardRange })
  })

  it.each(['', '5', '0,5,10', '5,0', '3,3', '0,', 'a,b', '0,Infinity'])(
    'does not accept %j',
    async (typed) => {
      await expect(evaluateOptionsOf(args({ 'reward-range': typed }))).rejects.toMatchObject({
        message: expect.stringContaining('expects the smallest and the largest possible reward'),
        remedy: expect.stringContaining('--reward-range 0,5'),
      })
    },
  )
})

describe('--tuning', () => {
  it('is paired or slope', async () => {
    expect(await evaluateOptionsOf(args({ tuning: 'slope' }))).toEqual({ tuning: 'slope' })
    expect(await evaluateOptionsOf(args({ tuning: 'paired' }))).toEqual({ tuning: 'paired' })
    await expect(evaluateOptionsOf(args({ tuning: 'best' }))).rejects.toThrow(
      '--tuning does not accept "best".',
    )
  })
})

describe('--fail-on', () => {
  const codeFor = (levels: readonly VerdictLevel[], limit?: string): number =>
    exitCodeFor(levels, { positionals: [], values: { 'fail-on': limit } })

  it.each([
    [undefined, { trust: 0, caution: 0, refuse: 1 }],
    ['refuse', { trust: 0, caution: 0, refuse: 1 }],
    ['caution', { trust: 0, caution: 1, refuse: 1 }],
    ['never', { trust: 0, caution: 0, refuse: 0 }],
  ] as const)('%s: a verdict of that level or a worse one fails', (limit, codes) => {
    for (const level of ['trust', 'caution', 'refuse'] as const)
      expect(codeFor([level], limit), level).toBe(codes[level])
  })

  it('is about the worst of several verdicts', () => {
    expect(codeFor(['trust', 'refuse', 'trust'])).toBe(1)
    expect(codeFor(['trust', 'caution'], 'caution')).toBe(1)
    expect(codeFor(['trust', 'trust'], 'caution')).toBe(0)
    expect(() => codeFor(['trust'], 'warning')).toThrow('--fail-on does not accept "warning".')
  })
})
