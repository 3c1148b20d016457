import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itemMean } from '../src/estimate/reward/reward-model.js'
import type { Sensitivity } from '../src/estimate/evaluation.js'
import { sensitivityOf } from '../src/estimate/sensitivity/sensitivity.js'
import { memorySums } from '../src/estimate/source/memory-sums.js'
import { type Known, isLacking } from '../src/estimate/source/source.js'
import type { Log } from '../src/log/log.js'
import { parquetBytes } from '../src/log/write/parquet.js'
import { readLogFile } from '../src/node/read-log.js'
import { DuckDbSums } from '../src/node/sums/duckdb-sums.js'
import { randomStream } from '../src/random/stream.js'

/** How wrong propensities may be does not depend on who sums. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-sensitivity-'))
})
afterAll(() => rm(folder, { recursive: true }))

const target = { kind: 'column', name: 'target_prob' } as const
const REWARDS = {
  clicks: (uniform: () => number, item: number) => (uniform() < 0.1 + 0.1 * item ? 1 : 0),
  stars: (uniform: () => number, item: number) => 1 + Math.floor(uniform() * (3 + item)),
  amounts: (uniform: () => number, item: number) => (uniform() - 0.2) * (1 + item),
}

function logOf(kind: keyof typeof REWARDS): Log {
  const { uniform } = randomStream(5, `sensitivity ${kind}`)
  const [rows, users] = [1500, 200]
  const item = Uint32Array.from({ length: rows }, () => Math.floor(5 * uniform()))
  const ids = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, k) => `${letter}${String(k).padStart(4, '0')}`)
  return {
    rows,
    user: Uint32Array.from({ length: rows }, (_, row) => row % users),
    item,
    userIds: ids('u', users),
    itemIds: ids('i', 5),
    catalogueKnown: false,
    reward: Float64Array.from(item, (shown) => REWARDS[kind](uniform, shown)),
    propensity: new Float64Array(rows).fill(0.2),
    propensitySource: 'logged',
    target: Float64Array.from(item, (shown) => 0.04 + 0.08 * shown),
    q: Float64Array.from(item, (shown) => 0.2 + 0.3 * shown),
    v: new Float64Array(rows).fill(0.9),
    time: Float64Array.from({ length: rows }, (_, row) => 86_400_000 * (19_000 + (row % 9))),
  }
}

const ESTIMATORS = {
  clicks: ['snips', 'ips'],
  stars: ['snips', 'clipped-ips:1.2'],
  amounts: ['dr', 'sndr'],
} as const

const known = (fact: Known<Sensitivity>): Sensitivity => {
  if (isLacking(fact)) throw new Error(fact.lacking)
  return fact
}

describe('memory and DuckDB agree on how wrong propensities may be', () => {
  it.each(Object.keys(REWARDS) as (keyof typeof REWARDS)[])('for %s, by users and days', async (kind) => {
    const path = join(folder, `${kind}.parquet`)
    await writeFile(path, await parquetBytes(logOf(kind)))
    const { log } = await readLogFile(path)
    const memory = memorySums(log, { target, seed: 0, rewardModel: itemMean })
    const duckdb = await DuckDbSums.open(path, { target })
    try {
      for (const estimator of ESTIMATORS[kind]) {
        const ours = known(await sensitivityOf(memory, { estimator }))
        const theirs = known(await sensitivityOf(duckdb, { estimator }))
        expect(theirs.flipsAt === null).toBe(ours.flipsAt === null)
        if (ours.flipsAt !== null) expect(theirs.flipsAt).toBeCloseTo(ours.flipsAt, 4)
        theirs.grid.forEach(({ low, high, interval }, k) => {
          const point = ours.grid[k]!
          const pairs = [
            [low, point.low],
            [high, point.high],
            [interval[0], point.interval[0]],
            [interval[1], point.interval[1]],
          ] as const
          for (const [a, b] of pairs)
            expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(b)))
        })
      }
    } finally {
      duckdb.dispose()
    }
  })
})
