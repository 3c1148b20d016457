import { formatCount } from '../../number-text.js'
import type { Estimator } from '../estimator.js'
import type { Complaint } from '../verdict.js'
import { type ClicksTogether, keepApart } from './clicks-together.js'
import { isOfSlates } from './slate-estimator.js'
import type { SettledPropensities } from './slate-propensities.js'

/** The reason against an estimate of single rows where only whole pages can be weighed. */
export const ROWS_OF_PAGES = 'rows-of-pages'

/** What speaks against an estimate in a log of pages, by what their propensities and their rewards are like. */
export function pageComplaints(
  estimator: Estimator,
  { propensities, isBoth, isSorted, finding, kind, pages }: SettledPropensities,
): Complaint[] {
  if (pages.mostSlots < 2) return []
  const isOfPages = isOfSlates(estimator)
  const knowsAbove = isOfPages && estimator.propensities === 'conditional'
  return [
    ...(isOfPages && finding ? [{ ...finding, question: 'propensities' as const, value: null }] : []),
    ...(isOfPages || isBoth ? [] : isSorted ? [rowsOfSorted(propensities)] : aboutRows(propensities, kind)),
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
    { level: 'caution', code: ROWS_OF_PAGES, question: 'propensities', message, value: null },
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
  question: 'propensities',
  message: `The target fills a page from its best item down, and shows each item once. An estimate from single rows takes it to show the best item in every slot; one from whole pages, such as ${propensities === 'conditional' ? 'SN-RIPS' : 'IIPS'}, does not.`,
  value: null,
})

const slotsInteract = ({ pairs, expected }: ClicksTogether): Complaint => ({
  level: 'caution',
  code: 'slots-interact',
  question: 'rewards',
  message: `Two clicks share a page only ${formatCount(pairs)} times; about ${formatCount(Math.round(expected))} would be expected if slots did not affect each other. What a slot earns depends on the items above, and this estimate assumes that it does not.`,
  value: pairs / expected,
})

const dependentSlots: Complaint = {
  level: 'caution',
  code: 'dependent-slots',
  question: 'propensities',
  message:
    'No page shows an item twice, so its slots were not drawn independently, as this estimator assumes.',
  value: null,
}
