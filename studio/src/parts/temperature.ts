/** Temperatures of a slider, even on a log scale from 0.1 to 10: each position has its own, in as few digits as possible. */
export function temperatureAt(place: number): number {
  const temperature = 10 ** (place / 50 - 1)
  // From 1 to 2, and from 0.1 to 0.2, two positions differ by less than two digits can show.
  const isClose = Number(temperature.toExponential()[0]) === 1
  return Number(temperature.toPrecision(isClose ? 3 : 2))
}

/** The place, 0 to 100, of a temperature on its slider. */
export const placeOf = (temperature: number): number => Math.round(50 * (Math.log10(temperature) + 1))
