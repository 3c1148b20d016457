import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { probabilitiesByRule } from '../policy/ruled-policy.js'
import { parseScoreRule } from '../policy/score-rule.js'
import { duckdb } from './dialects/duckdb.js'
import { probabilitiesByRuleSql } from './probabilities-by-rule.js'

/** Scores of two users, with ties at the top, in the middle and at the end. */
const SCORES = [
  [3, 1, 3, 2, 2, 2, -1],
  [0.5, 0.5],
]

describe('probabilitiesByRuleSql', () => {
  it.each(['softmax=0.7', 'rank', 'top=1', 'top=3', 'top=4', 'top=9', 'best', 'epsilon=0.3'])(
    'shares ties as in memory: %s',
    async (typed) => {
      const rule = parseScoreRule(typed)
      const rows = SCORES.flatMap((scores, user) => scores.map((score, item) => `(${user}, ${item}, CAST(${score} AS DOUBLE))`)) // prettier-ignore
      const listed = `SELECT * FROM (VALUES ${rows.join()}) AS given(user_id, item_id, listed)`
      const connection = await (await DuckDBInstance.create()).connect()
      const query = `${probabilitiesByRuleSql(duckdb, listed, 'user_id', rule)} ORDER BY user_id, item_id`
      const found = (await connection.runAndReadAll(query)).getRows().map(([, , probability]) => probability)
      const expected = SCORES.flatMap((scores) => [
        ...probabilitiesByRule(rule, Float64Array.from(scores), 's'),
      ])
      expect(found).toHaveLength(expected.length)
      expected.forEach((probability, k) => expect(found[k]).toBeCloseTo(probability, 12))
      connection.closeSync()
    },
  )
})
