import { HindcastError } from '../../error.js'
import { suggest } from '../../suggest.js'
import type { Estimator } from '../estimator.js'
import { clippedDr } from './clipped-dr.js'
import { clippedIps } from './clipped-ips.js'
import { dm } from './dm.js'
import { drOs } from './dr-os.js'
import { dr } from './dr.js'
import { ips } from './ips.js'
import { mips } from './mips.js'
import { mrdr } from './mrdr.js'
import { sndr } from './sndr.js'
import { snips } from './snips.js'
import { subGaussianDr } from './sub-gaussian-dr.js'
import { subGaussianIps } from './sub-gaussian-ips.js'
import { switchDr } from './switch-dr.js'

/** Estimators without a hyper-parameter. */
const PLAIN: readonly Estimator[] = [dm, ips, snips, dr, sndr, mrdr, mips]

/** Estimators with one: how they are made, and which end of λ leaves the weights as they are. */
const TUNED: Readonly<Record<string, { make: (lambda: number) => Estimator; unchanged: number }>> = {
  'clipped-ips': { make: clippedIps, unchanged: Infinity },
  'clipped-dr': { make: clippedDr, unchanged: Infinity },
  'switch-dr': { make: switchDr, unchanged: Infinity },
  'dr-os': { make: drOs, unchanged: Infinity },
  'sub-gaussian-ips': { make: subGaussianIps, unchanged: 0 },
  'sub-gaussian-dr': { make: subGaussianDr, unchanged: 0 },
}

/** The names of all estimators of single impressions. */
export const ESTIMATOR_NAMES: readonly string[] = [...PLAIN.map(({ name }) => name), ...Object.keys(TUNED)]

/** An estimator by name; with a hyper-parameter where it takes one. */
export function estimatorNamed(name: string, lambda?: number): Estimator {
  const plain = PLAIN.find((estimator) => estimator.name === name)
  if (plain) return plain
  const tuned = TUNED[name]
  if (tuned && lambda !== undefined) return tuned.make(lambda)
  if (tuned)
    throw new HindcastError('bad-option', `${name} needs a λ.`, {
      remedy: `Write ${name}:10, or let it be chosen.`,
    })
  const meant = suggest(name, ESTIMATOR_NAMES)
  throw new HindcastError('unknown-name', `There is no estimator ${JSON.stringify(name)}.`, {
    remedy: `${meant ? `Did you mean ${meant}? ` : ''}Estimators: ${ESTIMATOR_NAMES.join(', ')}.`,
  })
}

/** A family of estimators over λ; undefined for a name that takes none. */
export const tunedFamily = (
  name: string,
): { make: (lambda: number) => Estimator; unchanged: number } | undefined => TUNED[name]
