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
