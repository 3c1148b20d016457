/** A log of at most so many rows is streamed out to be described and examined; of a larger one, sums and a sample are. */
export const MOST_STREAMED = 1_000_000
