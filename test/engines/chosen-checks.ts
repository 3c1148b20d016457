import type { SourceCheck } from '../../src/estimate/source/conformance.js'

/**
 * The part of the conformance suite for engines that need up to a second for a question. Every kind of id, target,
 * cluster, row, fault and logger is in it, but not every pair of them: what is left out (ids that are texts or numbers
 * times each target, one of three random logs) differs only in what DuckDB and PostgreSQL, which run all of it, would
 * get wrong too.
 */
export const chosenChecks = (checks: readonly SourceCheck[]): readonly SourceCheck[] =>
  checks.filter(({ name }) => !LEFT_OUT.some((part) => name.endsWith(part)))

const LEFT_OUT: readonly string[] = [
  'ids that are numbers, for the target logging',
  'ids that are numbers, for the target column',
  'ids that are texts, for the target uniform',
  'random log 2',
  'a page that is none: two clusters',
  'a page that is none: two weights',
]

/** Of the same suite, what asks by bucket: ids that are texts, of a target whose weights vary. */
export const bucketChecks = (checks: readonly SourceCheck[]): readonly SourceCheck[] =>
  checks.filter(({ name }) => name.endsWith('ids that are texts, for the target column'))

/** Of the joins, sound ones and a few random ones: the planted faults differ from these in their rows, not in what is asked. */
export const chosenJoins = <Check extends { readonly name: string }>(
  checks: readonly Check[],
): readonly Check[] =>
  checks.filter(({ name }) => /no fault|without times|no outcomes|random join [123]:/.test(name))
