import { describe, expect, it } from 'vitest'
import { type Log, takeRows } from '../../log/log.js'
import { softmaxPolicy } from '../../policy/ruled-policy.js'
import { softmaxAt } from '../../policy/score-rule.js'
import { randomStream } from '../../random/stream.js'
import { compare } from '../compare.js'
import { termsOf, valueOf } from '../estimator.js'
import { snips } from '../estimators/importance.js'
import { evaluate } from '../evaluate.js'
import { differenceInterval } from '../intervals/difference.js'
import { popularityTargets } from '../popularity-targets.js'
import { itemMean } from '../reward/reward-model.js'
import { drawPage, logOf } from '../slate/example-pages.js'
import { MemorySums } from '../source/memory-sums.js'
import { isLacking } from '../source/source.js'
import { type Influences, influencesOf } from '../spread.js'
import type { Target } from '../target.js'
import { momentsByWays, waysOf } from '../ways.js'
import { type DrawnLog, drawnLog, TRUE_DIFFERENCE } from './example-world.js'
import { plan } from './plan.js'

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
  const source = new MemorySums(log, { target, seed: 0, rewardModel: itemMean })
  const ways = waysOf('auto', { days: new Set(log.time).size })
  const moments = await momentsByWays(source, ways, { terms: termsOf([snips]) })
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

const log = drawnLog({ users: 300, rowsPerUser: 4, days: 8, seed: 1, byDay: 0.05, byUser: 0.1 })
const popular = (temperature: number): Target => ({
  kind: 'policy',
  policy: popularityTargets(log).by(softmaxAt(temperature)),
})

/** Two items, shown 3 of 4 times and 1 of 4. */
const FOUR_ROWS: Log = {
  rows: 4,
  user: Uint32Array.of(0, 1, 2, 3),
  item: Uint32Array.of(0, 0, 0, 1),
  userIds: ['a', 'b', 'c', 'd'],
  itemIds: ['x', 'y'],
  catalogueKnown: true,
  reward: Float64Array.of(1, 0, 1, 0),
  propensity: Float64Array.of(0.75, 0.75, 0.75, 0.25),
  propensitySource: 'logged',
}

describe('a target at other temperatures', () => {
  it('is, at its own, what the plan says', async () => {
    const { temperatures, value, difference, goals, verdict } = await plan(log, {
      target: popular(0.5),
      detect: 0.03,
      width: 0.05,
    })
    const { evaluation } = await evaluate(log, { target: popular(0.5) })
    expect(temperatures!.own).toBe(0.5)
    expect(temperatures!.points.map(({ temperature }) => temperature)).toEqual([0.25, 0.5, 1, 2, 4])
    expect(temperatures!.points[1]).toEqual({
      temperature: 0.5,
      ess: evaluation.diagnostics.ess,
      essRatio: evaluation.diagnostics.essRatio,
      seOfValue: value.se,
      difference: difference.estimate,
      seOfDifference: difference.se,
      moreRows: goals.map(({ needed }) => needed!.more.rows),
      verdict,
    })
  })

  it('is, at another, what the plan for that policy says', async () => {
    const options = { detect: 0.03, width: 0.05, temperatures: [0.3, 1, Infinity] }
    const { temperatures } = await plan(log, { target: popular(0.5), ...options })
    for (const asked of [0.3, 1, Infinity]) {
      const own = asked === Infinity ? null : asked
      const { temperatures: there } = await plan(log, { target: popular(asked), ...options })
      expect(there!.own).toBe(own)
      const at = (points: typeof there) => points!.points.find(({ temperature }) => temperature === own)
      expect(at(temperatures)).toEqual(at(there))
    }
  })

  it('of an exact example: scores of log 3 and 0, all items alike and at temperatures 0.5 and 1', async () => {
    const policy = softmaxPolicy('tastes', [Math.log(3), 0], Infinity)
    const { temperatures } = await plan(FOUR_ROWS, {
      target: { kind: 'policy', policy },
      temperatures: [1, 0.5],
    })
    const [sharp, logging, uniform] = temperatures!.points
    // π = 9/10 and 1/10: w = 1.2, 1.2, 1.2, 0.4, so that (Σw)²/Σw² = 16/4.48.
    expect(sharp!.ess).toBeCloseTo(16 / 4.48, 12)
    // SNIPS = 2.4/4; φ = 0.12, −0.18, 0.12, −0.06, so that V = 4/3 · 0.0648.
    expect(sharp!.seOfValue).toBeCloseTo(Math.sqrt(0.0864), 12)
    expect(sharp!.difference).toBeCloseTo(0.1, 12)
    // π = 3/4 and 1/4 is the logging policy: nothing differs.
    expect(logging!.ess).toBeCloseTo(4, 12)
    expect(logging).toMatchObject({ difference: null, moreRows: [null] })
    expect(logging!.reason).toBeTruthy()
    // w = 2/3, 2/3, 2/3, 2: 16/(16/3).
    expect(uniform).toMatchObject({ temperature: null, ess: expect.closeTo(3, 12) })
  })

  it('may be answered where the target itself is refused', async () => {
    // The log shows once what the target likes best.
    const few = drawnLog({ users: 30, rowsPerUser: 4, days: 1, seed: 2 })
    const [, ...others] = Array.from(few.item.keys()).filter((row) => few.item[row] === 1)
    const once = takeRows(
      few,
      Uint32Array.from(few.item.keys()).filter((row) => !others.includes(row)),
    )
    const sharp: Target = { kind: 'policy', policy: softmaxPolicy('tastes', [0, 60, 59, 58], 0.2) }
    const { temperatures, verdict } = await plan(once, { target: sharp, temperatures: [0.2, 200] })
    expect(verdict.means).toBe('cannot-tell')
    expect(temperatures!.points.map((point) => point.verdict.level)).toEqual(['refuse', 'caution'])
  })

  it('is not known of targets without one, and a temperature is above 0', async () => {
    const { temperatures, temperaturesReason } = await plan(log, { target: { kind: 'uniform' } })
    expect(temperatures).toBeNull()
    expect(temperaturesReason).toBe('uniform has no temperature')
    await expect(plan(log, { target: popular(1), temperatures: [0] })).rejects.toThrow(
      'A temperature of 0 is not above 0.',
    )
  })
})
