import { describe, expect, it } from 'vitest'
import type { Verdict } from '../estimate/evaluation.js'
import type { Bounded, Certificate } from '../train/certificate.js'
import { certificateSentences, certificateTitle } from './certificate-text.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const verdict = (level: Verdict['level'], message = 'One row carries 30 % of the total weight.'): Verdict =>
  exampleVerdict(level, message)
const between = (
  value: number,
  atLeast: number,
  atMost: number,
  level: Verdict['level'] = 'trust',
): Bounded => ({
  value,
  atLeast,
  atMost,
  verdict: verdict(level),
})
const certificate = (more: Partial<Certificate> = {}): Certificate => ({
  confidence: 0.95,
  rows: 2000,
  items: 'all',
  policy: between(0.45, 0.4129, 0.49),
  logging: between(0.168, 0.155, 0.18),
  difference: between(0.282, 0.2397, 0.32),
  decision: 'launch',
  ...more,
})

describe('a certificate in words', () => {
  it('says what is surely earned, and how much more that is, rounded down', () => {
    expect(certificateSentences(certificate())).toEqual([
      'The learnt policy earns at least 0.412 per impression with 95 % confidence (estimate 0.450, on 2,000 test impressions that training never used).',
      'That is at least 0.239 more than the logging policy, which earned 0.168.',
    ])
    expect(certificateTitle(certificate())).toBe(
      'The learnt policy earns at least 0.239 more per impression than the logging policy',
    )
  })

  it('says to keep the logging policy where no improvement shows', () => {
    const open = certificate({ difference: between(0.01, -0.02, 0.04), decision: 'keep' })
    expect(certificateSentences(open)).toEqual([
      'No improvement over the logging policy can be shown: the learnt policy earns at least 0.412 per impression with 95 % confidence, the logging policy earned 0.168 (on 2,000 test impressions that training never used).',
      'Keep the logging policy.',
    ])
    expect(certificateTitle(open)).toBe('No improvement over the logging policy can be shown')
  })

  it('states no number where the verdict refuses', () => {
    const refused = certificate({
      policy: { value: 0.9, atLeast: null, atMost: null, verdict: verdict('refuse') },
      decision: 'keep',
    })
    expect(certificateSentences(refused)).toEqual([
      'No certificate: the test impressions cannot say what the learnt policy earns. One row carries 30 % of the total weight.',
      'Keep the logging policy.',
      'More test impressions, or a policy that explores more, may say more.',
    ])
    expect(certificateTitle(refused)).not.toMatch(/\d/)
  })

  it('asks for care where the verdict does, and names items that were not shown', () => {
    const said = certificateSentences(
      certificate({ items: 'unseen', difference: between(0.282, 0.2397, 0.32, 'caution') }),
    ).join(' ')
    expect(said).toContain('never used, among items it did not show to the user).')
    expect(said).toMatch(/Take care: one row carries 30 % of the total weight\.$/)
  })
})
