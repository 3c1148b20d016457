import { describe, expect, it } from 'vitest'
import { normalCdf, normalQuantile } from '../../normal.js'
import { drawNormal } from '../../random/distributions.js'
import { randomStream } from '../../random/stream.js'
import { confidenceAtLook, lookBounds, SPENDING } from './looks.js'

/** The bounds on |Z| at each of several planned looks, 5 % in all. */
const boundsOf = (of: number, spending: string): number[] =>
  lookBounds(Array.from({ length: of }, (_, k) => SPENDING.named(spending).spent((k + 1) / of, 0.025)))

describe('confidence at a look', () => {
  it.each([
    // Reboussin, DeMets, Kim & Lan 2000; Jennison & Turnbull 2000: two-sided 5 %.
    ['obrien-fleming', 5, [4.877, 3.357, 2.68, 2.29, 2.031]],
    ['obrien-fleming', 2, [2.963, 1.969]],
    ['obrien-fleming', 3, [3.71, 2.511, 1.993]],
    ['obrien-fleming', 4, [4.333, 2.963, 2.359, 2.014]],
    ['pocock', 5, [2.438, 2.427, 2.41, 2.397, 2.386]],
    ['pocock', 2, [2.157, 2.201]],
  ])('%s bounds of %d looks are those published', (spending, of, published) => {
    boundsOf(of, spending).forEach((bound, k) => {
      expect(Math.abs(bound - published[k]!)).toBeLessThan(6e-4)
      const confidence = confidenceAtLook({ look: k + 1, of, spending })
      expect(normalQuantile((1 + confidence) / 2)).toBeCloseTo(bound, 6)
    })
  })

  it.each(SPENDING.names)(
    '%s spends nothing at first, all of the error at the last, and never takes back',
    (name) => {
      const { spent } = SPENDING.named(name)
      expect(spent(0, 0.025)).toBe(0)
      expect(spent(1, 0.025)).toBeCloseTo(0.025, 14)
      const shares = Array.from({ length: 100 }, (_, k) => spent(k / 99, 0.025))
      for (let k = 1; k < 100; k++) expect(shares[k]).toBeGreaterThanOrEqual(shares[k - 1]!)
    },
  )

  it('a single look is the confidence itself', () => {
    for (const spending of SPENDING.names)
      for (const confidence of [0.8, 0.95, 0.99])
        expect(confidenceAtLook({ look: 1, of: 1, confidence, spending })).toBeCloseTo(confidence, 12)
  })

  it('does not depend on looks that are still to come, only on how many were planned', () => {
    const spent = [0.001, 0.004, 0.012, 0.025]
    expect(lookBounds(spent.slice(0, 2))).toEqual(lookBounds(spent).slice(0, 2))
  })

  it.each([
    ['obrien-fleming', 5],
    ['obrien-fleming', 20],
    ['pocock', 5],
    ['pocock', 20],
  ])('walks without drift cross the %s bounds of %d looks once in twenty', (spending, of) => {
    const bounds = boundsOf(of, spending)
    const random = randomStream(of, spending)
    const walks = 20_000
    let crossed = 0
    for (let walk = 0; walk < walks; walk++) {
      let place = 0
      for (let k = 0; k < of; k++) {
        place += drawNormal(random)
        if (Math.abs(place) > bounds[k]! * Math.sqrt(k + 1)) {
          crossed++
          break
        }
      }
    }
    // Four standard errors of 20,000 walks.
    expect(Math.abs(crossed / walks - 0.05)).toBeLessThan(0.0062)
  })

  it('two looks agree with the integral written out', () => {
    // P(|Z_1| ≤ z_1, S_2 > √2·z_2) by a thousand thin slices.
    const [first, second] = boundsOf(2, 'pocock')
    let crossed = 0
    const slices = 2000
    for (let j = 0; j < slices; j++) {
      const place = -first! + ((j + 0.5) * 2 * first!) / slices
      const density = Math.exp(-0.5 * place * place) / Math.sqrt(2 * Math.PI)
      crossed += ((2 * first!) / slices) * density * normalCdf(place - second! * Math.SQRT2)
    }
    const { spent } = SPENDING.named('pocock')
    expect(crossed).toBeCloseTo(spent(1, 0.025) - spent(0.5, 0.025), 7)
  })

  it('of an early look stays below 1, so that there is an interval', () => {
    const early = confidenceAtLook({ look: 1, of: 100 })
    expect(early).toBeLessThan(1)
    expect(early).toBeGreaterThan(1 - 1e-11)
  })

  it.each([
    [{ look: 0, of: 5 }, 'There is no look 0 of 5.'],
    [{ look: 6, of: 5 }, 'There is no look 6 of 5.'],
    [{ look: 1.5, of: 5 }, 'There is no look 1.5 of 5.'],
    [{ look: 1, of: 1000 }, '1000 planned looks are more than 100.'],
    [{ look: 1, of: 5, confidence: 95 }, 'must be between 0 and 1'],
    [{ look: 1, of: 5, spending: 'pocok' }, 'There is no spending "pocok".'],
  ])('refuses %o', (planned, message) => {
    expect(() => confidenceAtLook(planned)).toThrow(message)
  })
})
