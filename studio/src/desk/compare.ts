import { compare } from '$core/estimate/compare.js'
import type { Comparison } from '$core/estimate/comparison.js'
import { temperatureCurves } from '$core/estimate/temperature-curve.js'
import { choicesFor, rowsFor, targetOn, trueValueOn } from './asked-target.js'
import { held } from './held.js'
import { type ComparisonQuestion, followsScores, type TargetChoice } from './target-choice.js'

/** What the page shows of a comparison. */
export interface ComparisonAnswer {
  /** The baseline is the policy that is compared with. */
  readonly comparison: Comparison
  /** How much more the target truly earns per impression, where that is known. */
  readonly trueDifference: number | null
  /** How long it took. */
  readonly milliseconds: number
}

/**
 * Compares policies on the same rows of the open log; where one is a model trained on it, on rows held out from training.
 * `forReport` also evaluates those that follow scores at temperatures around the scale of these.
 */
export async function compareTargets({
  forReport = false,
  ...question
}: ComparisonQuestion & { readonly forReport?: boolean }): Promise<ComparisonAnswer> {
  const began = performance.now()
  const open = held()
  const { target, against, others = [], estimator, part } = question
  const chosen = [against, target, ...others]
  const rows = rowsFor(open.log, chosen, part)
  const { estimators: _, ...choices } = choicesFor(rows, part, question.choices)
  const targets = await Promise.all(chosen.map((choice) => targetOn(rows, choice, open)))
  const options = { ...choices, ...(estimator !== undefined && { estimator }) }
  const comparison = await compare(rows.log, { ...options, targets })
  // On rows held out from training, a sharp policy by other scores may be left without items that the user has not seen.
  const isFollowed = (choice: TargetChoice): boolean =>
    rows.shown ? choice.kind === 'model' : followsScores(choice)
  const scored = targets.flatMap(({ target: one }, k) =>
    one.kind === 'policy' && isFollowed(chosen[k]!) ? [one.policy] : [],
  )
  const temperatures = forReport ? await temperatureCurves(rows.log, scored, options) : []
  const { world } = part ? { world: undefined } : open
  const [before, after] = targets.map(({ policy }) =>
    world && policy ? trueValueOn(rows, policy, world) : null,
  )
  return {
    comparison: { ...comparison, ...(temperatures.length > 0 && { temperatures }) },
    trueDifference: before == null || after == null ? null : after - before,
    milliseconds: performance.now() - began,
  }
}
