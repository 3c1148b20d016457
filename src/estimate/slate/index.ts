import { HindcastError } from '../../error.js'
import { suggest } from '../../suggest.js'
import type { Estimator } from '../estimator.js'
import { cascadeDr } from './cascade-dr.js'
import { iips } from './iips.js'
import { pi } from './pi.js'
import { rips } from './rips.js'

const SLATE_ESTIMATORS: readonly Estimator[] = [iips, rips, pi, cascadeDr]

/** The names of all estimators of slates. */
export const SLATE_ESTIMATOR_NAMES: readonly string[] = SLATE_ESTIMATORS.map(({ name }) => name)

/** An estimator of slates by name. Its sums come from a `slateSource`. */
export function slateEstimatorNamed(name: string): Estimator {
  const found = SLATE_ESTIMATORS.find((estimator) => estimator.name === name)
  if (found) return found
  const meant = suggest(name, SLATE_ESTIMATOR_NAMES)
  throw new HindcastError('unknown-name', `There is no slate estimator ${JSON.stringify(name)}.`, {
    remedy: `${meant ? `Did you mean ${meant}? ` : ''}Slate estimators: ${SLATE_ESTIMATOR_NAMES.join(', ')}.`,
  })
}
