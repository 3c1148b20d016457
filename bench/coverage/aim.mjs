// What must hold in every cell, and how a measured share is judged.

/** Coverage among trusted logs. */
export const COVERAGE = [0.93, 0.975]
/** Coverage among a handful of logs says nothing: at least this share of them must be trusted. */
export const LEAST_TRUSTED = 0.05
/** Sound logs that are not trusted: per evaluation, and per comparison of six targets. */
export const MOST_DOUBTED = { evaluation: 0.01, comparison: 0.03 }

/**
 * `held`, `failed`, or `unclear` where the share misses the aim by less than two of its standard errors; null where too
 * few logs are trusted to tell.
 */
export function coverageJudged({ trusted, all }) {
  if (trusted.coverage === null || trusted.logs < LEAST_TRUSTED * all.logs) return null
  const [low, high] = COVERAGE
  const beyond = Math.max(low - trusted.coverage, trusted.coverage - high)
  if (beyond <= 0) return 'held'
  const limit = trusted.coverage < low ? low : high
  return beyond > 2 * Math.sqrt((limit * (1 - limit)) / trusted.given) ? 'failed' : 'unclear'
}

/** The same for the share of sound logs that are doubted. */
export function doubtJudged({ trust, all }, limit) {
  const doubted = 1 - trust / all.logs
  if (doubted <= limit) return 'held'
  return doubted - limit > 2 * Math.sqrt((limit * (1 - limit)) / all.logs) ? 'failed' : 'unclear'
}

/** How a cell of a family is judged: by coverage, and by doubt where the logs are sound. */
export function judged({ doubt }, summary) {
  const results = [coverageJudged(summary), doubt === undefined ? null : doubtJudged(summary, doubt)]
  return ['failed', 'unclear', 'held'].find((result) => results.includes(result)) ?? null
}
