import type { ClusterColumn, Moments } from '../source/moments.js'
import { type Facts, isLacking, type Known, type RowKind, type Seen } from '../source/source.js'
import { distinctTerms, one, reward, weightedReward, weight as rowWeight } from '../term.js'
import { extremeOf, type Split, type Tilt } from './extreme.js'
import { allOf, type Parted, partedAt, termsOfParts, type Tilting } from './tilting.js'

/** Finds how rows are parted for each of some tilts. */
export type Splitting = (tilts: readonly Tilt[]) => Promise<Known<readonly Split[]>>

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
export function splitAtHand(
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

/** Always the same split. */
export const constantly =
  (split: Split): Splitting =>
  async (tilts) =>
    tilts.map(() => split)

/** The mean of weight × outcome is extreme where outcomes above 0 are tilted against those below: one pass. */
export function splitsOfMeans(tilting: Tilting, asking: Asking): Splitting {
  let split: Known<Split> | undefined
  return async (tilts) => {
    const parted = partedAt(tilting, 0)
    if (split === undefined) {
      const moments = await ask(asking, tilting, [parted])
      split = isLacking(moments) ? moments : { tilting, parted, moments }
    }
    const found = split
    return isLacking(found) ? found : tilts.map(() => found)
  }
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
export function splitsOfRatios(tilting: Tilting, asking: Asking): Splitting {
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
  const terms = distinctTerms([
    one,
    reward,
    weight,
    weighted,
    ...tilting.rest.map(({ numerator }) => numerator),
    ...termsOfParts(parts),
  ])
  const [moments] = await seen.ask([{ ask: 'sums', terms, by: ways, rows }])
  return moments
}
