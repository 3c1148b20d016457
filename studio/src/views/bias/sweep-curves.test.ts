import { describe, expect, it } from 'vitest'
import type { BiasOutcome } from '$study/experiments/bias.js'
import { BIAS_TARGETS } from '../../desk/bias-world.js'
import { ALL_OUTCOMES, curvePoints, FILLED, sweepCurves, SWEPT } from './sweep-curves.js'

const outcomesAt = (temperature: number, snips: number): BiasOutcome[] =>
  BIAS_TARGETS.map((target) => ({
    target,
    label: target,
    temperature,
    truth: 0.3,
    snips,
    ips: snips,
    interval: [snips - 0.15, snips + 0.15],
    ess: 100,
    essRatio: temperature / 10,
    varianceRatio: 1,
    verdict: 'trust',
  }))
const seed = (snips: number): BiasOutcome[] => FILLED.flatMap((temperature) => outcomesAt(temperature, snips))

describe('the temperatures of the sweep', () => {
  it('are filled in each once, the ends first and then the middle', () => {
    expect(FILLED.toSorted((a, b) => a - b)).toEqual(SWEPT)
    expect(FILLED.slice(0, 2)).toEqual([SWEPT[0], SWEPT.at(-1)])
    const middle = SWEPT.indexOf(FILLED[2]!)
    expect(Math.abs(middle - (SWEPT.length - 1) / 2)).toBeLessThanOrEqual(1)
    expect(seed(1)).toHaveLength(ALL_OUTCOMES)
  })
})

describe('the curves of a sweep', () => {
  it('are nothing before the first log, and then what there is of the first seed', () => {
    expect(sweepCurves([], [])).toEqual({ seeds: 0, targets: [] })
    const begun = sweepCurves([], [...outcomesAt(5, 0.4), ...outcomesAt(0.2, 0.2)])
    expect(begun.seeds).toBe(1)
    const points = curvePoints(begun, 'uniform')
    expect(points.map(({ temperature }) => temperature)).toEqual(SWEPT)
    expect([points[0], points[1], points.at(-1)].map((point) => point!.snips.mean)).toEqual([0.2, null, 0.4])
  })

  it('are means of finished seeds, whatever is in progress', () => {
    const curves = sweepCurves([seed(0.2), seed(0.4)], outcomesAt(0.2, 9))
    expect(curves.seeds).toBe(2)
    for (const { snips, covered } of curvePoints(curves, 'taste')) {
      expect(snips.mean).toBeCloseTo(0.3, 12)
      expect(snips.interval![0]).toBeLessThan(0.2)
      expect(covered).toBe(2)
    }
  })
})
