import { HindcastError } from '../../error.js'
import { studentQuantile } from '../../student.js'
import type { Estimator } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import type { ClusterColumn, Moments } from '../source/moments.js'
import { factsOf, isLacking, type Known, type Seen, type SumSource } from '../source/source.js'
import { one, reward } from '../term.js'
import { type ClusterChoice, waysOf } from '../ways.js'
import { type Side, type Split, spreadExtremeOf, type SpreadExtreme, type Tilt } from './extreme.js'
import { flipsAt } from './flips-at.js'
import { GAMMAS, type Sensitivity, type SensitivityPoint } from './sensitivity.js'
import { constantly, splitAtHand, type Splitting, splitsOfMeans, splitsOfRatios } from './splits.js'
import { tiltingOf } from './tilting.js'

/** Of which estimate to ask how wrong propensities may be. */
export interface SensitivityOptions {
  /** An estimator, or the name of one; with a colon and λ where it takes one: `clipped-ips:10`. */
  readonly estimator: Estimator | (string & {})
  /** The ways in which rows may depend on each other (default `auto`). */
  readonly cluster?: ClusterChoice | (string & {})
  /** Default 0.95. */
  readonly confidence?: number
  /** Rising from 1 (default `GAMMAS`). */
  readonly gammas?: readonly number[]
}

/**
 * How wrong propensities may be: the interval of an estimate where every weight may be off by a factor of up to Γ, and
 * the Γ at which the difference from the logged mean is lost. Lacking where the estimator uses no weights of single rows,
 * or has no standard error.
 */
export async function sensitivityOf(
  source: SumSource,
  { estimator: named, cluster = 'auto', confidence = 0.95, gammas = GAMMAS }: SensitivityOptions,
): Promise<Known<Sensitivity>> {
  if (gammas[0] !== 1 || gammas.some((gamma, k) => k > 0 && !(gamma > gammas[k - 1]!)))
    throw new HindcastError('bad-option', `The factors ${gammas.join(', ')} do not rise from 1.`, {
      remedy: 'Give factors such as 1, 1.5 and 2.',
    })
  const estimator = typeof named === 'string' ? parsed(named) : named
  const ways = waysOf(cluster, await factsOf(source))
  return sensitivityFor({ seen: source, estimator, ways, confidence, gammas, mayAsk: true })
}

function parsed(text: string): Estimator {
  const [name, lambda] = text.split(':', 2) as [string, string | undefined]
  return estimatorNamed(name, lambda === undefined ? undefined : Number(lambda))
}

/** What the sensitivity of an estimate is made from. */
interface SensitivityAsked {
  readonly seen: Seen
  readonly estimator: Estimator
  readonly ways: readonly ClusterColumn[]
  readonly confidence: number
  readonly gammas?: readonly number[]
  /** The sums of the evaluation. */
  readonly moments?: Moments
  /** Whether rows may be passed over again; else only what the sums at hand say. */
  readonly mayAsk: boolean
}

/** The sensitivity of an estimate, from sums at hand where they suffice. */
export async function sensitivityFor(asked: SensitivityAsked): Promise<Known<Sensitivity>> {
  const { estimator, seen, ways, confidence, gammas = GAMMAS, moments, mayAsk } = asked
  const facts = await factsOf(seen)
  if (!facts.usesPropensities) return { lacking: 'weights do not depend on propensities' }
  if (facts.propensitySource === 'none') return { lacking: 'there are no propensities' }
  const tilting = tiltingOf(estimator)
  if (!tilting) return { lacking: `${estimator.label} has no weights of single rows` }
  const asking = { seen, ways, rows: estimator.rows }
  const atHand = moments && splitAtHand(tilting, moments, facts)
  if (!atHand && !mayAsk) return { lacking: 'it needs further passes over the rows' }
  const splitting = atHand
    ? constantly(atHand)
    : tilting.isSelfNormalised
      ? splitsOfRatios(tilting, asking)
      : splitsOfMeans(tilting, asking)
  return sensitivityBy(splitting, gammas, confidence)
}

const NO_ERROR = { lacking: 'it has no standard error' }
const SIDES: readonly Side[] = [-1, 1]

async function sensitivityBy(
  splitting: Splitting,
  gammas: readonly number[],
  confidence: number,
): Promise<Known<Sensitivity>> {
  const tilts = gammas.flatMap((gamma) => SIDES.map((side): Tilt => ({ gamma, side })))
  const splits = await splitting(tilts)
  if (isLacking(splits)) return splits
  if (!isCarriedByMany(splits[0]!)) return NO_ERROR
  const extremes: SpreadExtreme[] = []
  for (const [k, tilt] of tilts.entries()) {
    const extreme = spreadExtremeOf(splits[k]!, tilt)
    if (!extreme) return NO_ERROR
    extremes.push(extreme)
  }
  const side = sideOfLogged(extremes[0]!, splits[0]!)
  const towards = gammas.map((gamma, k) => ({ gamma, split: splits[2 * k + (side === -1 ? 0 : 1)]! }))
  const flips = await flipsAt(towards, side, confidence, splitting)
  if (isLacking(flips)) return flips
  return { grid: gridOf(gammas, extremes, confidence), flipsAt: flips }
}

/** Whether more than one cluster has any weight: what one cluster says has no spread. */
const isCarriedByMany = ({ moments, parted }: Split): boolean =>
  moments.sums(parted.all.weight).reduce((carrying, sum) => carrying + (sum === 0 ? 0 : 1), 0) > 1

/** The side of the estimate on which the logged mean lies. */
const sideOfLogged = ({ value }: SpreadExtreme, { moments }: Split): Side =>
  value > moments.total(reward) / moments.total(one) ? -1 : 1

/** Intervals at each Γ. What may be off by a little may be off by more, so each holds those before it. */
function gridOf(
  gammas: readonly number[],
  extremes: readonly SpreadExtreme[],
  confidence: number,
): SensitivityPoint[] {
  let [least, most] = [Infinity, -Infinity]
  const half = ({ standardError, degreesOfFreedom }: SpreadExtreme): number =>
    studentQuantile((1 + confidence) / 2, degreesOfFreedom) * standardError
  return gammas.map((gamma, k) => {
    const [low, high] = [extremes[2 * k]!, extremes[2 * k + 1]!]
    least = Math.min(least, low.value - half(low))
    most = Math.max(most, high.value + half(high))
    return { gamma, low: low.value, high: high.value, interval: [least, most] }
  })
}
