import { HindcastError } from '../../error.js'
import { studentQuantile } from '../../student.js'
import type { Estimator } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import { GAMMAS, type Sensitivity, type SensitivityPoint } from '../evaluation.js'
import type { ClusterColumn, Moments } from '../source/moments.js'
import {
  type Facts,
  type Known,
  type RowKind,
  type Seen,
  type SumSource,
  factsOf,
  isLacking,
} from '../source/source.js'
import { type Term, distinctTerms, one, reward, weight as rowWeight, weightedReward } from '../term.js'
import { type ClusterChoice, waysOf } from '../ways.js'
import {
  type Parted,
  type Side,
  type Split,
  type SpreadExtreme,
  type Tilt,
  type Tilting,
  allOf,
  extremeOf,
  partedAt,
  spreadExtremeOf,
  spreadOfCombination,
  termsOfParts,
  tiltingOf,
} from './tilted-weights.js'

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
  if (!atHand && tilting.isSelfNormalised)
    return sensitivityBy(splitsOfRatios(tilting, asking), gammas, confidence)
  const split = atHand ?? (await splitOfMeans(tilting, asking))
  if (isLacking(split)) return split
  return sensitivityBy(async (tilts) => tilts.map(() => split), gammas, confidence)
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

/**
 * By how much the interval of the difference between an extreme value and the logged mean, on the same rows, stays on
 * its side of 0. Not above 0 where it touches 0, or the difference has no spread to measure.
 */
function marginOf(split: Split, gamma: number, side: Side, confidence: number): number {
  const extreme = extremeOf(split, { gamma, side })
  if (!extreme) return 0
  const { moments } = split
  const rows = moments.total(one)
  const mean = moments.total(reward) / rows
  const difference = extreme.value - mean
  const spread = spreadOfCombination(moments, extreme.influences.add(reward, -1 / rows).add(one, mean / rows))
  // Compared with the values, the difference is nothing but rounding.
  if (!spread || !(spread.standardError > 1e-12 * Math.max(Math.abs(mean), Math.abs(extreme.value)))) return 0
  const quantile = studentQuantile((1 + confidence) / 2, spread.degreesOfFreedom)
  return -side * difference - quantile * spread.standardError
}

/** A Γ is found to this part of itself. */
const PRECISION = 1e-5
const MOST_ROUNDS = 6

/**
 * The smallest Γ at which the difference from the logged mean is no longer beyond chance, given how rows are parted at
 * each Γ of a rising grid towards the side of the logged mean; null where there is none in the grid.
 */
async function flipsAt(
  grid: readonly { readonly gamma: number; readonly split: Split }[],
  side: Side,
  confidence: number,
  splitting: Splitting,
): Promise<Known<number | null>> {
  const margin = (split: Split, gamma: number): number => marginOf(split, gamma, side, confidence)
  const last = grid.findIndex(({ gamma, split }) => !(margin(split, gamma) > 0))
  if (last === -1) return null
  if (last === 0) return grid[0]!.gamma
  const [from, to] = [grid[last - 1]!.gamma, grid[last]!.gamma]
  let { gamma, split } = grid[last]!
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = gamma
    const parted = split
    gamma = crossing(from, to, (at) => margin(parted, at))
    const found = await splitting([{ gamma, side }])
    if (isLacking(found)) return found
    // The same rows whatever Γ, or no other Γ: done.
    if (found[0] === split || Math.abs(gamma - before) <= PRECISION * gamma) break
    split = found[0]!
  }
  return gamma
}

/**
 * Where a margin, above 0 at `from` and not at `to`, is 0: by straight lines between the ends, the end that stays counting
 * half each time (the Illinois rule), a few evaluations where bisection takes a dozen.
 */
function crossing(from: number, to: number, margin: (gamma: number) => number): number {
  let [low, high] = [from, to]
  let [atLow, atHigh] = [margin(low), margin(high)]
  if (!(atLow > 0)) return low
  if (atHigh > 0) return high
  let stayed = 0
  while (high - low > PRECISION * high) {
    const step = (high - low) * (atLow / (atLow - atHigh))
    // Not on top of an end, where rounding alone would decide.
    const middle = Math.min(high - (PRECISION / 4) * high, Math.max(low + (PRECISION / 4) * high, low + step))
    const found = margin(middle)
    if (found > 0) {
      ;[low, atLow] = [middle, found]
      if (stayed === 1) atHigh /= 2
      stayed = 1
    } else {
      ;[high, atHigh] = [middle, found]
      if (stayed === -1) atLow /= 2
      stayed = -1
    }
  }
  return low
}

