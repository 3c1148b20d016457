import { describe, it } from 'vitest'
import { studentQuantile } from '../../student.js'
import { one, weight, weightedReward } from '../term.js'
import {
  clickInterval,
  snips,
  type Row,
  momentsOf,
  drawRows,
  bounds,
  close,
  usual,
  known,
} from './example-moments.js'

describe('Cressie–Read', () => {
  it('is the published interval when every row is its own cluster', () => {
    // The closed form of VowpalWabbit/estimators (bandits/cressieread.py), computed in Python.
    const rows = (factor: number): Row[] =>
      Array.from({ length: 40 }, (_, k) => ({
        cluster: k,
        w: factor * (0.1 + ((k * 37) % 40) / 20),
        r: k % 3 === 0 ? 1 : 0,
      }))
    const ask = (factor: number): readonly [number, number] =>
      bounds(clickInterval(snips, momentsOf(rows(factor)), { method: 'cressie-read', maxWeight: 4 }))
    close(ask(1)[0], 0.1564418471969221, 1e-12)
    close(ask(1)[1], 0.5175181161392918, 1e-12)
    close(ask(0.7)[0], 0.12840599963844415, 1e-12)
    close(ask(0.7)[1], 0.6343614169281149, 1e-12)
  })

  it('spends its budget exactly, for users of unequal activity', () => {
    const maxWeight = 2.5
    const rows = drawRows(13, 60, 6).filter((_, k) => k % 6 <= Math.floor(k / 6) % 6)
    const moments = momentsOf(rows)
    const [sizes, weights, weighted] = [one, weight, weightedReward].map((term) => [...moments.sums(term)])
    const largest = Math.max(...sizes!)
    // T² of the excess weight and, with a value, of S_g[wr] − V n_g, over the clusters and the imagined one.
    const cost = (imagined: number, r: number, value?: number): number => {
      const d = [...sizes!.map((n, g) => weights![g]! - n), largest * (imagined - 1)]
      const e = [
        ...sizes!.map((n, g) => weighted![g]! - (value ?? 0) * n),
        largest * (imagined * r - (value ?? 0)),
      ]
      const mean = (x: number[]): number => x.reduce((sum, one) => sum + one, 0) / x.length
      const covariance = (x: number[], y: number[]): number =>
        mean(x.map((one, k) => (one - mean(x)) * (y[k]! - mean(y))))
      const [dd, de, ee] = [covariance(d, d), covariance(d, e), covariance(e, e)]
      if (value === undefined) return (d.length * mean(d) ** 2) / dd
      return (
        (d.length * (ee * mean(d) ** 2 - 2 * de * mean(d) * mean(e) + dd * mean(e) ** 2)) /
        (dd * ee - de * de)
      )
    }
    const cheapest = cost(moments.total(weight) < moments.total(one) ? maxWeight : 0, 0)
    const budget = cheapest + studentQuantile(0.975, 60) ** 2
    const [low, high] = bounds(clickInterval(snips, moments, { method: 'cressie-read', maxWeight }))
    close(Math.min(cost(0, 0, low), cost(maxWeight, 0, low)), budget, 1e-6)
    close(Math.min(cost(0, 1, high), cost(maxWeight, 1, high)), budget, 1e-6)
  })

  it('does not change when every row stands for two', () => {
    const rows = drawRows(1, 80, 5)
    const doubled = momentsOf(rows.flatMap((row) => [row, row]))
    const [low, high] = bounds(clickInterval(snips, doubled, { ...known, method: 'cressie-read' }))
    close(low, bounds(clickInterval(snips, usual, { ...known, method: 'cressie-read' }))[0])
    close(high, bounds(clickInterval(snips, usual, { ...known, method: 'cressie-read' }))[1])
  })
})
