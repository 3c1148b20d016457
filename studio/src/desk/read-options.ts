import { HindcastError } from '$core/error.js'
import { parsePropensityChoice } from '$core/propensity/choice.js'
import type { PropensityChoice } from '$core/propensity/stand-in.js'
import type { ReadOptions } from '$core/read/plan.js'
import type { Watch } from './call.js'
import type { Reading } from './log-source.js'

/** What the reader of logs needs to know of the choices a person made. */
export function readOptions(
  { propensity, skipBadRows, mended: _mended, ...rest }: Reading,
  { progress, signal }: Watch,
): ReadOptions {
  return {
    ...rest,
    ...(propensity !== undefined && { propensity: choiceOf(propensity) }),
    ...(skipBadRows && { onBadRow: 'skip' as const }),
    ...(progress && { progress }),
    ...(signal && { signal }),
  }
}

/** A choice as typed on the command line; one that needs a second file is not offered here. */
function choiceOf(typed: string): PropensityChoice {
  const choice = parsePropensityChoice(typed)
  if ('slice' in choice)
    throw new HindcastError('bad-option', 'Naive Bayes needs a second log, with random impressions.', {
      remedy: 'Choose another estimate, or use hindcast on the command line.',
    })
  return choice
}
