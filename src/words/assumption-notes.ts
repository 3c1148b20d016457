import type { Evaluation } from '../estimate/evaluation.js'
import { daysNote } from './cluster-text.js'

/** What an answer takes for granted that no check can see, a line each: changes from day to day, and where the target comes from. */
export const assumptionNotes = (evaluation: Evaluation): string[] =>
  [daysNote(evaluation), originNote(evaluation)].filter((note) => note !== undefined)

/** Policies that somebody made elsewhere may know the rewards that they are valued by, unless the user says where they were made. */
const originNote = ({ target, said }: Evaluation): string | undefined =>
  said?.policyMade === undefined && /^(table|scores|column):/.test(target)
    ? 'This assumes that the policy was made without the rewards of this log. A policy computed from them looks better than it is.'
    : undefined
