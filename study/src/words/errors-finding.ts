import { estimatorLabel, formatCount } from 'hindcast'
import type { EstimatorErrorsInput } from '../figures/estimator-errors.js'

/** How often each estimator is nearest to the truth, and which one is farthest most often. */
export function errorsFinding({ rows }: EstimatorErrorsInput): string {
  const nearest = new Map<string, number>()
  const farthest = new Map<string, number>()
  let judged = 0
  for (const { estimators } of rows) {
    const known = estimators
      .filter(({ rmse }) => rmse !== null)
      .toSorted((a, b) => a.rmse! - b.rmse!)
      .map(({ estimator }) => estimator)
    if (known.length < 2) continue
    judged++
    nearest.set(known[0]!, (nearest.get(known[0]!) ?? 0) + 1)
    farthest.set(known.at(-1)!, (farthest.get(known.at(-1)!) ?? 0) + 1)
  }
  if (judged === 0) return 'A single estimator has nothing to compare with'
  const most = (counts: Map<string, number>): [string, number] =>
    [...counts].toSorted((a, b) => b[1] - a[1])[0]!
  const [best, wins] = most(nearest)
  const [worst, losses] = most(farthest)
  const of = `of ${formatCount(judged)} cases`
  return (
    `${estimatorLabel(best)} is closest to the truth in ${formatCount(wins)} ${of}, ` +
    `${estimatorLabel(worst)} farthest from it in ${formatCount(losses)}`
  )
}
