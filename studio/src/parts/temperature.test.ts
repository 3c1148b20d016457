import { describe, expect, it } from 'vitest'
import { placeOf, temperatureAt } from './temperature.js'

const places = Array.from({ length: 101 }, (_, place) => place)

describe('a slider of temperatures', () => {
  it('comes back to the place of each, so that every press of a key moves it', () => {
    for (const place of places) expect(placeOf(temperatureAt(place))).toBe(place)
  })

  it('goes from 0.1 over 1 to 10, up at every step', () => {
    const temperatures = places.map(temperatureAt)
    expect([temperatures[0], temperatures[50], temperatures[100]]).toEqual([0.1, 1, 10])
    expect(temperatures.every((one, k) => k === 0 || one > temperatures[k - 1]!)).toBe(true)
  })
})
