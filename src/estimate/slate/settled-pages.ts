import { HindcastError } from '../../error.js'
import { COMPARE_DEFAULTS, EVALUATE_DEFAULTS } from '../defaults.js'
import { ESTIMATORS } from '../estimators/index.js'
import type { Known, Seen } from '../source/source.js'
import { isLacking } from '../source/source.js'
import { isOfSlates } from './slate-estimator.js'
import type { SettledPropensities } from './slate-propensities.js'

/**
 * What the propensities of a log's pages are taken for; null where it has none, or the target needs no propensities. Pages
 * that are none are an error only where estimators of pages are asked for: single rows may still be evaluated.
 */
export async function settledPages(
  seen: Seen,
  asked: readonly string[] = [],
): Promise<Known<SettledPropensities | null>> {
  if (!seen.about.holds.hasPages) return null
  try {
    return (await seen.ask([{ ask: 'pages' }]))[0]
  } catch (error) {
    const isNoPage = error instanceof HindcastError && NO_PAGES.has(error.code)
    if (!isNoPage || asked.some(weighsPages)) throw error
    return null
  }
}

/** The codes of errors about pages that are none. */
const NO_PAGES: ReadonlySet<string> = new Set(['missing-column', 'bad-rows'])

/** Whether an estimator weighs whole pages. */
export const weighsPages = (request: string): boolean => {
  const named = ESTIMATORS.find(request.split(':', 1)[0]!)
  return named !== undefined && isOfSlates(named)
}

/** Whether single rows say too little, and whole pages can be weighed. */
const areWeighedWhole = ({ propensities, isBoth, isSorted, kind, pages }: SettledPropensities): boolean =>
  pages.mostSlots > 1 &&
  kind.kind !== 'neither' &&
  (isSorted === true || (propensities === 'conditional' && !isBoth))

/** The estimators where none were chosen: with one of pages where propensities, or the target, depend on the items above. */
export const usualEstimators = (settled: SettledPropensities | null): readonly string[] =>
  settled && areWeighedWhole(settled)
    ? [...EVALUATE_DEFAULTS.estimators, OF_PAGES[settled.propensities]]
    : EVALUATE_DEFAULTS.estimators

/** The estimator by which policies are compared where none was chosen. */
export async function usualForComparing(sources: readonly Seen[]): Promise<string> {
  for (const source of sources) {
    const settled = await settledPages(source)
    if (settled && !isLacking(settled) && areWeighedWhole(settled)) return OF_PAGES[settled.propensities]
  }
  return COMPARE_DEFAULTS.estimator
}

/** By the kind of the propensities. */
const OF_PAGES = { conditional: 'snrips', marginal: 'iips' } as const
