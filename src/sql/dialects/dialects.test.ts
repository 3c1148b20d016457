import { describe, expect, it } from 'vitest'
import { DIALECTS } from './index.js'
import { tableRelation } from '../table-relation.js'
import type { Dialect } from '../dialect.js'
import { row } from '../expression.js'
import type { Relation } from '../relation.js'
import { randomStream } from '../../random/stream.js'
import { dr } from '../../estimate/estimators/importance.js'
import { weightedReward } from '../../estimate/term.js'
import { clippedIps, drOs, subGaussianDr, switchDr } from '../../estimate/estimators/shrinking.js'
import { mips, offcem, snmips } from '../../estimate/estimators/categories.js'
import { LARGEST, SMALLEST } from '../../estimate/source/broken-rows.js'
import {
  factsQuery,
  faultsQuery,
  largestQuery,
  largestWithinQuery,
  secondFactsQuery,
  weightStepsQuery,
} from '../facts-queries.js'
import { sumsQuery } from '../sums-query.js'
import { type SqlView, uncategorisedQuery } from '../weighed-rows.js'

const relationIn = ({ identifier }: Dialect): Relation => ({
  from: `${identifier('shop')}.${identifier('impressions')}`,
  place: identifier('impression_id'),
  ids: { user: { text: identifier('user_id') }, item: { text: identifier('item_id') } },
  numbers: {
    reward: identifier('clicked'),
    propensity: identifier('p'),
    target: identifier('new_p'),
    q: identifier('q'),
    v: identifier('v'),
    weight: identifier('n'),
  },
})
const estimators = [clippedIps.with(10), drOs.with(4), subGaussianDr.with(0.1), switchDr.with(Infinity)]
const expressions = [
  weightedReward.expression,
  dr.ratios[0]!.numerator.expression,
  ...estimators.map(({ ratios }) => ratios[0]!.numerator.expression),
]

/** A query for columns of every kind, as a log has them. */
function columnsQuery(dialect: Dialect): string {
  const kinds = ['text', 'integer', 'number', 'boolean', 'time', 'instant', 'date'] as const
  const columns = kinds.map((kind) => ({ name: `a ${kind}`, type: kind, kind }))
  const read = (origins: Record<string, readonly string[]>): Relation =>
    tableRelation(dialect, { from: dialect.identifier('impressions'), columns }, origins)
  const { ids } = read({ user: ['a text', 'a integer'], item: ['a number'] })
  const numbers = ['a text', 'a boolean'].map((name) => read({ reward: [name] }).numbers.reward)
  const times = ['a text', 'a time', 'a instant', 'a date'].map((name) => read({ time: [name] }).numbers.time)
  return `SELECT ${[ids.user!.text, ids.item!.text, ...numbers, ...times].join(',\n')}\nFROM ${dialect.identifier('impressions')}`
}

/** How an engine reads a text or a name: whether a backslash gives the character behind it a meaning, and a double quote sign stands for one. */
const READERS: Readonly<Record<string, { readonly backslash: boolean; readonly doubled: boolean }>> = {
  duckdb: { backslash: false, doubled: true },
  postgresql: { backslash: false, doubled: true },
  trino: { backslash: false, doubled: true },
  spark: { backslash: true, doubled: false },
  databricks: { backslash: true, doubled: false },
  bigquery: { backslash: true, doubled: false },
  clickhouse: { backslash: true, doubled: true },
  snowflake: { backslash: true, doubled: true },
  redshift: { backslash: true, doubled: true },
}

/** What stands between the quotes, and what is left behind them. */
function readQuoted(
  sql: string,
  { backslash, doubled }: { readonly backslash: boolean; readonly doubled: boolean },
): { readonly text: string; readonly rest: string } {
  const quote = sql[0]
  let text = ''
  for (let place = 1; place < sql.length; place++) {
    const [here, next] = [sql[place]!, sql[place + 1]]
    if (backslash && here === '\\') {
      text += next === 'n' ? '\n' : next === 'r' ? '\r' : next
      place++
    } else if (here === quote && doubled && next === quote) {
      text += quote
      place++
    } else if (here === quote) return { text, rest: sql.slice(place + 1) }
    else text += here
  }
  return { text, rest: 'nothing ends it' }
}

