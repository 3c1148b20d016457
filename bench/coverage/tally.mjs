// Counts of one cell: by estimator, over all logs and over those of each verdict.
const LEVELS = ['trust', 'caution', 'refuse']

const emptyPart = () => ({
  logs: 0,
  given: 0,
  held: 0,
  below: 0,
  above: 0,
  width: 0,
  error: 0,
  bias: 0,
  squares: 0,
})
const emptyTally = () => ({
  all: emptyPart(),
  ...Object.fromEntries(LEVELS.map((level) => [level, emptyPart()])),
  reasons: {},
  failures: 0,
})

/** Adds an answer. `below`: the whole interval lies below the truth. */
export function count(tallies, { name, truth, value, interval, level, reasons }) {
  const tally = (tallies[name] ??= emptyTally())
  for (const code of reasons) tally.reasons[code] = (tally.reasons[code] ?? 0) + 1
  for (const part of [tally.all, tally[level]]) {
    part.logs++
    if (truth === null || value === null || interval === null) continue
    part.given++
    part.width += interval[1] - interval[0]
    part.error += Math.abs(value - truth)
    part.bias += value - truth
    part.squares += (value - truth) ** 2
    if (interval[1] < truth) part.below++
    else if (interval[0] > truth) part.above++
    else part.held++
  }
}

/** Adds a log that could not be evaluated: no answer, which is right where the error says why. */
export function countFailure(tallies, names, error) {
  for (const name of names) {
    count(tallies, {
      name,
      truth: null,
      value: null,
      interval: null,
      level: 'refuse',
      reasons: [`error: ${error.message.slice(0, 60)}`],
    })
    tallies[name].failures++
  }
}

/** Adds the counts of more logs of the same cell. */
export function addTallies(into, from) {
  for (const [name, tally] of Object.entries(from)) {
    const sum = (into[name] ??= emptyTally())
    sum.failures += tally.failures
    for (const [code, times] of Object.entries(tally.reasons))
      sum.reasons[code] = (sum.reasons[code] ?? 0) + times
    for (const part of ['all', ...LEVELS])
      for (const key of Object.keys(sum[part])) sum[part][key] += tally[part][key]
  }
  return into
}

const round = (value, digits) => Number(value.toPrecision(digits))

/** Shares and means of a tally, as they are saved. */
export function summaryOf({ all, trust, caution, refuse, reasons, failures }) {
  const shares = ({ logs, given, held, below, above, width, error, bias, squares }) => ({
    logs,
    given,
    coverage: given > 0 ? round(held / given, 4) : null,
    below: given > 0 ? round(below / given, 4) : null,
    above: given > 0 ? round(above / given, 4) : null,
    width: given > 0 ? round(width / given, 4) : null,
    // Mean absolute error, mean error and root of the mean squared error.
    error: given > 0 ? round(error / given, 4) : null,
    bias: given > 0 ? round(bias / given, 4) : null,
    rmse: given > 0 ? round(Math.sqrt(squares / given), 4) : null,
  })
  return {
    trust: trust.logs,
    caution: caution.logs,
    refuse: refuse.logs,
    failures,
    all: shares(all),
    trusted: shares(trust),
    cautioned: { coverage: shares(caution).coverage },
    reasons,
  }
}
