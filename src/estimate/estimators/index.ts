import { HindcastError } from '../../error.js'
import { Registry } from '../../registry.js'
import { type Estimator, isTuned, type NamedEstimator } from '../estimator.js'
import { cascadeDr, iips, pi, rips, snrips } from '../slate/page-estimators.js'
import { betaIps, dm, dr, ips, mrdr, sndr, snips } from './importance.js'
import { clippedDr, clippedIps, drOs, subGaussianDr, subGaussianIps, switchDr } from './shrinking.js'
import { mips, offcem, snmips } from './categories.js'

const KNOWN = [
  dm,
  ips,
  snips,
  betaIps,
  dr,
  sndr,
  mrdr,
  mips,
  snmips,
  offcem,
  clippedIps,
  clippedDr,
  switchDr,
  drOs,
  subGaussianIps,
  subGaussianDr,
  iips,
  rips,
  snrips,
  pi,
  cascadeDr,
] as const

/** The names of the estimators. */
export type EstimatorName = (typeof KNOWN)[number]['name']

/** Every estimator: of single impressions, and of slates. */
export const ESTIMATORS = new Registry<NamedEstimator>('estimator', KNOWN)

/** An estimator by name; with a hyper-parameter where it takes one. */
export function estimatorNamed(name: string, lambda?: number): Estimator {
  const estimator = ESTIMATORS.named(name)
  if (!isTuned(estimator)) return estimator
  if (lambda !== undefined) return estimator.with(lambda)
  throw new HindcastError('bad-option', `The estimator ${name} needs a λ.`, {
    remedy: `Write ${name}:10, or let SLOPE choose it.`,
  })
}
