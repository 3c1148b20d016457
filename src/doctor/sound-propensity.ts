import type { Log } from '../log/log.js'

/** The logged propensities when every one of them is a probability in (0, 1]; undefined otherwise. */
export function soundPropensity(log: Log): Float64Array | undefined {
  if (log.propensitySource !== 'logged' || !log.propensity) return undefined
  for (let k = 0; k < log.rows; k++)
    if (!(log.propensity[k]! > 0 && log.propensity[k]! <= 1)) return undefined
  return log.propensity
}
