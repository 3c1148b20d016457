import { describe, expect, it } from 'vitest'
import { formatConfidence, formatEstimate } from './estimate-text.js'

describe('an estimate with its interval', () => {
  it('is rounded to what the interval supports', () => {
    expect(formatEstimate(0.27004, [0.24217, 0.29951])).toEqual({ value: '0.270', interval: '0.242–0.300' })
    expect(formatEstimate(-0.0062, [-0.0121, -0.0003])).toEqual({
      value: '−0.0062',
      interval: '−0.0121 to −0.0003',
    })
  })

  it('never becomes 0 because its interval is wide', () => {
    expect(formatEstimate(0.00000277, [-0.00119, 0.00119])).toEqual({
      value: '0.0000028',
      interval: '−0.0012 to 0.0012',
    })
    expect(formatEstimate(-0.0004, [-0.31, 0.29]).value).toBe('−0.00040')
    expect(formatEstimate(0, [-0.31, 0.29]).value).toBe('0.00')
  })

  it('has four significant digits where there is no interval', () => {
    expect(formatEstimate(0.123456, null)).toEqual({ value: '0.1235', interval: null })
  })
})

it('a confidence is never rounded to certainty', () => {
  expect([0.95, 0.9873, 0.99999, 0.9999999].map(formatConfidence)).toEqual([
    '95 %',
    '98.73 %',
    '99.999 %',
    '99.99999 %',
  ])
})
