import { HindcastError } from '../../error.js'
import { formatCount } from '../../number-text.js'
import { COMPARE_DEFAULTS, EVALUATE_DEFAULTS } from '../defaults.js'
import type { Estimator } from '../estimator.js'
import { ESTIMATORS } from '../estimators/index.js'
import { type Known, type Seen, isLacking } from '../source/source.js'
import type { Complaint } from '../verdict.js'
import { type ClicksTogether, keepApart } from './slate-kind.js'
import { isOfSlates } from './slate-term.js'
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

/** The reason against an estimate of single rows where only whole pages can be weighed. */
export const ROWS_OF_PAGES = 'rows-of-pages'

/**
 * What speaks against an estimate in a log of pages, by what their propensities and their rewards are like; `lacking` says why the
 * source cannot weigh whole pages, so that an estimate of single rows would stand in for what was asked.
 */
export function pageComplaints(
  estimator: Estimator,
  { propensities, isBoth, isSorted, finding, kind, pages }: SettledPropensities,
  lacking?: string,
): Complaint[] {
  if (pages.mostSlots < 2) return []
  const isOfPages = isOfSlates(estimator)
  const ofRows = isSorted ? [rowsOfSorted(propensities)] : aboutRows(propensities, kind)
  const knowsAbove = isOfPages && estimator.propensities === 'conditional'
  return [
    ...(isOfPages && finding ? [{ ...finding, value: null }] : []),
    ...(isOfPages || isBoth ? [] : lacking === undefined ? ofRows : ofRows.map(standsIn(lacking))),
    ...(!knowsAbove && pages.together && keepApart(pages.together) ? [slotsInteract(pages.together)] : []),
    ...(isOfPages && estimator.drawsSlotsApart && !pages.twice ? [dependentSlots] : []),
  ]
}

/** A row alone knows what it was shown below, not that the target shows other items there. */
function aboutRows(
  propensities: SettledPropensities['propensities'],
  { kind, evidence }: SettledPropensities['kind'],
): Complaint[] {
  const complaint = (message: string): Complaint[] => [
    { level: 'caution', code: ROWS_OF_PAGES, message, value: null },
  ]
  // Marginal, as the log shows or as somebody said.
  if (propensities === 'marginal') return []
  if (kind === 'neither')
    return complaint(
      `The propensities are not those of items in their slots: ${evidence}. An estimate from single rows is right only if slots do not matter.`,
    )
  return complaint(
    kind === 'unknown'
      ? `If the propensities depend on the items above on a page, which the log cannot show, an estimate from single rows is wrong: ${evidence}. Say which kind they are.`
      : 'The propensities depend on the items above on a page, and the target puts other items there. An estimate from single rows does not account for that; one from whole pages, such as SN-RIPS, does.',
  )
}

/** A sorted list shows its best item once, in the first slot. */
const rowsOfSorted = (propensities: SettledPropensities['propensities']): Complaint => ({
  level: 'caution',
  code: ROWS_OF_PAGES,
  message: `The target fills a page from its best item down, and shows each item once. An estimate from single rows takes it to show the best item in every slot; one from whole pages, such as ${propensities === 'conditional' ? 'SN-RIPS' : 'IIPS'}, does not.`,
  value: null,
})

const standsIn =
  (lacking: string) =>
  (complaint: Complaint): Complaint => ({
    ...complaint,
    level: 'refuse',
    message: `${complaint.message} There is none: ${lacking}.`,
  })

const slotsInteract = ({ pairs, expected }: ClicksTogether): Complaint => ({
  level: 'caution',
  code: 'slots-interact',
  message: `Two clicks share a page only ${formatCount(pairs)} times; about ${formatCount(Math.round(expected))} would be expected if slots did not affect each other. What a slot earns depends on the items above, and this estimate assumes that it does not.`,
  value: pairs / expected,
})

const dependentSlots: Complaint = {
  level: 'caution',
  code: 'dependent-slots',
  message:
    'No page shows an item twice, so its slots were not drawn independently, as this estimator assumes.',
  value: null,
}