/** A thousand texts made of what could end a text or a name, begin a comment or another statement. */
const HOSTILE = Array.from({ length: 1000 }, (_, seed) => {
  const { uniform } = randomStream(seed, 'conformance')
  const pieces = [
    "'",
    '"',
    '`',
    '\\',
    ';',
    '--',
    '/*',
    '*/',
    '\n',
    '\r',
    '$$',
    'é',
    '😀',
    ' OR 1=1',
    ')',
    '%',
    '#',
  ]
  return Array.from({ length: 1 + Math.floor(uniform() * 6) }, () => pieces[Math.floor(uniform() * pieces.length)]).join('') // prettier-ignore
})

describe.each(DIALECTS.map((dialect) => [dialect.label, dialect] as const))(
  'the SQL of %s',
  (_label, dialect) => {
    const view: SqlView = {
      dialect,
      relation: relationIn(dialect),
      target: { kind: 'column', name: 'new_p' },
      propensity: undefined,
      clickFrom: undefined,
      items: 20,
      model: undefined,
      categories: undefined,
      largest: LARGEST,
      smallest: SMALLEST,
    }
    const queries = {
      'sums by user': sumsQuery(view, expressions, {
        cluster: dialect.identifier('user_id'),
        inBuckets: false,
        isRow: false,
        isWhole: false,
      }),
      'sums by bucket of users': sumsQuery(view, [weightedReward.expression], {
        cluster: dialect.identifier('user_id'),
        inBuckets: true,
        isRow: false,
        isWhole: false,
      }),
      'sums by bucket of rows': sumsQuery(view, [weightedReward.expression], {
        cluster: dialect.identifier('impression_id'),
        inBuckets: true,
        isRow: true,
        isWhole: false,
      }),
      'sums by user and category': sumsQuery(
        { ...view, categories: { table: dialect.identifier('categories') } },
        [mips, snmips, offcem].map(({ ratios }) => ratios[0]!.numerator.expression),
        { cluster: dialect.identifier('user_id'), inBuckets: false, isRow: false, isWhole: true },
      ),
      'rows without a category': uncategorisedQuery(view, dialect.identifier('categories')),
      facts: factsQuery(view, { perDecade: 10, touching: 1e-9 }),
      'broken rows': faultsQuery(view),
      'largest weights': largestQuery(view, row.w, { count: 100, ofImpressions: false }),
      'rows at the floor': secondFactsQuery(view, { propensity: 0.1, day: undefined }),
      'the largest of a step': largestWithinQuery(view, { least: 1, most: 2, count: 10 }),
      'histogram of weights': weightStepsQuery(view, 'w', { perDecade: 10, touching: 1e-9 }),
    }

    it.each(Object.entries({ ...queries, 'columns of a table': columnsQuery(dialect) }))(
      'asks for %s',
      async (name, query) => {
        await expect(`${query}\n`).toMatchFileSnapshot(
          `__snapshots__/${dialect.name}/${name.replaceAll(' ', '-')}.sql`,
        )
      },
    )

    it('uses nothing that other engines do not have', () => {
      for (const query of Object.values(queries)) {
        expect(query).not.toMatch(/::|FILTER|TRY_CAST|HUGEINT|\/\//)
        // A subquery without a name is an error in PostgreSQL.
        expect(query.match(/\) AS \w+/g)?.length ?? 0).toBeGreaterThanOrEqual(
          query.match(/FROM \(/g)?.length ?? 0,
        )
      }
    })

    it('keeps a thousand hostile texts and names in their place', () => {
      const reader = READERS[dialect.name]!
      const nameReader = { ...reader, doubled: true, backslash: /^(bigquery|clickhouse)$/.test(dialect.name) }
      for (const text of HOSTILE) {
        expect(readQuoted(dialect.literal(text), reader)).toEqual({ text, rest: '' })
        expect(readQuoted(dialect.identifier(text), nameReader)).toEqual({ text, rest: '' })
      }
    })

    it('writes numbers to their last bit, and infinity', () => {
      expect(dialect.number(0.1 + 0.2)).toContain('0.30000000000000004')
      expect(dialect.number(5e-324)).toContain('5e-324')
      expect(dialect.number(Infinity)).toMatch(/inf/i)
    })
  },
)
