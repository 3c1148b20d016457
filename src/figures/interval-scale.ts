/** What must be seen on a scale of intervals. */
export interface ScaleContents {
  /** Estimates and reference lines: always within. */
  readonly points: readonly number[]
  /** Within too, unless a few would flatten all others. */
  readonly intervals: readonly (readonly [number, number])[]
}

/**
 * The shared scale of several intervals: all of them, or where that would be more than four times as wide
 * as the points with three usual half-widths on either side, only those; longer intervals are then cut.
 */
export function intervalScale({ points, intervals }: ScaleContents): [low: number, high: number] {
  const finite = points.filter(Number.isFinite)
  const ends = intervals.flat().filter(Number.isFinite)
  const [least, most] = [Math.min(...finite), Math.max(...finite)]
  const low = Math.min(least, ...ends)
  const high = Math.max(most, ...ends)
  const halves = intervals
    .map(([from, to]) => (to - from) / 2)
    .filter((half) => half > 0 && Number.isFinite(half))
    .sort((a, b) => a - b)
  const usual = halves[(halves.length - 1) >> 1] ?? 0
  const [inner, outer] = [least - 3 * usual, most + 3 * usual]
  const [from, to] =
    usual > 0 && high - low > 4 * (outer - inner)
      ? [Math.max(low, inner), Math.min(high, outer)]
      : [low, high]
  if (to > from) return [from, to]
  const around = Math.abs(from) / 10 || 1
  return [from - around, to + around]
}
