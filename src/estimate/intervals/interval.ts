/** A lower and an upper bound of a policy's value, in units of the reward. */
export type Bounds = readonly [number, number]

/** An interval, or the reason why there is none: undefined is null, never 0 ± 0. */
export interface IntervalResult {
  readonly interval: Bounds | null
  /** Which interval it is: `logit-t`, `cressie-read`. */
  readonly method: string
  /** Why there is none, or what to keep in mind about the one there is. */
  readonly reason?: string
}

/** No interval, and why. */
export const noInterval = (method: string, reason: string): IntervalResult => ({
  interval: null,
  method,
  reason,
})

/** An interval, with a remark where there is one. */
export const intervalOf = (method: string, interval: Bounds, reason?: string): IntervalResult => ({
  interval,
  method,
  ...(reason !== undefined && { reason }),
})
