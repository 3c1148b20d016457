import { HindcastError } from '../error.js'
import { confidenceAtLook, type PlannedLook } from '../estimate/intervals/looks.js'
import type { Arguments, Context, Option } from './command.js'
import { wrap } from './format.js'
import { number, text } from './parse.js'

/** The option that names one of several planned looks. */
export const LOOK_OPTION: Readonly<Record<string, Option>> = {
  look: {
    type: 'string',
    value: '"N of M"',
    help: 'the N-th of M planned looks at a growing log: widens intervals so that all M hold together',
  },
}

/** The look that was typed; undefined where none was. */
export function lookOf(args: Arguments): Pick<PlannedLook, 'look' | 'of'> | undefined {
  const typed = text(args, 'look')
  if (typed === undefined) return undefined
  const [, look, of] = /^\s*(\d+)\s*(?:of|\/)\s*(\d+)\s*$/i.exec(typed) ?? []
  if (look === undefined)
    throw new HindcastError('bad-option', `--look expects N of M, not ${JSON.stringify(typed)}.`, {
      remedy: 'For example: --look "2 of 5" for the second of five planned looks.',
    })
  return { look: Number(look), of: Number(of) }
}

/** The confidence to evaluate with: as asked, or above it at one of several looks. */
export function confidenceFor(args: Arguments, confidence?: number): number | undefined {
  const planned = lookOf(args)
  return planned
    ? confidenceAtLook({ ...planned, ...(confidence !== undefined && { confidence }) })
    : confidence
}

/** Says what a look did to the intervals, if one was named. */
export function sayLook(args: Arguments, { terminal }: Context): void {
  const look = lookOf(args)
  if (look) terminal.note(wrap(lookNote(look, number(args, 'confidence'))))
}

/** A sentence about what a look did to the intervals. */
export function lookNote({ look, of }: Pick<PlannedLook, 'look' | 'of'>, confidence = 0.95): string {
  const percent = (share: number): string => `${Number((100 * share).toPrecision(4))} %`
  const single = confidenceAtLook({ look, of, confidence })
  const wide = 1 - single < 1e-4 ? 'over 99.99 %' : percent(single)
  return `Look ${look} of ${of}: the intervals shown are ${wide} intervals, so that those of all ${of} looks together hold with ${percent(confidence)} confidence.`
}
