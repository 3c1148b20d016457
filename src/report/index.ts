export { reportHtml } from './report.js'
export type { Report, Section } from './report.js'
