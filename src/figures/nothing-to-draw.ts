import { HindcastError } from '../error.js'

/** The error of a figure without data; `why` follows "There is nothing to draw: ". */
export const nothingToDraw = (why: string): HindcastError =>
  new HindcastError('bad-rows', `There is nothing to draw: ${why}.`, {
    remedy: 'Check that the log has rows and that no filter removed them all.',
  })
