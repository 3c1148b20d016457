import { listed } from '../listed.js'
import { counted, formatTick } from '../number-text.js'
import { formatEstimate } from './estimate-text.js'

/** A mean over seeds with its interval, either null where there is none. */
export interface SeedMean {
  readonly mean: number | null
  readonly interval: readonly [number, number] | null
}

/** A value that is known without an interval. */
export const bareMean = (mean: number | null): SeedMean => ({ mean, interval: null })

/** What a mean rests on, for a subtitle: "means over 3 seeds with 95 % intervals as bands". */
export const overSeeds = (seeds: number, drawnAs: string): string =>
  seeds > 1
    ? `means over ${counted(seeds, 'seed')} with 95 % intervals as ${drawnAs}`
    : 'one seed, so no intervals'

/** Paragraphs of a subtitle or caption, empty ones left out. */
export const sentences = (...texts: readonly (string | undefined)[]): string =>
  texts.filter(Boolean).join(' ')

/** A mean with its interval, as "0.312 (0.305–0.319)". */
export function meanText({ mean, interval }: SeedMean): string {
  if (mean === null) return 'no value'
  const written = formatEstimate(mean, interval)
  return written.interval === null ? written.value : `${written.value} (${written.interval})`
}

/** Whether two intervals share a value; true where either is missing, because then nothing sets them apart. */
export const mayBeEqual = (a: SeedMean, b: SeedMean): boolean =>
  a.interval === null ||
  b.interval === null ||
  (a.interval[0] <= b.interval[1] && b.interval[0] <= a.interval[1])

/** Where a measure is largest, and whether it is level: its largest and its smallest may be equal. */
export interface Peak<Point> {
  readonly at: Point
  readonly isLevel: boolean
}

/** The peak of a measure over points; undefined where no point has a value. */
export function peakOf<Point>(
  points: readonly Point[],
  measure: (point: Point) => SeedMean,
): Peak<Point> | undefined {
  const sorted = points
    .filter((point) => measure(point).mean !== null)
    .toSorted((a, b) => measure(b).mean! - measure(a).mean!)
  const [best, worst] = [sorted[0], sorted.at(-1)]
  if (best === undefined || worst === undefined) return undefined
  return { at: best, isLevel: mayBeEqual(measure(best), measure(worst)) }
}

/**
 * Where each of several series has its peak, as words after "is highest ": "at temperature 1 for all", "at
 * temperature 1 for all but a (5)", "at temperature 1 for a and b, at 5 for c, at no clear point for the others".
 */
export function peaksText(
  peaks: readonly { readonly label: string; readonly at: number; readonly isLevel: boolean }[],
  unit: string,
): string {
  const level = peaks.filter(({ isLevel }) => isLevel)
  const clear = peaks.filter(({ isLevel }) => !isLevel)
  const groups = [...new Set(clear.map(({ at }) => at))]
    .map((at) => [formatTick(at), clear.filter((peak) => peak.at === at)] as const)
    .toSorted((a, b) => b[1].length - a[1].length)
  if (groups.length === 0) return 'at no clear point'
  const [[first, most], other] = [groups[0]!, groups[1]]
  if (level.length === 0 && groups.length === 1)
    return `at ${unit} ${first}${peaks.length > 1 ? ' for all' : ''}`
  if (level.length === 0 && groups.length === 2 && most.length > 1 && other![1].length === 1)
    return `at ${unit} ${first} for all but ${other![1][0]!.label} (${other![0]})`
  const texts = groups.map(
    ([at, own], k) => `at ${k === 0 ? `${unit} ` : ''}${at} for ${listed(own.map(({ label }) => label))}`,
  )
  if (level.length > 0)
    texts.push(`at no clear point for ${level.length === 1 ? level[0]!.label : 'the others'}`)
  return texts.join(', ')
}
