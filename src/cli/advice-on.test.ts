import { describe, expect, it } from 'vitest'
import type { Reason } from '../verdict/verdict.js'
import { verdictFrom } from '../estimate/verdict.js'
import { adviceOn } from './advice-on.js'

const reason = (code: string, question: Reason['question'], level: Reason['level'] = 'caution'): Reason => ({
  code,
  question,
  level,
  shift: null,
  driver: null,
  message: '',
  value: null,
})
const advice = (reasons: readonly Reason[], accept: Readonly<Record<string, string>> = {}): string =>
  adviceOn([{ estimates: [], said: { accept } }], verdictFrom(reasons)).join('\n')

describe('advice on a verdict', () => {
  it('says how a fault is accepted, by its code', () => {
    expect(advice([reason('rewards-late', 'rewards')])).toContain('--accept "rewards-late=WHY"')
    expect(advice([reason('rewards-late', 'rewards', 'note')])).not.toContain('--accept')
    // What only the user knows is said, and what the log does not show cannot be accepted away.
    expect(advice([reason('policy-of-unknown-origin', 'declared')])).not.toContain('--accept')
    expect(advice([reason('unsupported', 'overlap')])).not.toContain('--accept')
  })

  it('says which accepted code was not found', () => {
    const found = [reason('rewards-late', 'rewards', 'note')]
    expect(advice(found, { 'rewards-late': 'known' })).not.toContain('Nothing was found')
    expect(advice(found, { drift: 'known' })).toContain('Nothing was found that is called drift')
  })
})
