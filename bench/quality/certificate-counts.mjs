// What benchmarks of certificates count, over worlds whose truth is known.

/** A certificate in short, beside the true values of the policy and of the logging policy. */
export const summaryOf = ({ policy, difference, decision }) => ({
  verdict: policy.verdict.level,
  value: policy.value,
  atLeast: policy.atLeast,
  moreAtLeast: difference.atLeast,
  differenceVerdict: difference.verdict.level,
  decision,
})

/** The mean of a field, to three digits. */
export const mean = (runs, field) =>
  Number((runs.reduce((sum, run) => sum + run[field], 0) / runs.length).toFixed(3))

/** The mean true value of a method's policies, and how often what was said of them was right or wrong. */
export function countsOf(runs) {
  const certified = runs.filter(({ atLeast }) => atLeast !== null)
  const count = (is) => runs.filter(is).length
  // Sums of shares that should be equal differ in their last bits.
  const isWorse = ({ truth, logging }) => truth <= logging + 1e-9
  return {
    truth: mean(runs, 'truth'),
    worse: count(isWorse),
    certified: certified.length,
    trusted: count(({ verdict }) => verdict === 'trust'),
    atLeast: certified.length > 0 ? mean(certified, 'atLeast') : null,
    boundAboveTruth: count(({ atLeast, truth }) => atLeast !== null && atLeast > truth),
    launched: count(({ decision }) => decision === 'launch'),
    launchedThoughWorse: count((run) => run.decision === 'launch' && isWorse(run)),
    gainBoundAboveTruth: count(
      ({ moreAtLeast, truth, logging }) => moreAtLeast !== null && moreAtLeast > truth - logging,
    ),
  }
}
