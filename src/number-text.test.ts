import { describe, expect, it } from 'vitest'
import { counted, formatRate, formatShare, formatTick, shareTick, supportedDecimals } from './number-text.js'
import { linearTicks, logTicks, tickDecimals } from './figures/axes.js'

describe('numbers in words', () => {
  it('rounds a rate to what its interval supports', () => {
    expect(formatRate(0.28571, [0.2734, 0.2986])).toEqual({ rate: '28.6 %', interval: '27.3–29.9 %' })
    expect(formatRate(0.0069, [0.00546, 0.00872])).toEqual({ rate: '0.69 %', interval: '0.55–0.87 %' })
    expect(formatRate(0.3, [0.18, 0.45])).toEqual({ rate: '30 %', interval: '18–45 %' })
  })

  it('has no decimals for an interval of no width', () => expect(supportedDecimals(0)).toBe(0))

  it('never rounds a share up to all', () => {
    expect(formatShare(0.99999)).toBe('over 99 %')
    expect([1, 1 + 2e-16].map(formatShare)).toEqual(['100 %', '100 %'])
    expect(formatShare(0)).toBe('0 %')
    expect(formatShare(0.031)).toBe('3.1 %')
  })

  it('writes round shares of an axis in as few digits as they have', () =>
    expect([0.005, 0.01, 0.5, 1].map(shareTick)).toEqual(['0.5 %', '1 %', '50 %', '100 %']))

  it('tells ticks apart by their digits after the point, however small', () => {
    expect(tickDecimals([0, 0.25, 0.5])).toBe(2)
    expect(tickDecimals([0, 5e-13, 1e-12])).toBe(13)
    expect(tickDecimals([0, 2.5e-200])).toBe(201)
    expect(tickDecimals([0, 1e30])).toBe(0)
  })

  it('shortens ticks and counts with their nouns', () => {
    expect([1, 10, 1000, 20_000, 1e6, 14.333].map(formatTick)).toEqual(['1', '10', '1k', '20k', '1M', '14.3'])
    expect([1e-13, 2e-7, 1e-5].map(formatTick)).toEqual(['10⁻¹³', '2 × 10⁻⁷', '0.00001'])
    expect([counted(1, 'item'), counted(3706, 'item')]).toEqual(['1 item', '3,706 items'])
  })
})

describe('ticks', () => {
  it('are powers of ten on a wide log axis', () => expect(logTicks(0.7, 4000)).toEqual([1, 10, 100, 1000]))
  it('are 1, 2, 5 on a log axis of few decades', () =>
    expect(logTicks(15, 700)).toEqual([20, 50, 100, 200, 500]))
  it('are round steps where a log axis spans less than that', () =>
    expect(logTicks(27, 61)).toEqual([30, 40, 50, 60]))
  it('are round numbers on a linear axis', () =>
    expect(linearTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]))
})
