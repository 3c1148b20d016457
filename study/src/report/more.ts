import type { Chart } from 'hindcast/figures'
import type { Section } from 'hindcast/report'

/** Further charts of a section, folded; none without charts. */
export const more = (heading: string, charts: readonly Chart[]): Section[] =>
  charts.length === 0 ? [] : [{ heading, fold: 'closed', charts }]
