import type { PageOptions } from '../report/page-options.js'
import { createDocument } from './dom.js'
import { readVersion } from './version.js'

/** What pages written by Node are drawn with, and what they say they were made by. */
export const nodePageOptions = (): PageOptions => ({
  document: createDocument(),
  generatedBy: `hindcast ${readVersion()}`,
})
