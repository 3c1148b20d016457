import { describe, expect, it } from 'vitest'
import { drawBeta, drawGamma, drawNormal } from './distributions.js'
import { randomStream } from './stream.js'

const DRAWS = 40_000

/** Mean and variance of many draws. */
function moments(draw: () => number): { mean: number; variance: number } {
  let mean = 0
  let squares = 0
  for (let k = 1; k <= DRAWS; k++) {
    const x = draw()
    const before = x - mean
    mean += before / k
    squares += before * (x - mean)
  }
  return { mean, variance: squares / (DRAWS - 1) }
}

/** Within five standard errors, the variance's error taken from the fourth moment where it is given. */
function expectMoments(draw: () => number, mean: number, variance: number, excessKurtosis: number): void {
  const seen = moments(draw)
  expect(Math.abs(seen.mean - mean)).toBeLessThan(5 * Math.sqrt(variance / DRAWS))
  expect(Math.abs(seen.variance - variance)).toBeLessThan(
    5 * variance * Math.sqrt((excessKurtosis + 2) / DRAWS),
  )
}

describe('drawNormal', () => {
  it('has mean 0 and variance 1', () => {
    const random = randomStream(1, 'normal')
    expectMoments(() => drawNormal(random), 0, 1, 0)
  })
})

describe('drawGamma', () => {
  it.each([0.3, 1, 2, 7.5])('of shape %d has mean and variance equal to its shape', (shape) => {
    const random = randomStream(2, 'gamma', Math.round(shape * 10))
    expectMoments(() => drawGamma(random, shape), shape, shape, 6 / shape)
  })
})

describe('drawBeta', () => {
  it.each([
    [2, 5],
    [1, 1],
    [0.5, 0.5],
    [30, 2],
  ])('(%d, %d) has the mean and variance of its parameters', (a, b) => {
    const random = randomStream(3, 'beta', Math.round(a * 10), Math.round(b * 10))
    const sum = a + b
    const kurtosis = (6 * ((a - b) ** 2 * (sum + 1) - a * b * (sum + 2))) / (a * b * (sum + 2) * (sum + 3))
    expectMoments(() => drawBeta(random, a, b), a / sum, (a * b) / (sum * sum * (sum + 1)), kurtosis)
  })

  it('of tiny parameters sits at the two ends', () => {
    const random = randomStream(4, 'beta')
    const draws = Array.from({ length: 200 }, () => drawBeta(random, 1e-3, 1e-3))
    expect(draws.every((x) => x >= 0 && x <= 1)).toBe(true)
    expect(draws.filter((x) => x < 0.01 || x > 0.99).length).toBeGreaterThan(190)
  })
})
