import { describe, expect, it } from 'vitest'
import { graphOf } from '../graph/graph.js'
import type { Rankings } from '../kernels/kernel.js'
import { leadOf, ndcgByUser } from './by-user.js'
import { rankingMetricsOf } from './ranking-metrics-of.js'

/** Three users and four items; each user has held-out clicks. */
const training = graphOf(3, 4, Uint32Array.of(0, 1, 2), Uint32Array.of(3, 3, 3))
const { byUser: relevant } = graphOf(3, 4, Uint32Array.of(0, 0, 1, 2), Uint32Array.of(0, 1, 1, 2))
const propensity = Float64Array.of(0.5, 0.1, 0.1, 0.2)
const rankings = (...items: number[]): Rankings => ({
  users: Uint32Array.of(0, 1, 2),
  k: 2,
  items: Uint32Array.from(items),
})
const good = rankings(0, 1, 1, 0, 0, 2)
const poor = rankings(2, 0, 0, 2, 1, 0)

describe('ndcgByUser', () => {
  it('has the metrics of rankingMetricsOf as its means', () => {
    for (const one of [good, poor]) {
      const metrics = rankingMetricsOf(one, relevant, { training, k: 2, propensity })!
      const { ndcg, weighted } = ndcgByUser(one, relevant, { k: 2, propensity })
      const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0)
      expect(sum(ndcg) / 3).toBeCloseTo(metrics.ndcg.value, 12)
      expect(sum(weighted!.ndcg) / sum(weighted!.counts)).toBeCloseTo(metrics.ips!.ndcg.value, 12)
    }
  })

  it('is 1 where a user’s only click comes first, and 0 where it is not found', () => {
    expect(ndcgByUser(good, relevant).ndcg[1]).toBe(1)
    expect(ndcgByUser(poor, relevant).ndcg[1]).toBe(0)
    expect(ndcgByUser(good, relevant).weighted).toBeUndefined()
  })
})

describe('leadOf', () => {
  const [one, other] = [good, poor].map((of) => ndcgByUser(of, relevant, { propensity }))

  it('is the difference of the means, and turns around with the models', () => {
    const values = [good, poor].map((of) => rankingMetricsOf(of, relevant, { training, propensity })!)
    const lead = leadOf(one!, other!)
    expect(lead.ndcg.value).toBeCloseTo(values[0]!.ndcg.value - values[1]!.ndcg.value, 12)
    expect(lead.ips!.value).toBeCloseTo(values[0]!.ips!.ndcg.value - values[1]!.ips!.ndcg.value, 12)
    const back = leadOf(other!, one!)
    expect(back.ndcg.value).toBeCloseTo(-lead.ndcg.value, 12)
    expect(back.ndcg.interval![0]).toBeCloseTo(-lead.ndcg.interval![1], 12)
  })

  it('is certain to be nothing for a model and itself: no interval', () => {
    expect(leadOf(one!, one!).ndcg).toEqual({ value: 0, interval: null })
  })

  it('has an exact interval: leads of 1 and 0 by two users', () => {
    const [a, b] = [Float64Array.of(1, 0), Float64Array.of(0, 0)].map((ndcg) => ({ ndcg }))
    // Mean 1/2, standard error 1/2, and Student's t with one degree of freedom: clipped at −1 and 1.
    expect(leadOf(a!, b!).ndcg).toEqual({ value: 0.5, interval: [-1, 1] })
  })
})
