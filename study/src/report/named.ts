import type { Chart } from 'hindcast/figures'

/** A chart under another name, where a page has two of its kind. */
export const named = (chart: Chart, name: string): Chart => ({ ...chart, name })
