import { HindcastError } from '../error.js'
import { type Estimator, type TunedEstimator, isTuned, termsOf } from './estimator.js'
import { ESTIMATORS, type EstimatorName, estimatorNamed } from './estimators/index.js'
import type { LambdaChoice } from './evaluation.js'
import { type CurvePoint, lambdaGrid, tune, tuneByPairedError } from './tuning.js'
import type { ClusterColumn } from './source/moments.js'
import { type Lacking, type Seen, isLacking } from './source/source.js'

/** An estimator to compute: its name, with a colon and λ where λ is fixed rather than tuned. */
export type EstimatorRequest = EstimatorName | `${EstimatorName}:${number}` | (string & {})

/** How λ is chosen where the user gives none. */
export type TuningMethod = Exclude<LambdaChoice, 'user'>

/** Estimates over λ, and the one that was chosen. */
export interface LambdaCurve {
  readonly estimator: string
  readonly points: readonly CurvePoint[]
  readonly chosen: number
  readonly chosenBy: TuningMethod
}

/** A requested estimator, and who chose its λ. */
export interface Chosen {
  readonly estimator: Estimator
  readonly chosenBy: LambdaChoice
  /** The estimator before its λ was fixed, if it has one. */
  readonly tuned?: TunedEstimator
}

/** The estimator at the λ that leaves weights as they are, by its name there: IPS, DR. */
export const unchangedOf = (tuned: TunedEstimator): Estimator => ({
  ...tuned.with(tuned.tuning.unchanged.lambda),
  label: tuned.tuning.unchanged.is,
})

/** What choosing λ needs, and the curves it records. */
export interface Choosing {
  readonly seen: Seen
  readonly ways: readonly ClusterColumn[]
  readonly by: TuningMethod
  readonly curves: LambdaCurve[]
  /** Why λ could not be chosen, where a source cannot say enough. */
  readonly untold: Lacking[]
}

/** The requested estimators, each with a λ; where the user gave none, one is chosen for this log and target. */
export async function chooseAll(requests: readonly string[], choosing: Choosing): Promise<Chosen[]> {
  // Names are checked before anything is computed.
  const parsed = requests.map(parseRequest)
  const chosen: Chosen[] = []
  for (const { named, lambda } of parsed) {
    if (!isTuned(named)) chosen.push({ estimator: named, chosenBy: 'user' })
    else if (lambda !== undefined)
      chosen.push({ estimator: named.with(lambda), chosenBy: 'user', tuned: named })
    else {
      const estimator = named.with(await chooseLambda(named, choosing))
      chosen.push({ estimator, chosenBy: choosing.by, tuned: named })
    }
  }
  return chosen
}

/** What a request names: an estimator, and λ where one is given. */
export function parseRequest(text: string): { named: ReturnType<typeof ESTIMATORS.named>; lambda?: number } {
  const [name, lambda] = text.split(':', 2) as [string, string | undefined]
  const named = ESTIMATORS.named(name)
  if (lambda === undefined) return { named }
  const value = lambda.trim() === '' ? NaN : lambda.toLowerCase() === 'infinity' ? Infinity : Number(lambda)
  if (!(value >= 0))
    throw new HindcastError('bad-option', `${text}: λ must be a number of at least 0.`, {
      remedy: `For example: ${name}:10.`,
    })
  return { named: isTuned(named) ? named : estimatorNamed(name), lambda: value }
}

/** The λ that suits this log and target; the one that leaves weights unchanged where the source cannot say. */
export async function chooseLambda(
  tuned: TunedEstimator,
  { seen, ways, by, curves, untold }: Choosing,
): Promise<number> {
  const without = (why: Lacking): number => {
    untold.push(why)
    return tuned.tuning.unchanged.lambda
  }
  const [facts, weights] = await seen.ask([{ ask: 'facts' }, { ask: 'weights' }])
  if (isLacking(facts)) return without(facts)
  if (isLacking(weights)) return without(weights)
  const { maxWeight: largest } = facts
  if (isLacking(largest)) return without(largest)
  const grid = lambdaGrid(tuned, { largest, median: weights.median })
  const terms = termsOf(grid.map((lambda) => tuned.with(lambda)))
  const [moments] = await seen.ask([{ ask: 'sums', terms, by: ways, rows: tuned.rows }])
  if (isLacking(moments)) return without(moments)
  const { curve, chosen } =
    by === 'slope' ? tune(tuned, { moments, grid }) : tuneByPairedError(tuned, { moments, grid })
  curves.push({ estimator: tuned.name, points: curve, chosen, chosenBy: by })
  return chosen
}
