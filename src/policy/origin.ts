/** Where a policy, with every model in it, comes from. `held-out`: from rows that were held out of this log. */
export type PolicyMade = 'elsewhere' | 'held-out' | 'this-log'

/** What is known, without asking anybody, of where a policy comes from: by what it is, or by the stamp of the rows it was made from. */
export interface Origin {
  /** Absent where its stamp does not settle it. */
  readonly made?: PolicyMade
  /** The share of this log's rows that it was made from, as far as rows can be recognised; absent where it has no stamp. */
  readonly share?: number
  /** It prefers no item, whoever is shown it. */
  readonly isBlind?: true
}

/** Where a target that a rule defines comes from: only popularity looks at the log, at other users than those it is shown to. Undefined for others. */
export const originOfRule = (kind: string): Origin | undefined =>
  kind === 'uniform' || kind === 'logging'
    ? { made: 'elsewhere', isBlind: true }
    : kind === 'popularity'
      ? { made: 'held-out' }
      : undefined

/** Where a mixture comes from: made from this log if a part of it was, and unknown if one is. */
export function originOfAll(origins: readonly (Origin | undefined)[]): Origin | undefined {
  const shares = origins.flatMap((origin) => (origin?.made === 'this-log' ? [origin.share ?? 1] : []))
  if (shares.length > 0) return { made: 'this-log', share: Math.max(...shares) }
  if (origins.some((origin) => origin?.made === undefined)) return undefined
  return (
    origins.find((origin) => origin?.made === 'held-out') ??
    origins.find((origin) => !origin?.isBlind) ??
    origins[0]
  )
}
