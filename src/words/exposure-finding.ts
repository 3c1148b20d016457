import { counted, formatCount, formatShare } from '../number-text.js'

/** How many of the `candidates` it takes to make up half of all impressions; `impressions` of each, most first. */
export function exposureFinding(impressions: readonly number[], total: number, candidates: number): string {
  if (candidates === 1) return `The only item took all ${counted(total, 'impression')}`
  let running = 0
  let half = 0
  while (running < total / 2) running += impressions[half++]!
  const share = half / candidates
  const words = `${formatCount(half)} of ${counted(candidates, 'item')} (${formatShare(share)})`
  if (half === 1)
    return `One of ${formatCount(candidates)} items took ${formatShare(running / total)} of all impressions`
  if (share > 0.45) return `Exposure is nearly even: half of all impressions are spread over ${words}`
  return `Half of all impressions went to ${words}`
}

/** A rank and the share of all impressions down to it. */
export interface Reached {
  readonly rank: number
  readonly share: number
}

/** How many items of a catalogue reach half of all impressions. */
export const concentrationFinding = (half: Reached, catalogue: number): string =>
  half.rank === 1
    ? `One of ${formatCount(catalogue)} items took ${formatShare(half.share)} of all impressions`
    : `Half of all impressions went to ${formatCount(half.rank)} of ${counted(catalogue, 'item')} (${formatShare(half.rank / catalogue)})`
