import { describe, expect, it } from 'vitest'
import { DIALECTS } from './index.js'
import { row } from '../expression.js'
import type { Relation } from '../relation.js'
import { correctedValue, weightedReward } from '../../estimate/term.js'
import { clippedIps } from '../../estimate/estimators/clipped-ips.js'
import { drOs } from '../../estimate/estimators/dr-os.js'
import { mips } from '../../estimate/estimators/mips.js'
import { offcem } from '../../estimate/estimators/offcem.js'
import { snmips } from '../../estimate/estimators/snmips.js'
import { subGaussianDr } from '../../estimate/estimators/sub-gaussian-dr.js'
import { switchDr } from '../../estimate/estimators/switch-dr.js'
import { LARGEST, SMALLEST } from '../../estimate/source/broken-rows.js'
import {
  atPropensityQuery,
  factsQuery,
  faultsQuery,
  largestQuery,
  medianWeightQuery,
  topSumQuery,
  weightStepsQuery,
} from '../facts-queries.js'
import { sumsQuery } from '../sums-query.js'
import { type SqlView, uncategorisedQuery } from '../weighed-rows.js'

const relation: Relation = {
  from: '"shop"."impressions"',
  place: '"impression_id"',
  ids: { user: { text: '"user_id"' }, item: { text: '"item_id"' } },
  numbers: { reward: '"clicked"', propensity: '"p"', target: '"new_p"', q: '"q"', v: '"v"', weight: '"n"' },
}
const estimators = [clippedIps.with(10), drOs.with(4), subGaussianDr.with(0.1), switchDr.with(Infinity)]
const expressions = [
  weightedReward.expression,
  correctedValue.expression,
  ...estimators.map(({ ratios }) => ratios[0]!.numerator.expression),
]

describe.each(DIALECTS.map((dialect) => [dialect.label, dialect] as const))(
  'the SQL of %s',
  (_label, dialect) => {
    const view: SqlView = {
      dialect,
      relation,
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
      'sums by user': sumsQuery(view, expressions, { cluster: '"user_id"', inBuckets: false, isRow: false }),
      'sums by bucket of users': sumsQuery(view, [weightedReward.expression], {
        cluster: '"user_id"',
        inBuckets: true,
        isRow: false,
      }),
      'sums by bucket of rows': sumsQuery(view, [weightedReward.expression], {
        cluster: '"impression_id"',
        inBuckets: true,
        isRow: true,
      }),
      'sums by user and category': sumsQuery(
        { ...view, categories: { table: '"categories"' } },
        [mips, snmips, offcem].map(({ ratios }) => ratios[0]!.numerator.expression),
        { cluster: '"user_id"', inBuckets: false, isRow: false },
      ),
      'rows without a category': uncategorisedQuery(view, '"categories"'),
      facts: factsQuery(view),
      'broken rows': faultsQuery(view),
      'largest weights': largestQuery(view, row.w, 100),
      'weight of the top': topSumQuery(view, 10),
      'rows at the floor': atPropensityQuery(view, 0.1),
      'median weight': medianWeightQuery(view),
      'histogram of weights': weightStepsQuery(view, 10, 1e-9),
    }

    it.each(Object.entries(queries))('asks for %s', async (name, query) => {
      await expect(`${query}\n`).toMatchFileSnapshot(
        `__snapshots__/${dialect.name}/${name.replaceAll(' ', '-')}.sql`,
      )
    })

    it('uses nothing that other engines do not have', () => {
      for (const query of Object.values(queries)) {
        expect(query).not.toMatch(/::|FILTER|TRY_CAST|HUGEINT|\/\//)
        // A subquery without a name is an error in PostgreSQL.
        expect(query.match(/\) AS \w+/g)?.length ?? 0).toBeGreaterThanOrEqual(
          query.match(/FROM \(/g)?.length ?? 0,
        )
      }
    })

    it('writes numbers to their last bit, and infinity', () => {
      expect(dialect.number(0.1 + 0.2)).toContain('0.30000000000000004')
      expect(dialect.number(5e-324)).toContain('5e-324')
      expect(dialect.number(Infinity)).toMatch(/inf/i)
    })
  },
)
