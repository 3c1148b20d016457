import { formatShare, formatTick } from '../number-text.js'
import { peakOf, peaksText, type SeedMean } from './seed-text.js'

/** What logs of one temperature say, in brief. */
interface BiasPoint {
  readonly temperature: number
  readonly snips: SeedMean
  readonly essRatio: SeedMean
  readonly covered: number
}

/** A curve over temperatures, and the log that is marked on it. */
interface BiasCurve {
  readonly points: readonly BiasPoint[]
  readonly seeds: number
  readonly here: { readonly temperature: number; readonly essRatio: number | null }
}

/** How much of the log counts at either end of the bias, and how many intervals hold the truth. */
export function biasCurveFinding({ points, seeds, here }: BiasCurve): string {
  const known = points
    .flatMap(({ temperature, essRatio }) =>
      essRatio.mean === null ? [] : [{ temperature, share: essRatio.mean }],
    )
    .toSorted((a, b) => a.share - b.share)
  const [least, most] = [known[0], known.at(-1)]
  if (!least || !most || known.length < 2)
    return here.essRatio === null
      ? `Nothing of this log counts at temperature ${formatTick(here.temperature)}`
      : `${formatShare(here.essRatio)} of the log counts at temperature ${formatTick(here.temperature)}`
  const covered = points.reduce((sum, point) => sum + point.covered, 0)
  return (
    `${formatShare(least.share)} of the log counts at temperature ${formatTick(least.temperature)}, ` +
    `${formatShare(most.share)} at ${formatTick(most.temperature)}; ${covered} of ${known.length * seeds} intervals hold the truth`
  )
}

/** Where SNIPS and the effective sample of several targets have their peaks. */
export function biasSweepFinding(
  targets: readonly { readonly label: string; readonly points: readonly BiasPoint[] }[],
): string {
  const peaks = (measure: (point: BiasPoint) => SeedMean): string =>
    peaksText(
      targets.flatMap(({ label, points }) => {
        const peak = peakOf(points, measure)
        return peak ? [{ label, at: peak.at.temperature, isLevel: peak.isLevel }] : []
      }),
      'temperature',
    )
  return (
    `SNIPS is highest ${peaks(({ snips }) => snips)}; ` +
    `the effective sample is largest ${peaks(({ essRatio }) => essRatio)}`
  )
}
