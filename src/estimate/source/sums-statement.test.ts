import { describe, expect, it } from 'vitest'
import type { SqlColumn } from '../../sql/column-kind.js'
import { DIALECTS } from '../../sql/dialects/index.js'
import { type PolicyTable, policyTarget } from '../../sql/script/policy-steps.js'
import { partsOfName, tableSql } from '../../sql/table-name.js'
import { tableRelation } from '../../sql/table-relation.js'
import { type StatementAsked, sumsStatement } from './sums-statement.js'

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
    const asked: StatementAsked = {
      dialect,
      relation: tableRelation(dialect, { from: tableSql(dialect, 'shop.impressions'), columns }, origins),
      table: 'shop.impressions',
      target: { kind: 'uniform' },
      // What checks ask is text of the same kind.
      checks: { windows: [], sums: {}, factors: {} },
    }
    const written = (further: Partial<StatementAsked> = {}): string =>
      sumsStatement({ ...asked, ...further }).sql
    const policy: PolicyTable = { from: tableSql(dialect, 'shop.policy'), user: dialect.identifier('u'), item: dialect.identifier('i'), probability: dialect.identifier('p'), missing: 'logging' } // prettier-ignore

    it('is this', async () => {
      await expect(written()).toMatchFileSnapshot(`__snapshots__/${dialect.name}.sql`)
      const joined = written({ cluster: 'user', policy, target: policyTarget('shop.policy', policy) })
      // What a policy adds is the same in all.
      if (dialect.name === 'duckdb')
        await expect(joined).toMatchFileSnapshot('__snapshots__/duckdb-policy.sql')
      else expect(joined).toContain('policy')
    })

    it('uses nothing that other engines do not have', () => {
      const { checks: _, ...whole } = asked
      const all = sumsStatement(whole).sql
      expect(all).not.toMatch(/::|FILTER|HUGEINT|\bQUALIFY\b/)
      // A subquery without a name is an error in PostgreSQL.
      expect(all.match(/\) AS \w+/g)!.length).toBeGreaterThanOrEqual(all.match(/FROM \(/g)!.length)
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
      const all = written({ table: hostile, about: () => hostile })
      expect(all.startsWith('-- x"; DROP TABLE t; --\n-- ')).toBe(true)
      // Without its comments and quoted texts, nothing of it is left.
      const bare = all.replaceAll(/^--.*$/gm, '').replaceAll(/'(?:[^'\\]|''|\\.)*'/gs, '')
      expect(bare).not.toContain('DROP')
    })
  },
)
