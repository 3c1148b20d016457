import { describe, expect, it } from 'vitest'
import { parseKinds, parseOutcomeMapping, parseWait, typedWait, waitText } from '../log/join/join-options.js'
import type { Arguments } from './command.js'
import { joinOptions, logNamed } from './join-options.js'

const typed = (values: Arguments['values'], ...positionals: string[]): Arguments => ({ positionals, values })
const kinds = { column: 'event', decisions: ['impression'], outcomes: ['click', 'order'] }

describe('the log of a command', () => {
  it.each([
    [typed({}, 'log.csv'), 'log.csv'],
    [typed({ decisions: 'a', outcomes: 'b' }), { decisions: 'a', outcomes: 'b' }],
    [typed({ outcomes: 'b' }, 'a'), { decisions: 'a', outcomes: 'b' }],
    [
      typed({ events: 'e', kind: 'event:impression=decision,click=outcome,order=outcome' }),
      { events: 'e', kinds },
    ],
    [typed({ kind: 'event:impression=decision,click=outcome,order=outcome' }, 'e'), { events: 'e', kinds }],
  ])('is what %j names', (args, log) => {
    expect(logNamed(args, 'evaluate')).toEqual(log)
  })

  it.each([
    [typed({}), 'hindcast evaluate needs a log.'],
    [typed({ decisions: 'a', outcomes: 'b' }, 'c'), 'more than one log: c and a'],
    [typed({ decisions: 'a' }), '--decisions needs outcomes to join.'],
    [typed({ wait: '10m' }, 'a'), '--wait needs outcomes to join.'],
    [typed({ events: 'e' }), '--events needs to know which events are decisions.'],
    [typed({ events: 'e', outcomes: 'b' }), '--outcomes and --kind exclude each other.'],
    [typed({ decisions: 'a', kind: 'k:a=decision,b=outcome' }), '--decisions needs outcomes to join.'],
  ])('is not clear from %j', (args, message) => {
    expect(() => logNamed(args, 'evaluate')).toThrow(message)
  })
})

describe('options of a join', () => {
  it('take the id of decisions out of the mapping of columns', () => {
    const columns = 'user=uid,decision=imp,propensity=min(p, 1)'
    expect(joinOptions(typed({ outcomes: 'b', columns, wait: '10m', reward: 'sum' }))).toEqual({
      join: { decision: 'imp', wait: 600_000, several: 'sum' },
      columns: 'user=uid,propensity=min(p, 1)',
    })
    expect(joinOptions(typed({ columns }))).toEqual({ columns })
  })

  it.each([
    ['30s', 30_000, '30 seconds'],
    ['10m', 600_000, '10 minutes'],
    ['1.5h', 5_400_000, '1.5 hours'],
    ['1d', 86_400_000, '1 day'],
    ['250 ms', 250, '250 milliseconds'],
  ])('a wait of %s is %d ms', (text, wait, words) => {
    expect(parseWait(text)).toBe(wait)
    expect(waitText(wait)).toBe(words)
  })

  it.each(['10', 'm', '-5m', '10 years', ''])('a wait of %j is an error', (text) => {
    expect(() => parseWait(text)).toThrow('wait does not accept')
  })

  it.each([
    [600_000, '10m'],
    [5_400_000, '90m'],
    [604_800_000, '1w'],
    [1500, '1500ms'],
    [0, '0ms'],
    [1e-7, '1e-7ms'],
    [1e300, undefined],
  ])('%d ms are typed so that they can be read back', (wait, typed) => {
    if (typed !== undefined) expect(typedWait(wait)).toBe(typed)
    expect(parseWait(typedWait(wait)) / (wait || 1)).toBeCloseTo(wait && 1)
  })

  it.each([
    'event',
    'event:a=decision',
    ':a=decision,b=outcome',
    'e:a=decision,a=outcome',
    'e:a=shown,b=outcome',
  ])('kinds of %j are an error', (text) => {
    expect(() => parseKinds(text)).toThrow('kinds does not accept')
  })

  it('columns of outcomes are named once, by known names', () => {
    expect(parseOutcomeMapping('decision=imp, reward=price * max(n, 1)')).toEqual({
      decision: 'imp',
      reward: 'price * max(n, 1)',
    })
    for (const text of ['user=u', 'time', 'id=a,id=b'])
      expect(() => parseOutcomeMapping(text)).toThrow('does not name a column of outcomes once')
  })
})
