import { describe, expect, it } from 'vitest'
import type { TemperatureCurve, VerdictLevel } from '../estimate/evaluation.js'
import { curvesFinding } from './temperature-text.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const curve = (target: string, level: VerdictLevel): TemperatureCurve => ({
  target,
  estimator: 'snips',
  points: [{ temperature: 1, essRatio: 0.2, value: 0.3, se: 0.01, interval: [0.28, 0.32], verdict: exampleVerdict(level) }], // prettier-ignore
})

describe('curvesFinding', () => {
  it('names only what has an answer', () => {
    expect(curvesFinding([curve('model:a', 'trust'), curve('model:b', 'refuse')])).toMatch(
      /^What model:a would have earned, by exploration/,
    )
    expect(curvesFinding([curve('model:a', 'refuse')])).toMatch(/^No answer from this log/)
  })
})
