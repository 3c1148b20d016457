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

  it.each([
    [3.0933e-13, [2.93e-13, 3.25e-13], '3.09 × 10⁻¹³', '2.93 × 10⁻¹³–3.25 × 10⁻¹³'],
    [3.0933e-201, [2.93e-201, 3.25e-201], '3.09 × 10⁻²⁰¹', '2.93 × 10⁻²⁰¹–3.25 × 10⁻²⁰¹'],
    [0, [-2e-13, 2e-13], '0', '−2.0 × 10⁻¹³ to 2.0 × 10⁻¹³'],
    [3.0933e-7, [2.93e-7, 3.25e-7], '0.000000309', '0.000000293–0.000000325'],
    [3.0933e45, [2.93e45, 3.25e45], '3.093 × 10⁴⁵', '2.930 × 10⁴⁵–3.250 × 10⁴⁵'],
    // An interval without width but for rounding.
    [0.3, [0.3, 0.3 + 1e-16], '0.300000', '0.300000–0.300000'],
  ] as const)('keeps the digits of %d, however small or large', (value, ends, written, between) => {
    expect(formatEstimate(value, ends)).toEqual({ value: written, interval: between })
  })

  it('has four significant digits where there is no interval', () => {
    expect(formatEstimate(0.123456, null)).toEqual({ value: '0.1235', interval: null })
    expect(formatEstimate(1.23456e-200, null).value).toBe('1.235 × 10⁻²⁰⁰')
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
