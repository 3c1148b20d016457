import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { bytesInput } from '../log/bytes/input.js'
import { epsilonGreedyPolicy, topKPolicy } from '../policy/ruled-policy.js'
import { readLog } from '../read/read-log.js'
import { toyWorld } from '../world/toy.js'
import { influenceOf, standardErrorOf, termsOf, valueOf } from './estimator.js'
import { estimatorNamed } from './estimators/index.js'
import { evaluate } from './evaluate.js'
import { momentsOf } from './source/prepared-log.js'
import type { Moments } from './source/moments.js'
import type { WeighedRows } from './source/sum-terms.js'
import { weight } from './term.js'

/** Mistakes found in published tools; each test would fail on the tool that made it. */
const text = (csv: string): ReturnType<typeof readLog> =>
  readLog(bytesInput('log.csv', new TextEncoder().encode(csv)))

/** A log of rows [reward, weight, q, v], each row a user of its own. */
function rows(...cells: [r: number, w: number, q?: number, v?: number][]): WeighedRows {
  const column = (place: number): Float64Array => Float64Array.from(cells, (row) => row[place] ?? 0)
  const log: Log = {
    rows: cells.length,
    user: Uint32Array.from(cells, (_, k) => k),
    item: new Uint32Array(cells.length),
    userIds: cells.map((_, k) => String(k)),
    itemIds: ['a'],
    catalogueKnown: false,
    reward: column(0),
    propensitySource: 'logged',
  }
  return { log, weight: column(1), prediction: column(2), value: column(3) }
}

const summed = (data: WeighedRows, name: string, lambda?: number): Moments =>
  momentsOf(data, termsOf([estimatorNamed(name, lambda)]), 'row')
const estimate = async (data: WeighedRows, name: string, lambda?: number): Promise<number | undefined> =>
  valueOf(estimatorNamed(name, lambda), summed(data, name, lambda))

describe('traps of published tools', () => {
  it('a weighted mean divided by a total: doubling every row changes nothing', async () => {
    const once: [number, number][] = [
      [1, 2],
      [0, 0.5],
      [1, 1],
    ]
    expect(await estimate(rows(...once, ...once), 'snips')).toBeCloseTo(
      (await estimate(rows(...once), 'snips'))!,
      12,
    )
    expect(await estimate(rows(...once, ...once), 'ips')).toBeCloseTo(
      (await estimate(rows(...once), 'ips'))!,
      12,
    )
  })

  it('the standard error of SNIPS with a fixed denominator: rewards that are all 1 leave nothing uncertain', async () => {
    const moments = summed(rows([1, 3], [1, 0.1], [1, 1], [1, 0.5]), 'snips')
    expect(standardErrorOf(influenceOf(estimatorNamed('snips'), moments))).toBeCloseTo(0, 12)
  })

  it('Switch inverted: small weights keep their correction, large ones lose it', async () => {
    const data = rows([1, 0.5, 0.2, 0.3], [1, 50, 0.2, 0.3])
    expect(await estimate(data, 'switch-dr', 10)).toBeCloseTo((0.3 + 0.5 * 0.8 + 0.3) / 2, 12)
  })

  it('DR subtracting E_π q instead of q(u, a): a right model leaves nothing to correct', async () => {
    const data = rows([1, 2, 1, 0.4], [0, 3, 0, 0.6])
    expect(await estimate(data, 'dr')).toBeCloseTo(0.5, 12)
  })

  it('infinite weights set to 0: a propensity of 0 is refused, not turned into no weight', async () => {
    await expect(text('user_id,item_id,reward,propensity\n1,a,1,0\n2,b,0,0.5\n')).rejects.toThrow(
      /must be a probability above 0/,
    )
  })

  it('empty input reported as 0 ± 0', async () => {
    expect(await estimate(rows(), 'ips')).toBeUndefined()
    expect(await estimate(rows([1, 0], [0, 0]), 'snips')).toBeUndefined()
  })

  it('one nonzero weight gives SE 0: there is no interval, and the verdict refuses', async () => {
    const world = toyWorld({ users: 30, items: 5, exposures: 1 })
    const log = { ...world.draw(), target: new Float64Array(30) }
    log.target[7] = 0.4
    const { evaluation } = await evaluate(log, {
      target: { kind: 'column', name: 'new' },
      estimators: ['snips'],
    })
    expect(evaluation.estimates[0]!.interval).toBeNull()
    expect(evaluation.verdict.level).toBe('refuse')
  })

  it('rewards clamped silently: a reward of 5 counts as 5', async () => {
    const { log } = await text('user_id,item_id,reward,propensity\n1,a,5,0.5\n2,b,-1,0.5\n')
    const { evaluation } = await evaluate(log, {
      target: { kind: 'uniform' },
      estimators: ['ips'],
      rewardRange: [-1, 5],
    })
    expect(evaluation.estimates[0]!.value).toBeCloseTo(2, 12)
  })

  it('a propensity invented when the column is missing', async () => {
    await expect(text('user_id,item_id,reward\n1,a,1\n2,b,0\n')).rejects.toThrow(/no propensity column/)
  })

  it('log-probabilities read as probabilities', async () => {
    await expect(text('user_id,item_id,reward,propensity\n1,a,1,-0.7\n2,b,0,-1.2\n')).rejects.toThrow(
      /must be a probability above 0/,
    )
  })

  it('argmax ties not sharing mass', () => {
    expect(Array.from(epsilonGreedyPolicy('greedy', [2, 1, 2], 0).probabilities(0))).toEqual([0.5, 0, 0.5])
    expect(Array.from(topKPolicy('top', [2, 2, 2, 1], 2).probabilities(0))).toEqual([1 / 3, 1 / 3, 1 / 3, 0])
  })

  it('float32 accumulation: many small weights beside a large one all count', async () => {
    const n = 20_000
    const data = rows([0, 2 ** 30], ...Array.from({ length: n }, (): [number, number] => [0, 0.1]))
    const moments = momentsOf(
      {
        ...data,
        log: { ...data.log, user: new Uint32Array(n + 1), userIds: ['u'] },
      },
      [weight],
      'user',
    )
    expect(moments.total(weight)).toBeCloseTo(2 ** 30 + n * 0.1, 6)
  })
})
