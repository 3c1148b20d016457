import { HindcastError } from '../../error.js'

/** The numbers of a plan. */
interface PlanNumbers {
  readonly power: number
  readonly detect: number | undefined
  readonly width: number | undefined
  readonly epsilons: readonly number[] | undefined
  readonly temperatures: readonly number[] | undefined
}

/** Throws where a number of a plan cannot be used. */
export function requirePlannable({
  power,
  detect,
  width,
  epsilons = [],
  temperatures = [],
}: PlanNumbers): void {
  if (!(power >= 0.5 && power < 1))
    throw new HindcastError('bad-option', `The power cannot be ${power}.`, {
      remedy: 'Give a number from 0.5 to below 1, such as 0.8.',
    })
  if (detect !== undefined && !(Math.abs(detect) > 0 && Math.abs(detect) < Infinity))
    throw new HindcastError('bad-option', `The difference of interest cannot be ${detect}.`, {
      remedy: 'Give a difference in reward per impression, such as 0.01.',
    })
  if (width !== undefined && !(width > 0 && width < Infinity))
    throw new HindcastError('bad-option', `The width of an interval cannot be ${width}.`, {
      remedy: 'Give the distance between its ends in reward per impression, such as 0.02.',
    })
  const beyond = epsilons.find((epsilon) => !(epsilon >= 0 && epsilon <= 1))
  if (beyond !== undefined)
    throw new HindcastError('bad-option', `The share of random items cannot be ${beyond}.`, {
      remedy: 'Give shares from 0 to 1, such as 0.05.',
    })
  const cold = temperatures.find((temperature) => !(temperature > 0))
  if (cold !== undefined)
    throw new HindcastError('bad-option', `A temperature of ${cold} is not above 0.`, {
      remedy: 'Give numbers above 0, such as 0.5 and 2; Infinity shows all items equally often.',
    })
}
