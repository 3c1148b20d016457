import { CompensatedSum } from '../sum.js'

/** Mean popularity of a recommended item, each counted as often as it is recommended; in units of `popularity`. */
export function meanPopularity(recommended: Float64Array, popularity: Uint32Array): number {
  const times = new CompensatedSum()
  const clicks = new CompensatedSum()
  for (let item = 0; item < recommended.length; item++) {
    times.add(recommended[item]!)
    clicks.add(recommended[item]! * popularity[item]!)
  }
  return clicks.value / times.value
}
