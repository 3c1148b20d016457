import { contextColumn } from '../../log/contexts.js'
import type { Log } from '../../log/log.js'
import { formatCount } from '../../number-text.js'
import { type ClicksTogether, clicksTogetherOf } from './clicks-together.js'
import { type InverseGaps, inverseGaps } from './inverse-gaps.js'
import { type Dependence, dependenceOf } from './propensity-dependence.js'
import type { SlatePropensities } from './slate-estimator.js'
import { showsItemsTwice } from './slate-weights.js'
import type { Slates } from './slates.js'

/** Which kind of propensities the pages of a log have, and what shows it, as the rest of a sentence: "because …". */
export interface SlateKind {
  /** `both`: the kinds are the same here. `neither`: no kind of slot probabilities can look like these. */
  readonly kind: SlatePropensities | 'both' | 'neither' | 'unknown'
  readonly evidence: string
}

/** What the pages of a log are like, whatever their propensities. */
export interface PageTraits {
  readonly mostSlots: number
  /** A page shows an item more than once. */
  readonly twice: boolean
  /** How often two slots of a page earned something; absent where every page has one. */
  readonly together?: ClicksTogether
}

/** Looks at them. */
export function pageTraitsOf(log: Log, slates: Slates): PageTraits {
  const { mostSlots } = slates
  if (mostSlots < 2) return { mostSlots, twice: false }
  return { mostSlots, twice: showsItemsTwice(log, slates), together: clicksTogetherOf(log, slates) }
}

/** Standard errors within which a mean is as expected, and beyond which it is not. */
const NEAR = 3
const FAR = 6
/** By this many standard errors the two kinds must differ before means are asked. */
const APART = 8

/**
 * Tells from a log alone whether the propensities of its pages are conditional (given the items above) or marginal
 * (whatever stands above).
 *
 * - Where a user, or everybody, is shown the same item in the same slot below different items, conditional propensities
 *   differ and marginal ones do not: `dependenceOf` measures that, with no chance in it.
 * - Otherwise by means: 1/b_k averages the number of items that were possible in slot k, which falls by one from slot
 *   to slot for conditional propensities without repetition, and stays for marginal ones: `inverseGaps`.
 */
export function slateKindOf(log: Log, slates: Slates, pages: PageTraits): SlateKind {
  if (!log.propensity) return NO_PROPENSITIES
  const dependence = (scope: Uint32Array) => (): Dependence => dependenceOf(log, slates, scope)
  const found = kindByPages(
    pages,
    dependence(new Uint32Array(log.rows)),
    dependence(contextColumn(log).index),
  )
  return found ?? kindByMeans(inverseGaps(log))
}

/** The kind of propensities that are not there. */
export const NO_PROPENSITIES: SlateKind = { kind: 'unknown', evidence: 'the log has no propensities' }

/** The kind that pages show by themselves, and how their propensities depend on the items above; undefined where only means can tell. */
export function kindByPages(
  { mostSlots, twice }: Pick<PageTraits, 'mostSlots' | 'twice'>,
  ofEverybody: () => Dependence,
  ofUsers: () => Dependence,
): SlateKind | undefined {
  if (mostSlots < 2) return { kind: 'both', evidence: 'every page has one slot' }
  const found = byDependence(ofEverybody(), 'everybody', twice) ?? byDependence(ofUsers(), 'a user', twice)
  if (found || !twice) return found
  return { kind: 'both', evidence: 'pages show items twice, so slots were drawn independently' }
}

/** The kind that the dependence of propensities on the items above shows; undefined where it shows nothing. */
function byDependence(dependence: Dependence, scope: string, twice: boolean): SlateKind | undefined {
  const { comparisons, steady, firstSlotSum, predicted, ofItem, ofSlot, spread } = dependence
  // Only where a scope determines the propensity of the first slot can it say anything about the others.
  if (!steady) return undefined
  if (firstSlotSum > 1.05)
    return {
      kind: 'neither',
      evidence: `the propensities of the items that ${scope} was shown in the first slot sum to ${Number(firstSlotSum.toPrecision(3))}, and in one slot they cannot exceed 1: they may be probabilities of being anywhere on the page`,
    }
  if (comparisons < 20 || predicted === 0) return undefined
  const times = `${formatCount(comparisons)} times ${scope} was shown an item in the same slot below other items`
  if (ofSlot > 0.3 * predicted)
    return { kind: 'conditional', evidence: `${times}, and its propensity changed with them` }
  if (ofSlot > 0.1 * predicted) return undefined
  if (twice) return { kind: 'both', evidence: `${times}, and its propensity stayed the same` }
  // The probabilities of an uneven policy cannot be the same in every slot of a page that repeats nothing.
  if (ofItem < 0.1 * predicted && spread > 10 * ofItem)
    return {
      kind: 'neither',
      evidence: `an item has the same propensity in every slot, although no page shows an item twice: they may be the policy’s probabilities of a single draw`,
    }
  return { kind: 'marginal', evidence: `${times}, and its propensity stayed the same` }
}

/** The kind that means of inverse propensities show. */
export function kindByMeans({ mean, error, conditional }: InverseGaps): SlateKind {
  const isFlat = error < 1e-9 * Math.max(1, Math.abs(mean))
  const unit = isFlat ? 1e-3 * conditional : error
  if (!(conditional > APART * unit)) return unknown
  const [fromConditional, fromMarginal] = [Math.abs(mean - conditional) / unit, Math.abs(mean) / unit]
  const evidence = `from the first slot to the others, the mean of 1/propensity falls by ${Number(mean.toPrecision(3))}; ${Number(conditional.toPrecision(3))} is expected if they are given the items above, 0 if not`
  if (fromConditional < NEAR && fromMarginal > FAR) return { kind: 'conditional', evidence }
  if (fromMarginal < NEAR && fromConditional > FAR) return { kind: 'marginal', evidence }
  return unknown
}

const unknown: SlateKind = {
  kind: 'unknown',
  evidence: 'no item was shown often enough in the same slot below different items',
}
