import type { FirstLookPoint } from './first-look.js'

/** Where things stand in the picture, in pixels. */
export interface FirstPicture {
  readonly x: (place: number) => number
  readonly y: (value: number) => number
  /** The 95 % intervals as one band, the estimates and the true values as lines. */
  readonly band: string
  readonly estimates: string
  readonly truths: string
  /** Values with a line across, from the lowest. */
  readonly ticks: readonly number[]
}

/** Room around the picture for what is written at its edges. */
const EDGE = { left: 44, right: 12, top: 12, bottom: 28 } as const
const TICK = 0.1

/** The picture of the first page for a width and a height: soft policies on the left, sharp ones on the right. */
export function firstPicture(
  points: readonly FirstLookPoint[],
  { width, height }: { readonly width: number; readonly height: number },
): FirstPicture {
  const intervals = points.map(({ interval }) => interval)
  const most = Math.max(...intervals.map(([, high]) => high), ...points.map(({ truth }) => truth))
  const x = (place: number): number =>
    EDGE.left + (place / Math.max(1, points.length - 1)) * (width - EDGE.left - EDGE.right)
  const y = (value: number): number =>
    height - EDGE.bottom - (value / most) * (height - EDGE.top - EDGE.bottom)
  const path = (values: readonly number[]): string =>
    values.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const lows = path(intervals.map(([low]) => low))
  const highs = path(intervals.map(([, high]) => high))
    .split(' ')
    .toReversed()
    .join(' ')
  return {
    x,
    y,
    band: `${lows} ${highs}`,
    estimates: path(points.map(({ value }) => value)),
    truths: path(points.map(({ truth }) => truth)),
    ticks: Array.from({ length: Math.floor(most / TICK) + 1 }, (_, k) => Number((k * TICK).toFixed(1))),
  }
}
