import type { Chart } from '../figures/chart.js'
import { escapeHtml } from './escape.js'
import type { Report, Section } from './report.js'

/** A note below its figure, in the words and lines of whoever wrote it. */
export const noteHtml = (note: string | undefined): string =>
  note === undefined ? '' : `<p class="remark"><strong>Note.</strong> ${escapeHtml(note)}</p>\n`

/** The report with each note on its figure; a note on a figure that it does not have gets a section at the end. */
export function withNotes(report: Report): Report {
  const { charts, sections = [], notes = {} } = report
  // Names of figures are data: one may be called like something that every object has.
  const left = new Map(Object.entries(notes))
  const noted = (chart: Chart): Chart => {
    const note = left.get(chart.name)
    left.delete(chart.name)
    return note === undefined ? chart : { ...chart, note }
  }
  const notedIn = (section: Section): Section => ({
    ...section,
    ...(section.charts && { charts: section.charts.map(noted) }),
    ...(section.sections && { sections: section.sections.map(notedIn) }),
  })
  const own = { charts: charts.map(noted), sections: sections.map(notedIn) }
  const others = [...left].map(([name, text]): Section => ({
    heading: `On the figure ${name}`,
    remark: text,
  }))
  return {
    ...report,
    ...own,
    sections: others.length === 0 ? own.sections : [...own.sections, { heading: 'Notes', sections: others }],
  }
}
