import { ESTIMATORS } from '../estimate/estimators/index.js'
import type { Estimate, Evaluation } from '../estimate/evaluation.js'

/** What an estimate is the mean reward of. */
export type Unit = 'impression' | 'page'

/** The unit of an estimate: an impression, or for estimators of slates a whole page. */
export const unitOf = ({ unit }: Pick<Estimate, 'unit'>): Unit => unit ?? 'impression'

/** "per impression" or "per page". */
export const perUnit = (estimate: Pick<Estimate, 'unit'>): string => `per ${unitOf(estimate)}`

/** The same of what an estimator of this name gives; one without a name is of impressions. */
export const perUnitOf = (estimator: string | undefined): string =>
  perUnit(
    estimator !== undefined && ESTIMATORS.find(estimator.split(':', 1)[0]!)?.rows === 'slates'
      ? { unit: 'page' }
      : {},
  )

/** What the logging policy earned, in each unit; per page only where a log has pages. */
export type Logged = Pick<Evaluation['log'], 'meanReward' | 'meanPageReward'>

/** What the logging policy earned in the unit of an estimate; undefined where that is not known. */
export const loggedIn = (
  { meanReward, meanPageReward }: Logged,
  estimate: Pick<Estimate, 'unit'>,
): number | undefined => (unitOf(estimate) === 'page' ? meanPageReward : meanReward)

/** The units of some estimates, each once: more than one do not belong on one scale. */
export const unitsOf = (estimates: readonly Pick<Estimate, 'unit'>[]): Unit[] => [
  ...new Set(estimates.map(unitOf)),
]
