import type { Tally } from '../describe/describe.js'
import { exp, log, log1p } from '../portable-math.js'

/** Impressions and clicks of an item. */
export interface Item {
  readonly id: string
  readonly impressions: number
  readonly clicks: number
}

/** Items with the same impressions and clicks, or nearly the same where there are very many, drawn as one dot. */
export interface Dot {
  /** Of each of the items; the mean where they differ. */
  readonly impressions: number
  readonly clicks: number
  readonly rate: number
  /** Whether the rate lies outside of the funnel that chance gives. */
  readonly outside: boolean
  readonly ids: string[]
  /** The least and the most impressions of its items, where they differ. */
  readonly between?: readonly [number, number]
}

/** The item at a place of a tally. */
export const itemAt = ({ ids, impressions, clicks }: Tally, place: number): Item => ({
  id: ids[place]!,
  impressions: impressions[place]!,
  clicks: clicks[place]!,
})

/** The items at some places as dots, large ones first; `overall` is the rate that the funnel stands around. */
export function gatherDots(items: Tally, places: Uint32Array, overall: number): Dot[] {
  const dots = new Map<string, Dot>()
  for (const place of places.toSorted()) {
    const { id, impressions, clicks } = itemAt(items, place)
    const key = `${impressions} ${clicks}`
    let dot = dots.get(key)
    if (!dot) {
      const rate = clicks / impressions
      dot = {
        impressions,
        clicks,
        rate,
        outside: isOutside(rate, wilsonFunnel(overall, impressions)),
        ids: [],
      }
      dots.set(key, dot)
    }
    dot.ids.push(id)
  }
  return [...dots.values()].sort(byArea)
}

const isOutside = (rate: number, [lower, upper]: readonly [number, number]): boolean =>
  rate < lower || rate > upper

/** Above this variance of the clicks, the share that chance puts outside of the funnel is 5 % to two digits. */
const NEARLY_NORMAL = 200

/**
 * How many items chance alone puts outside of the funnel if all have the overall rate, and the variance of that
 * number. Few impressions allow few rates, so it may be far from 5 %: with one impression and a rate of 14 %, every
 * click is outside. P(outside) = 1 − Σ C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ over the clicks k inside.
 */
export function outsideByChance(
  items: Tally,
  places: Uint32Array,
  overall: number,
): { mean: number; variance: number } {
  const known = new Map<number, number>()
  let [mean, variance] = [0, 0]
  for (const place of places) {
    const trials = items.impressions[place]!
    let share = known.get(trials)
    if (share === undefined) known.set(trials, (share = shareOutside(trials, overall)))
    mean += share
    variance += share * (1 - share)
  }
  return { mean, variance }
}

function shareOutside(trials: number, rate: number): number {
  const isWhole = Number.isInteger(trials)
  if (!isWhole || trials * rate * (1 - rate) > NEARLY_NORMAL) return 0.05
  const funnel = wilsonFunnel(rate, trials)
  let inside = 0
  let sum = trials * log1p(-rate)
  for (let clicks = 0; clicks <= trials; clicks++) {
    if (!isOutside(clicks / trials, funnel)) inside += exp(sum)
    else if (clicks / trials > rate) break
    sum += log(((trials - clicks) * rate) / ((clicks + 1) * (1 - rate)))
  }
  return Math.max(0, 1 - inside)
}

const byArea = (a: Dot, b: Dot): number => b.impressions * b.ids.length - a.impressions * a.ids.length

/**
 * At most `most` dots: where there are more, those of one side of the funnel in one cell of a grid become one. The
 * grid is the finest that does; `top` is where the rate axis ends.
 */
export function mergeDots(dots: readonly Dot[], top: number, most: number): readonly Dot[] {
  let merged = dots
  for (let cells = 300; merged.length > most; cells *= 0.8) merged = mergedOnGrid(dots, top, cells)
  return merged
}

function mergedOnGrid(dots: readonly Dot[], top: number, cells: number): Dot[] {
  const [least, most] = extremes(dots.map(({ impressions }) => impressions))
  const across = cells / Math.log((most * 1.01) / least)
  const groups = new Map<string, Dot[]>()
  for (const dot of dots) {
    const column = Math.floor(across * Math.log(dot.impressions / least))
    const row = dot.rate > top ? 'above' : Math.floor((cells / 2) * (dot.rate / top))
    const key = `${column} ${row} ${dot.outside}`
    const group = groups.get(key)
    if (group) group.push(dot)
    else groups.set(key, [dot])
  }
  return [...groups.values()].map((group) => (group.length === 1 ? group[0]! : joined(group))).sort(byArea)
}

function joined(group: readonly Dot[]): Dot {
  const ids = group.flatMap((dot) => dot.ids)
  const mean = (of: 'impressions' | 'clicks'): number =>
    group.reduce((total, dot) => total + dot[of] * dot.ids.length, 0) / ids.length
  const [impressions, clicks] = [mean('impressions'), mean('clicks')]
  const between = extremes(group.map((dot) => dot.impressions))
  return { impressions, clicks, rate: clicks / impressions, outside: group[0]!.outside, ids, between }
}

/** The least and the most of some values. */
export function extremes(values: Iterable<number>): [number, number] {
  let [least, most] = [Infinity, -Infinity]
  for (const value of values) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return [least, most]
}

/** z of a two-sided 95 % interval: the 0.975 quantile of the standard normal distribution. */
const Z95 = 1.959963984540054

/**
 * Wilson's score interval of a rate, as [lower, upper] in [0, 1]: all rates p with
 * |clicks/trials − p| ≤ z √(p (1 − p) / trials). It stays inside [0, 1] and is not empty at 0 or at
 * `trials` clicks (Wilson 1927). Takes trials as independent; `trials` must be above 0.
 */
export function wilsonInterval(clicks: number, trials: number, z = Z95): [number, number] {
  const rate = clicks / trials
  const shrink = 1 + (z * z) / trials
  const centre = (rate + (z * z) / (2 * trials)) / shrink
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials))
  return [clicks <= 0 ? 0 : Math.max(0, centre - half), clicks >= trials ? 1 : Math.min(1, centre + half)]
}

/**
 * The funnel around a known rate, as [lower, upper] in [0, 1]: an observed rate of `trials` impressions
 * lies inside exactly when its own Wilson interval holds `rate`, so that a dot and its interval never
 * disagree. rate ± z √(rate (1 − rate) / trials), cut at 0 and 1.
 */
export function wilsonFunnel(rate: number, trials: number, z = Z95): [number, number] {
  const half = z * Math.sqrt((rate * (1 - rate)) / trials)
  return [Math.max(0, rate - half), Math.min(1, rate + half)]
}
