import { describe, expect, it } from 'vitest'
import type { Goal, Plan, TemperaturePoint } from '../estimate/plan/plan-record.js'
import { temperatureFinding, temperatureNotes, temperatureText, temperedPlace } from './temperature-text.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const point = (
  temperature: number | null,
  essRatio: number | null,
  level: 'trust' | 'caution' | 'refuse',
  moreRows: number,
): TemperaturePoint => ({
  temperature,
  ess: essRatio === null ? null : 1000 * essRatio,
  essRatio,
  seOfValue: 0.01,
  difference: 0.02,
  seOfDifference: 0.01,
  moreRows: [moreRows],
  verdict: exampleVerdict(level),
})

const planned = (points: readonly TemperaturePoint[], own: number | null = 1): Plan =>
  ({
    target: 'popularity',
    goals: [{ kind: 'seen', size: 0.02 } as Goal],
    temperatures: { own, points },
  }) as unknown as Plan

const [half, own, two, endless] = [
  point(0.5, 0.04, 'refuse', 9000),
  point(1, 0.12, 'caution', 0),
  point(2, 0.4, 'trust', 0),
  point(null, 0.9, 'trust', 0),
] as const

describe('temperatures in words', () => {
  it('say how much of the log bears on a softer target, or else on a sharper one', () => {
    expect(temperatureFinding(planned([half, own, two, endless]))).toBe(
      'At temperature 2, the effective sample size for popularity would be 40 % of the rows instead of 12 %',
    )
    expect(temperatureFinding(planned([half, own]))).toContain('At temperature 0.5')
    expect(temperatureFinding(planned([half, endless], null))).toContain('4.0 % of the rows instead of 90 %')
    expect(temperatureFinding(planned([own, point(2, null, 'refuse', 0)]))).toBe(
      'No row of this log has weight for popularity at another temperature',
    )
  })

  it('name the verdict at each', () => {
    expect(temperatureNotes(planned([half, own, two, endless]))[0]).toBe(
      'The verdict is trust at temperatures 2 and ∞, caution at temperature 1, refuse at temperature 0.5.',
    )
    expect(temperatureNotes(planned([own, own]))[0]).toBe('The verdict is caution at each of them.')
    expect(temperatureText(0.1 + 0.2)).toBe('0.3')
  })

  it('count rows only where the verdict lets them', () => {
    expect(temperedPlace(planned([half, own, two]))).toBeUndefined()
    expect(temperedPlace(planned([half, { ...own, moreRows: [70] }]))).toBe(0)
  })
})
