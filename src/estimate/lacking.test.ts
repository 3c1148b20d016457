import { expect, it } from 'vitest'
import { evaluateSource } from './evaluate-source.js'
import type { Evaluation } from './evaluation.js'
import { logOfDays, sumsOf } from './example-days.js'
import { drawnPages } from './source/page-conformance.js'
import { TAKEN_AWAY, lackingIn } from './source/example-asks.js'
import type { Query, SumSource } from './source/source.js'

/** Sources whose answers are trusted. */
const SOURCES: readonly (readonly [string, SumSource, string])[] = [
  ['clicks over days', sumsOf(logOfDays(3, { rows: 6000, users: 900, days: 12, spread: 1 })), 'snips'],
  ['clicks with a chosen λ', sumsOf(logOfDays(3, { rows: 6000, users: 900, days: 12, spread: 1 })), 'clipped-ips'], // prettier-ignore
  ['pages', sumsOf(drawnPages({ seed: 9, pages: 3000, slots: 3, users: 900, propensities: 'conditional' })), 'snrips'], // prettier-ignore
]

const evaluated = async (source: SumSource, estimator: string): Promise<Evaluation> =>
  (await evaluateSource(source, { estimators: [estimator], said: { policyMade: 'elsewhere' } })).evaluation

const LEVELS = ['trust', 'caution', 'refuse']

it.each(SOURCES)(
  'no verdict rises, and none is trust, without an answer that was asked for: %s',
  async (_, source, estimator) => {
    const { verdict } = await evaluated(source, estimator)
    const kinds = new Set<Query['ask']>()
    await evaluated(
      lackingIn(source, ({ ask }) => kinds.add(ask) && false),
      estimator,
    )
    expect(kinds.size).toBeGreaterThanOrEqual(3)
    for (const kind of kinds) {
      const without = lackingIn(source, ({ ask }) => ask === kind)
      const evaluation = await evaluated(without, estimator).catch((cause: Error) => cause)
      // Without facts, or sums of rows, there is nothing to judge.
      if (evaluation instanceof Error) {
        expect([kind, evaluation.message]).toEqual([kind, expect.stringContaining(TAKEN_AWAY.lacking)])
        continue
      }
      const { level, reasons } = evaluation.verdict
      expect(LEVELS.indexOf(level)).toBeGreaterThanOrEqual(Math.max(1, LEVELS.indexOf(verdict.level)))
      expect(reasons.map(({ message }) => message).join(' ')).toContain(TAKEN_AWAY.lacking)
    }
  },
)