/** Finds how rows are parted for each of some tilts. */
type Splitting = (tilts: readonly Tilt[]) => Promise<Known<readonly Split[]>>

/** Where sums by cluster come from. */
interface Asking {
  readonly seen: Seen
  readonly ways: readonly ClusterColumn[]
  readonly rows: RowKind
}

/**
 * Rows parted by sums that are at hand, whatever the tilt: clicks are above any threshold between 0 and 1, and the mean
 * of weighted rewards, none of which is negative, grows with every weight. Undefined where other sums are needed.
 */
function splitAtHand(
  tilting: Tilting,
  moments: Moments,
  { rewards }: Pick<Facts, 'rewards'>,
): Split | undefined {
  const all = allOf(tilting)
  if (isLacking(rewards) || all.weighted.name !== weightedReward.name || !moments.has([all.weighted, one]))
    return undefined
  const clicks = { weight: all.weighted, weighted: all.weighted }
  if (!tilting.isSelfNormalised)
    return rewards.least >= 0 ? { tilting, parted: { all, above: clicks }, moments } : undefined
  if (!rewards.isBinary || !moments.has([rowWeight])) return undefined
  return { tilting, parted: { all, above: clicks }, moments }
}

/** The mean of weight × outcome is extreme where outcomes above 0 are tilted against those below: one pass. */
async function splitOfMeans(tilting: Tilting, asking: Asking): Promise<Known<Split>> {
  const parted = partedAt(tilting, 0)
  const moments = await ask(asking, tilting, [parted])
  return isLacking(moments) ? moments : { tilting, parted, moments }
}

/** From here on a value moves by rounding alone. */
const CONVERGED = 1e-12
/** Passes over the rows in search of thresholds; some six are needed. */
const MOST_PASSES = 25

/**
 * A ratio S[w·o]/S[w] is extreme where weights are tilted against each other above and below the extreme value itself:
 * were the threshold elsewhere, an outcome between the two would pull the wrong way. So the value that a threshold gives
 * is the next threshold (Dinkelbach 1967: the values rise, ever faster, to the extreme). A pass sums all tilts at once.
 */
function splitsOfRatios(tilting: Tilting, asking: Asking): Splitting {
  let start: number | undefined
  return async (tilts) => {
    const [byFirst] = asking.ways
    const thresholds = new Map<Tilt, number>()
    if (start === undefined) {
      const plain = await ask({ ...asking, ways: [byFirst!] }, tilting, [])
      if (isLacking(plain)) return plain
      const { weight, weighted } = allOf(tilting)
      start = plain.total(weighted) / plain.total(weight)
    }
    for (const tilt of tilts) thresholds.set(tilt, start)
    let open = tilts.filter(({ gamma }) => gamma > 1)
    for (let pass = 0; open.length > 0 && pass < MOST_PASSES; pass++) {
      const parts = open.map((tilt) => partedAt(tilting, thresholds.get(tilt)!))
      const moments = await ask({ ...asking, ways: [byFirst!] }, tilting, parts)
      if (isLacking(moments)) return moments
      open = open.filter((tilt, k) => {
        const ratio = { ...tilting, rest: [] }
        const value = extremeOf({ tilting: ratio, parted: parts[k]!, moments }, tilt)?.value
        const before = thresholds.get(tilt)!
        if (value === undefined || !(Math.abs(value - before) > CONVERGED * Math.abs(value))) return false
        thresholds.set(tilt, value)
        return true
      })
    }
    const parts = tilts.map((tilt) => partedAt(tilting, thresholds.get(tilt)!))
    const moments = await ask(asking, tilting, parts)
    if (isLacking(moments)) return moments
    return parts.map((parted) => ({ tilting, parted, moments }))
  }
}

/** The sums of parted rows, beside those that values and differences need. */
async function ask(
  { seen, ways, rows }: Asking,
  tilting: Tilting,
  parts: readonly Parted[],
): Promise<Known<Moments>> {
  const { weight, weighted } = allOf(tilting)
  const terms: Term[] = [
    one,
    reward,
    weight,
    weighted,
    ...tilting.rest.map(({ numerator }) => numerator),
    ...termsOfParts(parts),
  ]
  const [moments] = await seen.ask([{ ask: 'sums', terms: distinctTerms(terms), by: ways, rows }])
  return moments
}
