import { PROPENSITIES } from '$core/propensity/choices.js'
import type { StandIn } from '$core/propensity/stand-in.js'

/** What can stand in for propensities here; what needs a second file is for the command line. */
export const offeredPropensities = (): StandIn[] => PROPENSITIES.all.filter(({ needs }) => needs !== 'file')

/** A stand-in as it is typed: with the probability that was given beside it, where it needs one. */
export function typedPropensity(name: string, probability: number): string {
  return needsProbability(name) ? `${name}:${probability}` : name
}

/** Whether a probability must be given beside it. */
export const needsProbability = (name: string): boolean => PROPENSITIES.find(name)?.needs === 'probability'
