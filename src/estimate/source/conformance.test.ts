import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { type LoggersChoice, markedLog } from '../loggers/loggers-choice.js'
import { itemMean } from '../reward/reward-model.js'
import { type ColumnTarget, sourceConformance } from './conformance.js'
import { MemorySums } from './memory-sums.js'
import { Moments } from './moments.js'
import { type Facts, isLacking } from './source.js'

const memory = (
  log: Log,
  target: ColumnTarget,
  categories: readonly string[],
  loggers?: LoggersChoice,
): MemorySums => {
  const seen = { target, seed: 0, rewardModel: itemMean, categories }
  const marked = loggers && markedLog(log, loggers)
  return marked ? new MemorySums(marked.log, { ...seen, loggers: marked }) : new MemorySums(log, seen)
}

describe('the source in memory', () => {
  it.each(
    sourceConformance(async (...asked) => memory(...asked)).map(({ name, run }) => [name, run] as const),
  )('gets right: %s', (_name, run) => run())
})

/** How many checks a source fails. */
async function failures(change: (sums: MemorySums) => Partial<MemorySums>): Promise<number> {
  let failed = 0
  const checks = sourceConformance(async (...asked) => {
    const sums = memory(...asked)
    return {
      engine: 'changed',
      target: sums.target,
      holds: sums.holds,
      ask: (...asked) => sums.ask(...asked),
      moments: (...terms) => sums.moments(...terms),
      facts: () => sums.facts(),
      tail: (...asked) => sums.tail(...asked),
      medianWeight: () => sums.medianWeight(),
      weights: () => sums.weights(),
      ...change(sums),
    }
  })
  for (const { run } of checks) await run().catch(() => failed++)
  return failed
}

describe('the suite notices a source', () => {
  it('whose sums are off by one in a billion', async () => {
    const off = (sums: MemorySums): Partial<MemorySums> => ({
      moments: async (terms, by, rows) => {
        const moments = await sums.moments(terms, by, rows)
        if (isLacking(moments)) return moments
        const wrong = terms.map((term): [string, Float64Array] => [
          term.name,
          moments.sums(term).map((sum) => sum * (1 + 1e-9)),
        ])
        return new Moments(moments.keys, new Map(wrong))
      },
    })
    expect(await failures(off)).toBeGreaterThan(5)
  })

  it('that counts no broken row, or a weight too few', async () => {
    const changed = (change: (facts: Facts) => Partial<Facts>) =>
      failures((sums) => ({
        facts: async () => ({ ...(await sums.facts()), ...change(await sums.facts()) }),
      }))
    expect(await changed(() => ({ broken: { rows: 0, faults: [] } }))).toBeGreaterThanOrEqual(7)
    expect(await changed(({ topShare }) => ({ topShare: (topShare as number) / 2 }))).toBeGreaterThan(5)
    expect(await changed(() => ({}))).toBe(0)
  })
})
