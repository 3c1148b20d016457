import { isTuned } from './estimator.js'
import { ESTIMATORS } from './estimators/index.js'
import type { Estimate, PlainEstimate } from './evaluation.js'
import { ROWS_OF_PAGES } from './slate/settled-pages.js'

/** An estimate that has a value. */
export type DefinedEstimate<One extends PlainEstimate = PlainEstimate> = One & { readonly value: number }

export const isDefined = <One extends PlainEstimate>(estimate: One): estimate is DefinedEstimate<One> =>
  estimate.value !== null && Number.isFinite(estimate.value)

/** Whether an estimate is a model's prediction: its interval takes the model as true. */
export function takesModelAsTrue(estimator: string): boolean {
  const named = ESTIMATORS.find(estimator)
  return named !== undefined && !isTuned(named) && named.takesModelAsTrue === true
}

/** Whether an estimator takes other weights than w, and so may be biased. */
const isShrunken = (estimator: string): boolean => {
  const named = ESTIMATORS.find(estimator)
  return named !== undefined && (isTuned(named) || named.unbiased !== undefined)
}

/** Whether an estimate of single rows is one of a log whose pages have to be weighed whole. */
const ignoresPages = (estimate: PlainEstimate & Partial<Pick<Estimate, 'verdict'>>): boolean =>
  estimate.verdict?.reasons.some(({ code }) => code === ROWS_OF_PAGES) === true

/**
 * The estimate to answer with: where single rows of pages say too little, one of pages if there is any; a self-normalised one where it has a value, else the first that has one, those with
 * shrunken weights after the others, and a model's prediction last.
 */
export function answerOf<One extends PlainEstimate>(
  estimates: readonly One[],
): DefinedEstimate<One> | undefined {
  const withValue = estimates.filter((estimate) => isDefined(estimate))
  const ofPages = withValue.filter((estimate) => !ignoresPages(estimate))
  const defined = ofPages.some(({ unit }) => unit === 'page') ? ofPages : withValue
  return (
    defined.find(
      ({ estimator }) => ESTIMATORS.find(estimator)?.family === 'self-normalised' && !isShrunken(estimator),
    ) ??
    defined.find(({ estimator }) => !takesModelAsTrue(estimator) && !isShrunken(estimator)) ??
    defined.find(({ estimator }) => !takesModelAsTrue(estimator)) ??
    defined[0]
  )
}

/**
 * The estimator behind the answer as a request, λ as it was chosen for all rows: `switch-dr:10`. Segments are compared
 * with each other by one estimator. Undefined where there is no answer.
 */
export function answeringEstimator(estimates: readonly Estimate[]): string | undefined {
  const best = answerOf(estimates)
  return best && `${best.estimator}${best.lambda ? `:${best.lambda.value ?? Infinity}` : ''}`
}
