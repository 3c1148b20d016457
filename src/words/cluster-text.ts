import type { Evaluation } from '../estimate/evaluation.js'
import { FEWEST_DAYS } from '../estimate/ways.js'

const wayWords = (way: string): string =>
  way === 'column' ? 'cluster' : way.startsWith('column:') ? way.slice('column:'.length) : way

/** The ways in which rows may depend on each other, in words: "user and day". */
export const clusterWords = (cluster: string): string => cluster.split('+').map(wayWords).join(' and ')

/** What is counted where something is counted by cluster: the first way, "user". */
export const clusterUnit = (cluster: string): string => wayWords(cluster.split('+', 1)[0]!)

/**
 * The line that says that day-to-day changes are not in the intervals; undefined where they are, or where the verdict
 * says so itself, because days are few.
 */
export function daysNote({ cluster, days }: Pick<Evaluation, 'cluster' | 'days'>): string | undefined {
  if (cluster.split('+').includes('day')) return undefined
  if (days === null) return 'No times are read, so day-to-day changes are not in the intervals.'
  if (days < FEWEST_DAYS) return undefined
  return cluster === 'row'
    ? 'Rows count as independent: neither users nor day-to-day changes are in the intervals.'
    : `Clustered by ${clusterWords(cluster)} alone: day-to-day changes are not in the intervals.`
}

/** What an answer takes for granted that no check can see, a line each: changes from day to day, and where the target comes from. */
export const assumptionNotes = (evaluation: Evaluation): string[] =>
  [daysNote(evaluation), originNote(evaluation)].filter((note) => note !== undefined)

/** Policies that somebody made elsewhere may know the rewards that they are valued by, unless the user says where they were made. */
const originNote = ({ target, said }: Evaluation): string | undefined =>
  said?.policyMade === undefined && /^(table|scores|column):/.test(target)
    ? 'This assumes that the policy was made without the rewards of this log. A policy computed from them looks better than it is.'
    : undefined
