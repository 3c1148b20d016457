import { openLog } from './open-log.js'
import { previewFile } from './preview-file.js'

/** What the page can ask the worker that holds the log: one function a file. */
export const service = {
  preview: previewFile,
  open: openLog,
}
export type Desk = typeof service
