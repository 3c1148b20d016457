import { describe, expect, it } from 'vitest'
import { describeLog } from '../describe/describe.js'
import { takeRows } from '../log/log.js'
import { choosePropensity, withPropensity } from '../propensity/choice.js'
import { toyWorld } from '../world/toy.js'
import { summarise } from './log-text.js'

const log = toyWorld({ seed: 1 }).draw()

describe('summarise', () => {
  it('says in a sentence or two what a log holds', () => {
    const description = describeLog(log)
    const text = summarise(description)
    expect(text).toMatch(/^5,000 impressions of \d+ items to 1,000 users; \d\d\.\d % were clicked \(95 % CI /)
    expect(text).toMatch(/The ten most shown items took \d+ % of all impressions\./)
    expect(text).toContain(
      `(effective sample size ${(description.uniformTarget.essRatio! * 100).toFixed(1)} % of 5,000 rows).`,
    )
  })

  it('says how propensities were estimated', () => {
    const { log: chosen, estimate } = withPropensity(log, { kind: 'logistic', floor: 0.001 })
    expect(summarise(describeLog(chosen, { estimatedPropensity: estimate! }))).toMatch(
      /The propensities are estimated \(logistic, .* floor of 0\.001\.$/,
    )
  })

  it('leaves out what cannot be known', () => {
    const row = {
      ...takeRows(log, Uint32Array.of(0)),
      userIds: ['u'],
      user: Uint32Array.of(0),
      itemIds: ['a'],
      item: Uint32Array.of(0),
      reward: Float64Array.of(0),
    }
    expect(summarise(describeLog(choosePropensity(row, { kind: 'none' })))).toBe(
      '1 impression of 1 item to 1 user; 0 % were clicked.',
    )
    const sold = choosePropensity({ ...row, reward: Float64Array.of(12.5) }, { kind: 'none' })
    expect(summarise(describeLog(sold))).toBe(
      '1 impression of 1 item to 1 user; 100 % earned more than 0, 12.5 per impression on average.',
    )
  })
})
