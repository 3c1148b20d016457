import { describe, expect, it } from 'vitest'
import { exampleCertificate } from '../figures/example-training.js'
import type { Certificate } from '../train/certificate.js'
import { exampleTuning } from '../figures/example-tuning.js'
import { DEFAULT_SETTINGS } from '../train/settings.js'
import type { Tuning } from '../train/tune/tuning.js'
import { rankedTrials, rungsText, trialName, trialText, tuningAnswer } from './tuning-text.js'

const tuning = exampleTuning()

describe('a trial in words', () => {
  it('names what was tried', () => {
    expect(
      trialText({ ...DEFAULT_SETTINGS, loss: 'softmax', drawn: 64, learningRate: 0.005, layers: 2 }),
    ).toBe('LightGCN, softmax of 64, rate 0.005, dim 64, 2 layers, L2 0.0001')
    expect(trialText({ ...DEFAULT_SETTINGS, model: 'ease', lambda: 200 })).toBe('EASE, λ = 200')
    expect(
      trialText({ ...DEFAULT_SETTINGS, model: 'mf', loss: 'poem', parameter: 3, start: 'logging' }),
    ).toBe('MF, poem 3, rate 0.001, dim 64, L2 0.0001, from the logging policy')
    expect(
      trialText({ ...DEFAULT_SETTINGS, loss: 'ips-bpr', regulariser: { kind: 'clip', strength: 10 } }),
    ).toContain('ips-bpr, clip 10,')
  })
})

describe('the answer of a tuning', () => {
  it('gives the choice with what chose it, then what the test part says', () => {
    expect(tuningAnswer(tuning)).toBe(
      'The best of 10 trials is LightGCN, softmax of 16, rate 0.005, dim 64, 3 layers, L2 0.0001: NDCG@10 on the validation clicks is 0.262, 0.193 with the defaults. On the test clicks, on which no choice was based, NDCG@10 is 0.243 (95 % CI 0.235–0.252), with the defaults 0.117 (95 % CI 0.109–0.125).',
    )
  })

  it('says where the intervals overlap, and where the defaults are no worse', () => {
    const against = (value: number): Tuning => {
      const { best } = tuning.test!
      const ndcg = { value, interval: [value - 0.02, value + 0.02] as const }
      const defaults = { ranked: { ...best.ranked, test: { ...best.ranked.test!, ndcg } } }
      return { ...tuning, test: { best, defaults } }
    }
    const own = tuning.test!.best.ranked.test!.ndcg.value
    expect(tuningAnswer(against(own - 0.01))).toContain(
      'The intervals overlap: part of the gain may be chance.',
    )
    expect(tuningAnswer(against(own))).toContain('**The defaults are no worse**')
  })

  it('does not praise a trial that does not beat the defaults', () => {
    const best = tuning.trials.findIndex(({ role }) => role === 'defaults')
    const { test: _, ...untested } = tuning
    expect(tuningAnswer({ ...untested, best })).toMatch(/^No trial beats the defaults/)
  })

  it('names the certificate of the defaults where the best policy has none', () => {
    const launch = exampleCertificate()
    const { ranked } = tuning.test!.best
    const keep = { ...launch, decision: 'keep' as const }
    const answer = (own: Certificate, other: Certificate): string =>
      tuningAnswer({
        ...tuning,
        by: 'lower-bound',
        test: { best: { ranked, certificate: own }, defaults: { ranked, certificate: other } },
      })
    expect(answer(keep, launch)).toContain('**The policy of the defaults does have a certificate.**')
    expect(answer(keep, launch)).toContain('count on 90 % rather than 95 %')
    expect(answer(launch, launch)).not.toContain('of the defaults')
    expect(answer(keep, keep)).not.toContain('of the defaults')
  })

  it('keeps the old policy where nothing can be valued', () => {
    expect(tuningAnswer({ ...tuning, by: 'lower-bound', best: null })).toBe(
      'No trial can be chosen: lower bound of the value on the validation impressions has no value for any of them. Keep the policy that you have.',
    )
  })
})

describe('trials in order', () => {
  it('have the best first and those that diverged last', () => {
    const names = rankedTrials(tuning).map(({ trial, number }) => trialName(trial, number))
    expect(names[0]).toBe(String(tuning.best))
    expect(names).toContain('defaults')
    expect(names.at(-1)).toBe(
      String(tuning.trials.findIndex(({ reached }) => reached[0]!.stopped === 'diverged')),
    )
  })

  it('have rungs in words', () => {
    expect(rungsText(tuning.brackets[0]!)).toBe('9 trials for 312 steps, the best 3 for 936')
  })
})
