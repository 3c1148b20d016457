import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { logOfDays } from './example-days.js'
import { evaluate, type EvaluateOptions } from './evaluate.js'
import type { Evaluation, Estimate } from './evaluation.js'

const evaluateLog = async (log: Log, options: Omit<EvaluateOptions, 'target'>): Promise<Evaluation> =>
  (await evaluate(log, { checks: false, ...options, target: { kind: 'column', name: 'target_prob' } }))
    .evaluation
const codes = ({ verdict }: Pick<Estimate, 'verdict'>): string[] => verdict.reasons.map(({ code }) => code)
const sound = logOfDays(20, { rows: 3000, users: 500, days: 14 })

describe('the verdict of each estimate', () => {
  it('is trust for every estimate of a sound log', async () => {
    const { estimates, verdict, answer } = await evaluateLog(sound, { estimators: ['ips', 'snips'] })
    expect(estimates.map((estimate) => estimate.verdict.level)).toEqual(['trust', 'trust'])
    expect(answer).toBe('snips')
    expect(verdict).toEqual(estimates[1]!.verdict)
  })

  it('is that of its own weights: shrinking hard is doubted where SNIPS is trusted', async () => {
    const { estimates, verdict } = await evaluateLog(sound, { estimators: ['clipped-ips:0.3', 'snips'] })
    expect(estimates[0]!.verdict.level).toBe('caution')
    expect(codes(estimates[0]!)).toContain('shrinking-bias')
    expect(codes(estimates[0]!)).toContain('estimators-disagree')
    expect(codes(estimates[1]!)).not.toContain('shrinking-bias')
    expect(verdict.level).toBe('trust')
  })

  it('is not trust where λ was chosen from the data, unless that was measured to cover', async () => {
    const { estimates } = await evaluateLog(sound, {
      estimators: ['sub-gaussian-ips', 'sub-gaussian-ips:0.001', 'clipped-ips'],
    })
    const isSaid = estimates.map((estimate) => codes(estimate).includes('lambda-from-data'))
    expect(isSaid).toEqual([true, false, false])
    expect(estimates[0]!.verdict.level).toBe('caution')
  })

  it('does not blame SNIPS for what weights of categories get wrong', async () => {
    // Clicks go to what the target likes, and categories hide what that was.
    const { target, propensity } = sound
    const log = { ...sound, reward: target!.map((pi, row) => (pi > propensity![row]! ? 1 : 0)) }
    const { estimates } = await evaluateLog(log, {
      estimators: ['snips', 'mips'],
      categories: sound.itemIds.map(() => 'all'),
    })
    expect(codes(estimates[1]!)).toContain('shrinking-bias')
    expect(codes(estimates[0]!)).not.toContain('estimators-disagree')
  })

  it('says which estimates disagree by more than chance: weights that average 2', async () => {
    const halved = { ...sound, propensity: sound.propensity!.map((b) => b / 2) }
    const { estimates } = await evaluateLog(halved, { estimators: ['ips', 'snips'] })
    for (const estimate of estimates) {
      const found = estimate.verdict.reasons.find(({ code }) => code === 'estimators-disagree')!
      expect(found.message).toContain('IPS and')
      // IPS is twice SNIPS, and so the difference is SNIPS itself.
      expect(Math.abs(found.value!)).toBeCloseTo(estimates[1]!.value!, 1)
    }
  })

  it('of weights that are all 1 has no disagreement, however it is estimated', async () => {
    const even = { ...sound, target: sound.propensity! }
    const { estimates } = await evaluateLog(even, { estimators: ['ips', 'snips', 'clipped-ips'] })
    for (const estimate of estimates) expect(estimate.verdict.level).toBe('trust')
  })

  it('offers no interval around a tuned λ where it is refuse, and says why', async () => {
    const few = logOfDays(21, { rows: 60, users: 40, days: 6, spread: 15, rate: 0.1 })
    const { estimates } = await evaluateLog(few, { estimators: ['clipped-ips', 'clipped-ips:1'] })
    const [tuned, given] = estimates
    expect(tuned!.verdict.level).toBe('refuse')
    expect(tuned).toMatchObject({ interval: null, reason: expect.stringContaining('tuned λ') })
    // The user's own λ is the user's own business.
    expect(given!.interval).not.toBeNull()
  })

  it('is refuse where there is no value, with the reason', async () => {
    const never = { ...sound, target: new Float64Array(sound.rows) }
    const { estimates, answer } = await evaluateLog(never, { estimators: ['snips'] })
    expect(estimates[0]).toMatchObject({ value: null, reason: 'no row has any weight under the target' })
    expect(codes(estimates[0]!)).toContain('no-answer')
    expect(answer).toBeNull()
  })
})

describe('few days', () => {
  it('are a reason of every estimate, unless days are chosen', async () => {
    const short = logOfDays(22, { rows: 3000, users: 500, days: 3 })
    const byUser = await evaluateLog(short, { estimators: ['ips', 'snips'] })
    for (const estimate of byUser.estimates) expect(codes(estimate)).toContain('few-days')
    const byDay = await evaluateLog(short, { estimators: ['snips'], cluster: 'user+day' })
    expect(codes(byDay.estimates[0]!)).not.toContain('few-days')
    expect(byDay).toMatchObject({ days: 3, cluster: 'user+day' })
  })
})
