import { describe, expect, it } from 'vitest'
import type { SqlColumn } from '../column-kind.js'
import { DIALECTS } from '../dialects/index.js'
import { row, times } from '../expression.js'
import { tableRelation } from '../table-relation.js'
import { dbtModel, dbtReference } from './dbt.js'
import { comment } from './layout.js'
import { type PolicyTable, policyTarget } from './policy-steps.js'
import type { ScriptAsked } from './script-asked.js'
import { sumsScript } from './sums-script.js'
import { partsOfName, tableSql } from '../table-name.js'

const columns: readonly SqlColumn[] = [
  { name: 'user_id', type: 'text', kind: 'text' },
  { name: 'sku', type: 'text', kind: 'text' },
  { name: 'clicked', type: 'number', kind: 'number' },
  { name: 'p', type: 'number', kind: 'number' },
  { name: 'shown_at', type: 'time', kind: 'time' },
]
const origins = {
  user: ['user_id'],
  item: ['sku'],
  reward: ['clicked'],
  propensity: ['p'],
  time: ['shown_at'],
}

describe.each(DIALECTS.map((dialect) => [dialect.label, dialect] as const))(
  'the statement in the SQL of %s',
  (_label, dialect) => {
    const asked: ScriptAsked = {
      dialect,
      relation: tableRelation(dialect, { from: tableSql(dialect, 'shop.impressions'), columns }, origins),
      target: { kind: 'uniform' },
      propensity: undefined,
      clickFrom: undefined,
      largest: 1e50,
      smallest: 1e-50,
      expressions: [row.w, times(row.w, row.r)],
      ways: ['user', 'day'],
      settings: { target: 'uniform' },
      about: 'Sums.',
    }
    const policy: PolicyTable = { from: tableSql(dialect, 'shop.policy'), user: dialect.identifier('u'), item: dialect.identifier('i'), probability: dialect.identifier('p'), missing: 'logging' } // prettier-ignore

    it('is this', async () => {
      await expect(sumsScript(asked)).toMatchFileSnapshot(`__snapshots__/${dialect.name}.sql`)
      const joined = sumsScript({
        ...asked,
        ways: ['user'],
        policy,
        target: policyTarget('shop.policy', policy),
      })
      // What a policy adds is the same in all.
      if (dialect.name === 'duckdb')
        await expect(joined).toMatchFileSnapshot('__snapshots__/duckdb-policy.sql')
      else expect(joined).toContain('policy')
    })

    it('uses nothing that other engines do not have', () => {
      const written = sumsScript(asked)
      expect(written).not.toMatch(/::|FILTER|HUGEINT|\bQUALIFY\b/)
      // A subquery without a name is an error in PostgreSQL.
      expect(written.match(/\) AS \w+/g)!.length).toBeGreaterThanOrEqual(written.match(/FROM \(/g)!.length)
    })

    it('keeps hostile names in their place', () => {
      const hostile = `x"; DROP TABLE t; --\n'\`/*`
      const table = `"shop.""a"."${hostile.replaceAll('"', '""')}"`
      expect(partsOfName(table)).toEqual(['shop."a', hostile])
      const named = columns.map((one) => (one.name === 'p' ? { ...one, name: hostile } : one))
      const from = tableSql(dialect, table)
      const relation = tableRelation(dialect, { from, columns: named }, { ...origins, propensity: [hostile] })
      expect(relation.from).toBe(`${dialect.identifier('shop."a')}.${dialect.identifier(hostile)}`)
      expect(relation.numbers.propensity).toContain(dialect.identifier(hostile))
      const written = sumsScript({ ...asked, settings: { table: hostile }, about: hostile })
      expect(written.startsWith('-- x"; DROP TABLE t; --\n-- ')).toBe(true)
      // Without its comments and quoted texts, nothing of it is left.
      const bare = written.replaceAll(/^--.*$/gm, '').replaceAll(/'(?:[^'\\]|''|\\.)*'/gs, '')
      expect(bare).not.toContain('DROP')
    })
  },
)

describe('comments', () => {
  it('end with no kind of line break', () => {
    expect(comment('a\r\nb\u2028c\vd\re').split('\n').every((line) => line.startsWith('-- '))).toBe(true) // prettier-ignore
  })
})

describe('names of tables', () => {
  it.each(['', '.', 'a.', '.a', 'a..b', '"a', 'a"b'])('are refused where they are none: %s', (name) => {
    expect(() => partsOfName(name)).toThrow(/name of a table/)
  })
})

describe('dbt models', () => {
  it('refer to models and sources, and to nothing that a name could smuggle in', () => {
    expect(dbtReference('impressions')).toBe(`{{ ref('impressions') }}`)
    expect(dbtReference('shop.impressions')).toBe(`{{ source('shop', 'impressions') }}`)
    expect(() => dbtReference(`x')}}`)).toThrow(/dbt/)
    const reference = dbtReference('a')
    expect(dbtModel(`SELECT 1 FROM ${reference}`, [reference])).toMatch(/^\{\{ config/)
    expect(() => dbtModel(`SELECT "{{ x }}" FROM ${reference}`, [reference])).toThrow(/dbt would run/)
  })
})
