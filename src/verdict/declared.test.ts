import { describe, expect, it } from 'vitest'
import { type Declared, declaredReasons, FACT_WORDS } from './declared.js'
import { FACTS, type Said } from './said.js'

const base: Declared = { target: 'table:new.csv', propensitySource: 'logged', origin: { made: 'elsewhere' } }
const asked = (changed: Partial<Declared>): ReturnType<typeof declaredReasons> =>
  declaredReasons({ ...base, ...changed })
const codes = (changed: Partial<Declared>): string[] =>
  asked(changed).reasons.map(({ code, level }) => `${level} ${code}`)
const ALL = Object.fromEntries(FACTS.map((fact) => [fact, true])) as NonNullable<Said['facts']>

describe('what nobody said', () => {
  it('is taken for granted in one line, and lowers nothing', () => {
    const { reasons, notSaid, line } = asked({
      said: { facts: { people: true, complete: true, 'item-only': true } },
    })
    expect([reasons, notSaid]).toEqual([[], ['drawn-propensities', 'joined-by-impression']])
    expect(line).toBe(
      'Taken for granted: propensities were recorded when items were drawn, for the item shown after all rules; rewards are joined by impression, and had time to arrive.',
    )
    expect(asked({ said: { facts: ALL } })).toEqual({ reasons: [], notSaid: [], line: null })
  })

  it('is a caution where that is asked for', () => {
    const { line, reasons } = asked({ strict: true, said: { facts: { ...ALL, people: undefined as never } } })
    expect(line).toBeNull()
    expect(reasons).toMatchObject([
      { code: 'people-not-said', level: 'caution', message: 'Nobody said that each user id is one person.' },
    ])
    expect(codes({ strict: true })).toHaveLength(5)
  })
})

describe('what does not hold', () => {
  it.each(FACTS)('is a caution: %s', (fact) => {
    const { reasons, notSaid } = asked({ said: { facts: { ...ALL, [fact]: false } } })
    expect(reasons).toEqual([
      {
        code: FACT_WORDS[fact].code,
        level: 'caution',
        question: 'declared',
        shift: null,
        driver: null,
        message: FACT_WORDS[fact].fails,
        value: null,
      },
    ])
    expect(notSaid).toEqual([])
  })
})

describe('where the policy comes from', () => {
  it('is never taken for granted, and is a caution until it is said', () => {
    expect(codes({ origin: undefined })).toEqual(['caution policy-of-unknown-origin'])
    expect(codes({ origin: {} })).toEqual(['caution policy-of-unknown-origin'])
    for (const policyMade of ['elsewhere', 'held-out'] as const)
      expect(codes({ origin: undefined, said: { policyMade } })).toEqual([])
    expect(codes({ origin: undefined, said: { policyMade: 'this-log' } })).toEqual([
      'refuse trained-on-this-log',
    ])
  })

  it('is known of rules and of stamps, without being said', () => {
    for (const origin of [
      { made: 'elsewhere' },
      { made: 'held-out' },
      { made: 'elsewhere', share: 0 },
    ] as const)
      expect(codes({ origin })).toEqual([])
    expect(codes({ origin: { made: 'this-log', share: 1 } })).toEqual(['refuse trained-on-this-log'])
  })

  it('is as a stamp of this log says, whatever is said; one of another log does not outweigh the user', () => {
    const elsewhere = { policyMade: 'elsewhere' } as const
    const { reasons } = asked({ origin: { made: 'this-log', share: 0.4 }, said: elsewhere })
    expect(reasons[0]).toMatchObject({ code: 'trained-on-this-log', value: 0.4 })
    expect(reasons[0]!.message).toMatch(/^table:new.csv was made from 40 % of these rows, /)
    expect(codes({ origin: { made: 'elsewhere', share: 0 }, said: { policyMade: 'this-log' } })).toEqual([
      'refuse trained-on-this-log',
    ])
    // A rule is what it is.
    expect(codes({ said: { policyMade: 'this-log' } })).toEqual([])
  })

  it('names the share of rows that are perhaps the same', () => {
    const [reason] = asked({ origin: { share: 0.62 } }).reasons
    expect(reason).toMatchObject({ code: 'policy-of-unknown-origin', value: 0.62 })
    expect(reason!.message).toContain('62 % of this log’s rows')
  })
})

describe('what was not logged', () => {
  it('is at best a caution', () => {
    expect(codes({ propensitySource: 'estimated' })).toEqual(['caution propensities-estimated'])
    expect(codes({ propensitySource: 'assumed' })).toEqual(['caution propensities-assumed'])
    expect(codes({ estimateTakesModelAsTrue: true })).toEqual(['caution model-taken-as-true'])
  })

  it('need not be asked for: propensities that were not drawn, or that nothing uses', () => {
    for (const propensitySource of ['estimated', 'assumed', 'none'] as const) {
      expect(asked({ propensitySource }).notSaid).not.toContain('drawn-propensities')
      expect(
        codes({ propensitySource, said: { facts: { ...ALL, 'drawn-propensities': false } } }),
      ).not.toContain('caution propensities-not-drawn')
    }
  })
})
