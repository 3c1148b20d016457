import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { logOfDays } from './example-days.js'
import { evaluate, type EvaluateOptions } from './evaluate.js'
import type { Evaluation, Estimate } from './evaluation.js'

const evaluateLog = async (log: Log, options: Omit<EvaluateOptions, 'target'>): Promise<Evaluation> =>
  (
    await evaluate(log, {
      checks: false,
      said: { policyMade: 'elsewhere' },
      ...options,
      target: { kind: 'column', name: 'target_prob' },
    })
  ).evaluation
const codes = ({ verdict }: Pick<Estimate, 'verdict'>): string[] => verdict.reasons.map(({ code }) => code)
const sound = logOfDays(20, { rows: 3000, users: 500, days: 14 })

describe('the verdict of each estimate', () => {
  it('is trust for every estimate of a sound log, and says what it goes by', async () => {
    const { estimates, verdict, answer } = await evaluateLog(sound, { estimators: ['ips', 'snips'] })
    expect(estimates.map((estimate) => estimate.verdict.level)).toEqual(['trust', 'trust'])
    expect(answer).toBe('snips')
    expect(verdict).toEqual(estimates[1]!.verdict)
    const ofQuestions = Object.fromEntries(verdict.questions.map(({ question, text }) => [question, text]))
    expect(ofQuestions['declared']).toMatch(/^Taken for granted: propensities were recorded when/)
    expect(ofQuestions['overlap']).toMatch(/^About \d+ effective clicks, at most [\d.]+ % from one user\.$/)
    expect(ofQuestions['time']).toBe('How much the 14 days differ is in the interval.')
  })

  it('is caution while nobody says where a column of probabilities was made', async () => {
    const evaluation = await evaluateLog(sound, { said: {}, estimators: ['snips'] })
    expect([evaluation.verdict.level, codes(evaluation)]).toEqual(['caution', ['policy-of-unknown-origin']])
  })

  it('is not lowered by what the user accepts, whatever found it, but for no answer at all', async () => {
    const accept = {
      'policy-of-unknown-origin': 'made by hand',
      'shrinking-bias': 'wanted',
      'no-answer': 'no',
    }
    const accepted = await evaluateLog(sound, { said: {}, accept, estimators: ['snips', 'clipped-ips:0.3'] })
    expect(accepted.estimates.map(({ verdict }) => verdict.level)).toEqual(['trust', 'trust'])
    expect(accepted.verdict.reasons[0]).toMatchObject({
      level: 'note',
      message: expect.stringMatching(/too high\. Accepted: made by hand\.$/),
    })
    const never = { ...sound, target: new Float64Array(sound.rows) }
    expect((await evaluateLog(never, { accept, estimators: ['snips'] })).verdict.level).toBe('refuse')
  })

  it('has a hull with what totals and weights would move the answer to, unless that is accepted', async () => {
    const reward = 1.2 * sound.reward.reduce((sum, r) => sum + r, 0)
    const halved = { ...sound, target: sound.target!.map((p) => p / 2) }
    const [lost] = (await evaluateLog(sound, { estimators: ['snips'], totals: { reward } })).estimates
    const [half] = (await evaluateLog(halved, { estimators: ['ips'] })).estimates
    for (const [{ value, interval, verdict }, factor] of [
      [lost!, 1.2],
      [half!, 2],
    ] as const) {
      expect(verdict.hull![0]).toBe(interval![0])
      expect(verdict.hull![1]).toBeCloseTo(interval![1] + (factor - 1) * value!, 1)
      expect(verdict.hull![1]).toBeGreaterThan(interval![1])
    }
    const accept = { 'rewards-missing': 'known' }
    const known = await evaluateLog(sound, { estimators: ['snips'], totals: { reward }, accept })
    expect(known.verdict.hull).toBeUndefined()
  })

  it('is that of its own weights: shrinking hard is doubted where SNIPS is trusted', async () => {
    const { estimates, verdict } = await evaluateLog(sound, { estimators: ['clipped-ips:0.3', 'snips'] })
    expect(estimates[0]!.verdict.level).toBe('caution')
    expect(codes(estimates[0]!)).toEqual(['shrinking-bias'])
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
    expect(estimates[0]!.verdict.level).toBe('trust')
    expect(codes(estimates[1]!)).toEqual(['shrinking-bias'])
  })

  it('is refused for weights that average 2 only where they are not divided by', async () => {
    const halved = { ...sound, propensity: sound.propensity!.map((b) => b / 2) }
    const { estimates } = await evaluateLog(halved, { estimators: ['ips', 'snips'] })
    expect(estimates.map(({ verdict }) => [verdict.means, ...codes({ verdict })])).toEqual([
      ['do-not-believe', 'mean-weight'],
      ['decide', 'mean-weight'],
    ])
    // IPS is twice what weights that average 1 would make it; SNIPS is as it was.
    const [plain, normalised] = estimates.map(({ value }) => value!) as [number, number]
    const { shift, value: meanWeight } = estimates[0]!.verdict.reasons[0]!
    expect(meanWeight).toBeCloseTo(2, 0)
    expect(shift).toBeCloseTo(plain / meanWeight! - plain, 12)
    expect(normalised).toBe((await evaluateLog(sound, { estimators: ['snips'] })).estimates[0]!.value)
  })

  it('of weights that are all 1 is trust, however it is estimated', async () => {
    const even = { ...sound, target: sound.propensity! }
    const { estimates } = await evaluateLog(even, { estimators: ['ips', 'snips', 'clipped-ips'] })
    for (const estimate of estimates) expect(estimate.verdict.level).toBe('trust')
  })

  /** One row shown in one impression of a million. */
  const heavy = { ...sound, propensity: sound.propensity!.with(5, 1e-6), target: sound.target!.with(5, 0.05) }

  it('is refused where one row has most of the weight that it goes by, and only there', async () => {
    const categories = sound.itemIds.map((_, item) => `c${item % 2}`)
    const { estimates } = await evaluateLog(heavy, { estimators: ['snips', 'mips'], categories })
    expect(estimates[0]!.verdict).toMatchObject({ level: 'refuse', means: 'cannot-tell' })
    expect(codes(estimates[0]!)).toContain('dominated')
    expect(codes(estimates[1]!)).not.toContain('dominated')
  })

  it('offers no interval around a tuned λ where it is refuse, and says why', async () => {
    const never = { ...heavy, target: heavy.target!.map((p) => p / 2) }
    const { estimates } = await evaluateLog(never, { estimators: ['clipped-ips', 'clipped-ips:1'] })
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

it('says of few days, or of many by user alone, that the interval does not allow for them', async () => {
  const textFor = async (days: number, cluster = 'auto'): Promise<string[]> => {
    const log = logOfDays(22, { rows: 3000, users: 500, days })
    const { verdict } = await evaluateLog(log, { estimators: ['snips'], cluster })
    const { level, text } = verdict.questions.find(({ question }) => question === 'time')!
    return [level, text]
  }
  const out = 'how much one differs from another is not in the interval.'
  expect(await textFor(3)).toEqual(['not-applicable', `3 days: ${out}`])
  expect(await textFor(14, 'user')).toEqual(['not-applicable', `14 days: ${out}`])
  expect(await textFor(3, 'user+day')).toEqual(['trust', 'How much the 3 days differ is in the interval.'])
})
