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
const mean = (runs, field) =>
  Number((runs.reduce((sum, run) => sum + run[field], 0) / runs.length).toFixed(3))

/** The mean true value of a method's policies, and how often what was said of them was right or wrong. */
function countsOf(runs) {
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

/** The result of a world from the runs of each method, which is also printed. */
export function worldResult(name, runs) {
  const [first] = Object.values(runs)
  const [logging, oracle] = [mean(first, 'logging'), mean(first, 'oracle')]
  const methods = Object.fromEntries(Object.entries(runs).map(([method, all]) => [method, countsOf(all)]))
  console.log(`${name}: logging ${logging}, oracle ${oracle}`)
  console.table(methods)
  return { logging, oracle, methods }
}
