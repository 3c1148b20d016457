export { reportHtml } from './report.js'
export type { Report } from './report.js'
