/** Temperatures of a slider, even on a log scale from 0.1 to 10. */
export const temperatureAt = (place: number): number => Number((10 ** (place / 50 - 1)).toPrecision(2))

/** The place, 0 to 100, of a temperature on its slider. */
export const placeOf = (temperature: number): number => Math.round(50 * (Math.log10(temperature) + 1))
