import { HindcastError } from '../../error.js'
import { Registry } from '../../registry.js'
import { type Estimator, isTuned, type NamedEstimator } from '../estimator.js'
import { cascadeDr } from '../slate/cascade-dr.js'
import { iips } from '../slate/iips.js'
import { pi } from '../slate/pi.js'
import { rips } from '../slate/rips.js'
import { snrips } from '../slate/snrips.js'
import { betaIps } from './beta-ips.js'
import { clippedDr } from './clipped-dr.js'
import { clippedIps } from './clipped-ips.js'
import { dm } from './dm.js'
import { drOs } from './dr-os.js'
import { dr } from './dr.js'
import { ips } from './ips.js'
import { mips } from './mips.js'
import { mrdr } from './mrdr.js'
import { offcem } from './offcem.js'
import { sndr } from './sndr.js'
import { snips } from './snips.js'
import { snmips } from './snmips.js'
import { subGaussianDr } from './sub-gaussian-dr.js'
import { subGaussianIps } from './sub-gaussian-ips.js'
import { switchDr } from './switch-dr.js'

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
