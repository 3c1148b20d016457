import { CompensatedSum } from '../sum.js'
import type { Calibration, CalibrationBin } from './stand-in.js'

const NORMAL_975 = 1.959963984540054

/**
 * The sums of one bin over the users: y the observed count, x the number of trials, e = Σ b̂·x the count the model
 * expected. The observed propensity is R = Σy/Σx, the predicted one Σe/Σx.
 */
export class BinSums {
  readonly #observed = new CompensatedSum()
  readonly #trials = new CompensatedSum()
  readonly #expected = new CompensatedSum()
  readonly #exposures = new CompensatedSum()
  #observedSquares = 0
  #products = 0
  #trialSquares = 0
  #users = 0

  /** Adds the sums of one user; a user is added to a bin once. */
  addUser(observed: number, trials: number, expected: number, exposures: number): void {
    this.#observed.add(observed)
    this.#trials.add(trials)
    this.#expected.add(expected)
    this.#exposures.add(exposures)
    this.#observedSquares += observed * observed
    this.#products += observed * trials
    this.#trialSquares += trials * trials
    if (trials > 0) this.#users++
  }

  get observed(): number {
    return this.#observed.value
  }

  get trials(): number {
    return this.#trials.value
  }

  get expected(): number {
    return this.#expected.value
  }

  get exposures(): number {
    return this.#exposures.value
  }

  /**
   * How many times the variance of Σy exceeds that of as many independent events, from differences between users:
   * G/(G−1) · Σ (y_u − R x_u)² / Σy, at least 1.
   */
  get spread(): number {
    const [observed, rate] = [this.observed, this.observed / this.trials]
    if (!(observed > 0) || this.#users < 2) return 1
    const squares = this.#observedSquares - 2 * rate * this.#products + rate * rate * this.#trialSquares
    return Math.max(1, ((this.#users / (this.#users - 1)) * squares) / observed)
  }
}

/** A bin, and what is known about it besides its sums. */
export interface NamedBin {
  readonly sums: BinSums
  readonly label?: string
  readonly part?: string
  /** Squared relative error of an external rate that `trials` depends on; 0 if there is none. */
  readonly relativeVariance?: number
  /** Share of the variance that remains when totals over several bins were given to the model, so cannot be off; otherwise 1. */
  readonly leftVariance?: number
}

/**
 * Calibration from the sums of its bins; bins without trials are left out. The interval is the score interval
 * of a Poisson rate, (c + z²/2 ± z√(c + z²/4))/t, with counts divided by how much more they vary from user to
 * user than independent events would; it also holds at a count of 0.
 */
export function calibrationOf(bins: readonly NamedBin[]): Calibration {
  const used = bins.filter(({ sums }) => sums.trials > 0 && sums.expected > 0)
  let [expected, off, chance] = [0, 0, 0]
  for (const { sums, relativeVariance = 0, leftVariance = 1 } of used) {
    expected += sums.expected
    off += Math.abs(sums.observed - sums.expected)
    const variance = leftVariance * sums.spread * sums.expected + relativeVariance * sums.expected ** 2
    // The mean of |X| is √(2/π) standard deviations if X is normal around 0.
    chance += Math.sqrt((2 / Math.PI) * variance)
  }
  return { bins: used.map(binOf), error: off / expected, errorByChance: chance / expected }
}

function binOf({ sums, label, part, relativeVariance = 0 }: NamedBin): CalibrationBin {
  const spread = sums.spread + relativeVariance * sums.observed
  const count = sums.observed / spread
  const trials = sums.trials / spread
  const z = NORMAL_975
  const half = z * Math.sqrt(count + (z * z) / 4)
  const centre = count + (z * z) / 2
  return {
    ...(label !== undefined && { label }),
    ...(part !== undefined && { part }),
    predicted: sums.expected / sums.trials,
    observed: sums.observed / sums.trials,
    interval: [Math.max(0, centre - half) / trials, (centre + half) / trials],
    exposures: sums.exposures,
  }
}

/** True if an estimate is off by more than chance and the noise of a fitted model usually explain. */
export const isOffBeyondChance = ({ error, errorByChance }: Calibration): boolean => error > 2 * errorByChance
