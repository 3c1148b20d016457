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

/** The effective share of the log at either end of the bias, and how many intervals cover the truth. */
export function biasCurveFinding({ points, seeds, here }: BiasCurve): string {
  const known = points
    .flatMap(({ temperature, essRatio }) =>
      essRatio.mean === null ? [] : [{ temperature, share: essRatio.mean }],
    )
    .toSorted((a, b) => a.share - b.share)
  const [least, most] = [known[0], known.at(-1)]
  if (!least || !most || known.length < 2)
    return here.essRatio === null
      ? `At temperature ${formatTick(here.temperature)}, the log says nothing about the target policy`
      : `The effective sample is ${formatShare(here.essRatio)} of the log at temperature ${formatTick(here.temperature)}`
  const covered = points.reduce((sum, point) => sum + point.covered, 0)
  return (
    `The effective sample is ${formatShare(least.share)} of the log at temperature ${formatTick(least.temperature)}, ` +
    `${formatShare(most.share)} at ${formatTick(most.temperature)}; ${covered} of ${known.length * seeds} intervals cover the truth`
  )
}

/** Where SNIPS and the effective sample of several targets peak. */
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
