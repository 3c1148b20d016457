import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { type LoggersChoice, markedLog } from '../loggers/loggers-choice.js'
import { itemMean } from '../reward/reward-model.js'
import { type ColumnTarget, sourceConformance } from './conformance.js'
import { memorySums } from './memory-sums.js'
import { Moments } from './moments.js'
import { changedIn, lackingIn } from './example-asks.js'
import type { Facts, Query, SumSource } from './source.js'

const memory = (
  log: Log,
  target: ColumnTarget,
  categories: readonly string[],
  loggers?: LoggersChoice,
): SumSource => {
  const seen = { target, seed: 0, rewardModel: itemMean, categories }
  const marked = loggers && markedLog(log, loggers)
  return marked ? memorySums(marked.log, { ...seen, loggers: marked }) : memorySums(log, seen)
}

describe('the source in memory', () => {
  it.each(
    sourceConformance(async (...asked) => memory(...asked)).map(({ name, run }) => [name, run] as const),
  )('gets right: %s', (_name, run) => run())
})

/** How many checks a source fails whose answers are changed. */
async function failures(change: (query: Query, answer: unknown) => unknown): Promise<number> {
  let failed = 0
  const checks = sourceConformance(async (...asked) => changedIn(memory(...asked), change))
  for (const { run } of checks) await run().catch(() => failed++)
  return failed
}

describe('the suite notices a source', () => {
  it('whose sums are off by one in a billion', async () => {
    const off = (query: Query, answer: unknown): unknown => {
      if (!(answer instanceof Moments) || query.ask !== 'sums') return answer
      const wrong = query.terms.map((term): [string, Float64Array] => [
        term.name,
        answer.sums(term).map((sum) => sum * (1 + 1e-9)),
      ])
      return new Moments(answer.keys, new Map(wrong))
    }
    expect(await failures(off)).toBeGreaterThan(5)
  })

  it('that counts no broken row, or a weight too few', async () => {
    const changed = (change: (facts: Facts) => Partial<Facts>) =>
      failures(({ ask }, answer) =>
        ask === 'facts' ? { ...(answer as Facts), ...change(answer as Facts) } : answer,
      )
    expect(await changed(() => ({ broken: { rows: 0, faults: [] } }))).toBeGreaterThanOrEqual(7)
    expect(await changed(({ topShare }) => ({ topShare: (topShare as number) / 2 }))).toBeGreaterThan(5)
    expect(await changed(() => ({}))).toBe(0)
  })

  it.each(['sums', 'largest', 'weights', 'pages', 'batch'] as const)(
    'that lacks its %s, unless it may',
    async (kind) => {
      const isTaken = ({ ask }: Query): boolean => ask === kind
      const failing = async (mayLack?: typeof isTaken): Promise<string[]> => {
        const failed: string[] = []
        const checks = sourceConformance(async (...asked) => lackingIn(memory(...asked), isTaken), mayLack)
        for (const { name, run } of checks) await run().catch(() => failed.push(name))
        return failed
      }
      expect((await failing()).length).toBeGreaterThan(0)
      // An evaluation asks for more than its case does.
      const left = (await failing(isTaken)).filter((name) => !/^clusters|^pages|random log/.test(name))
      expect(left).toEqual([])
    },
  )
})
