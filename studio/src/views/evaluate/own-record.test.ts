import { describe, expect, it } from 'vitest'
import { parseAskedRule } from '$core/policy/score-rule.js'
import {
  choiceOf,
  type OwnPolicy,
  ownPoliciesIn,
  RULE_LABELS,
  ruleText,
  temperatureTyped,
  withOffered,
} from './own-record.js'

const offered = {
  fingerprint: '0123456789abcd',
  file: 'mine.csv',
  form: 'scores',
  columns: [],
  rule: '',
} as const
const own: OwnPolicy = {
  id: '01234567',
  fingerprint: '0123456789abcd',
  file: 'mine.csv',
  form: 'scores',
  rule: 'top=3',
  columns: { user: 'uid', probability: 'p', score: 's' },
}

describe('policies from files, as links keep them', () => {
  it('come back as they were', () => {
    expect(ownPoliciesIn(JSON.stringify([own]))).toEqual([own])
    expect(ownPoliciesIn('')).toEqual([])
  })

  it.each([
    'null',
    '{}',
    '[null, 1, "x", [], {}]',
    JSON.stringify([{ ...own, form: 'code' }]),
    JSON.stringify([{ ...own, id: '<b>' }]),
    JSON.stringify([{ ...own, fingerprint: 7 }]),
    '[{"__proto__": {"id": "a"}}]',
  ])('are left out where they make no sense: %s', (text) => {
    expect(ownPoliciesIn(text)).toEqual([])
  })

  it('keep only columns that are named', () => {
    const columns = { user: 1, item: '', score: 's', other: 'x' }
    expect(ownPoliciesIn(JSON.stringify([{ ...own, columns }]))).toEqual([
      { ...own, columns: { score: 's' } },
    ])
  })

  it('have ids of their own, though they come from one file', () => {
    const first = withOffered([], offered)
    const second = withOffered(first.list, offered)
    expect([first.id, second.id, second.list.length]).toEqual(['01234567', '01234567-2', 2])
  })

  it('are asked for with the columns of what the file holds', () => {
    const { id: _, rule, ...read } = own
    const columns = { user: 'uid', score: 's' }
    expect(choiceOf(own, 'error')).toEqual({
      ...read,
      kind: 'own',
      missingUser: 'error',
      rule: parseAskedRule(rule),
      columns,
    })
    expect(choiceOf({ ...own, form: 'table' }, 'error').columns).toEqual({ user: 'uid', probability: 'p' })
    expect(choiceOf({ ...own, form: 'model', columns: {} }, 'logging')).not.toHaveProperty('columns')
  })
})

describe('a rule', () => {
  it.each(Object.keys(RULE_LABELS) as (keyof typeof RULE_LABELS)[])(
    'of the kind %s starts as one',
    (kind) => {
      expect(parseAskedRule(ruleText(kind)).kind).toBe(kind)
    },
  )

  it('has a temperature where it is a softmax', () => {
    expect(['softmax=0.5', 'softmax=Infinity', 'rank', 'hot', ''].map(temperatureTyped)).toEqual([
      0.5,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
