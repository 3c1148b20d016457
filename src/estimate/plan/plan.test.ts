import { describe, expect, it } from 'vitest'
import { compare } from '../compare.js'
import { evaluate } from '../evaluate.js'
import { termsOf, valueOf } from '../estimator.js'
import { snips } from '../estimators/importance.js'
import { differenceInterval } from '../intervals/difference.js'
import { itemMean } from '../reward/reward-model.js'
import { memorySums } from '../source/memory-sums.js'
import { isLacking } from '../source/source.js'
import { type Influences, influencesOf } from '../spread.js'
import type { Target } from '../target.js'
import { waysOf } from '../ways.js'
import type { Log } from '../../log/log.js'
import { randomStream } from '../../random/stream.js'
import { drawPage, logOf } from '../slate/example-pages.js'
import { type DrawnLog, TRUE_DIFFERENCE, drawnLog } from './example-world.js'
import { plan } from './plan.js'
import { askSums } from '../source/example-asks.js'

const TARGET = { kind: 'column', name: 'target' } as const
const LOGGING = { kind: 'logging' } as const

/** Share of logs whose interval of the difference lies beyond 0, on the right side: as `compare` makes it, without all else. */
async function decidedShare(logs: number, draw: (seed: number) => Log): Promise<number> {
  let decided = 0
  for (let seed = 0; seed < logs; seed++) {
    const log = draw(1000 + seed)
    const [to, from] = [await seenBy(log, TARGET), await seenBy(log, LOGGING)]
    const { interval } = differenceInterval(to.influences, from.influences, 0.95, to.value - from.value)
    if (interval![0] > 0) decided++
  }
  return decided / logs
}

async function seenBy(log: Log, target: Target): Promise<{ value: number; influences: Influences }> {
  const source = memorySums(log, { target, seed: 0, rewardModel: itemMean })
  const ways = waysOf('auto', { days: new Set(log.time).size })
  const moments = await askSums(source, termsOf([snips]), ways)
  if (isLacking(moments)) throw new Error(moments.lacking)
  return { value: valueOf(snips, moments)!, influences: influencesOf(snips, moments) }
}

/** The mean growth that some small logs ask for: one alone is off by the error of its error. */
async function plannedFactor(logs: number, log: Omit<DrawnLog, 'seed'>): Promise<number> {
  let sum = 0
  for (let seed = 0; seed < logs; seed++) {
    const { goals } = await plan(drawnLog({ ...log, seed }), {
      target: TARGET,
      detect: TRUE_DIFFERENCE,
      epsilons: [],
    })
    sum += goals.find(({ kind }) => kind === 'detect')!.needed!.factor
  }
  return sum / logs
}

/** Three standard errors of a share of 80 % among 200. */
const THREE_ERRORS = 3 * Math.sqrt((0.8 * 0.2) / 200)

