import type { PageOptions } from '../report/report.js'
import { createDocument } from './dom.js'
import { readVersion } from './version.js'

/** The document that Node draws pages in, and the program they name as their author. */
export const nodePageOptions = (): PageOptions => ({
  document: createDocument(),
  generatedBy: `hindcast ${readVersion()}`,
})
