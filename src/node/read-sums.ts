import { HindcastError } from '../error.js'
import { readRecorded } from '../estimate/source/read-recorded.js'
import type { RecordedRow } from '../estimate/source/recorded-rows.js'
import { fileInput } from './file-input.js'

/** The rows that a statement returned, from the file they were saved to. */
export async function readSumsFile(path: string): Promise<RecordedRow[]> {
  const input = await fileInput(path).catch((cause: unknown) => {
    throw new HindcastError('not-found', `${path} cannot be read.`, { remedy: 'Check the path.', cause })
  })
  return readRecorded(input)
}