describe('a plan', () => {
  it('says what evaluate and compare say about today’s log', async () => {
    const log = drawnLog({ users: 400, rowsPerUser: 5, days: 8, seed: 1, byDay: 0.05 })
    const made = await plan(log, { target: TARGET })
    const { evaluation } = await evaluate(log, { target: TARGET, estimators: ['snips'] })
    const { differences } = await compare(log, { targets: [{ target: LOGGING }, { target: TARGET }] })
    const { value, se, interval } = evaluation.estimates[0]!
    expect(made.value).toEqual({ estimate: value, se, interval })
    expect(made.difference).toMatchObject({
      estimate: differences[0]!.difference,
      se: differences[0]!.se,
      interval: differences[0]!.interval,
    })
    expect(made).toMatchObject({
      against: 'logging',
      cluster: 'user+day',
      log: { rows: 2000, users: 400, days: 8 },
    })
  })

  it('needs a log on which a true difference is decided with the power asked for', async () => {
    const small = { users: 80, rowsPerUser: 4, days: 1, byUser: 0.1 }
    const factor = await plannedFactor(60, small)
    expect(factor).toBeGreaterThan(2)
    const users = Math.round(small.users * factor)
    const share = await decidedShare(200, (seed) => drawnLog({ ...small, users, seed }))
    expect(Math.abs(share - 0.8)).toBeLessThan(THREE_ERRORS)
  })

  it('counts days where the appeal of items changes from day to day', async () => {
    const small = { users: 100, rowsPerUser: 3, days: 12, byDay: 0.16 }
    const factor = await plannedFactor(60, small)
    const grown = { ...small, users: Math.round(small.users * factor), days: Math.round(small.days * factor) }
    const share = await decidedShare(200, (seed) => drawnLog({ ...grown, seed }))
    expect(Math.abs(share - 0.8)).toBeLessThan(THREE_ERRORS)
    // As many users on the twelve days decide it less often: the days are what was lacking.
    const onSameDays = await decidedShare(200, (seed) => drawnLog({ ...grown, days: small.days, seed }))
    expect(onSameDays).toBeLessThan(share - 0.05)
  })

  it('asks for nothing more where the difference is decided with the power already', async () => {
    const log = drawnLog({ users: 4000, rowsPerUser: 5, days: 1, seed: 3 })
    const { goals, difference } = await plan(log, { target: TARGET, width: 0.2 })
    expect(difference.isDecided).toBe(true)
    expect(goals.map(({ kind }) => kind)).toEqual(['seen', 'width-of-value', 'width-of-difference'])
    for (const { isReached, needed } of goals) {
      expect(isReached).toBe(true)
      expect(needed!.more).toEqual({ rows: 0, users: 0, days: 0 })
    }
  })

  it('has curves that rise with the log and pass the power where the plan says', async () => {
    const log = drawnLog({ users: 300, rowsPerUser: 4, days: 1, seed: 4 })
    const { curve, goals } = await plan(log, { target: TARGET, detect: 0.03 })
    const { factor } = goals[1]!.needed!
    for (const [k, point] of curve.entries()) {
      expect(point.detect! >= 0.8).toBe(point.factor >= factor)
      if (k === 0) continue
      expect(point.detect!).toBeGreaterThanOrEqual(curve[k - 1]!.detect!)
      expect(point.widthOfDifference).toBeLessThan(curve[k - 1]!.widthOfDifference)
    }
  })

  it('is for pages where a comparison is', async () => {
    const random = randomStream(5, 'pages')
    const pages = Array.from({ length: 400 }, (_, user) => {
      const { items, conditional } = drawPage([4, 3, 2, 1], 3, random)
      const reward = items.map((item) => Number(random.uniform() < 0.1 + 0.1 * item))
      return { items, propensity: conditional, reward, user }
    })
    const { weight: _, ...log } = logOf(pages, 4)
    const targets = [{ target: { kind: 'logging' } as const }, { target: { kind: 'uniform' } as const }]
    const { estimator, differences } = await compare(log, { targets })
    const made = await plan(log, { target: { kind: 'uniform' } })
    expect([made.estimator, made.difference.estimate]).toEqual([estimator, differences[0]!.difference])
    expect(estimator).toBe('snrips')
  })

  it('between a policy and itself, or with numbers that cannot be, is an error', async () => {
    const log = drawnLog({ users: 50, rowsPerUser: 4, days: 1, seed: 5 })
    await expect(plan(log, { target: LOGGING })).rejects.toThrow('There is no difference to plan for')
    await expect(plan(log, { target: TARGET, power: 1 })).rejects.toThrow('The power cannot be 1.')
    await expect(plan(log, { target: TARGET, detect: 0 })).rejects.toThrow(
      'The difference of interest cannot be 0.',
    )
    await expect(plan(log, { target: TARGET, width: -1 })).rejects.toThrow(
      'The width of an interval cannot be -1.',
    )
    await expect(plan(log, { target: TARGET, epsilons: [2] })).rejects.toThrow(
      'The share of random items cannot be 2.',
    )
  })
})
