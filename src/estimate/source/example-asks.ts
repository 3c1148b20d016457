import type { RowKind, Term } from '../term.js'
import type { Moments } from './moments.js'
import { type Known, type Query, type Seen, type SumSource, type SumsQuery, isLacking } from './source.js'

/** The sums of some terms, asked by themselves. */
export async function askSums(
  seen: Pick<Seen, 'ask'>,
  terms: readonly Term[],
  by: SumsQuery['by'],
  rows?: RowKind,
): Promise<Known<Moments>> {
  return (await seen.ask([{ ask: 'sums', terms, by, ...(rows && { rows }) }]))[0]
}

/** What a source of a test must know. */
export function known<Fact>(fact: Known<Fact>): Fact {
  if (isLacking(fact)) throw new Error(fact.lacking)
  return fact
}

/** Stands for an answer that was taken away. */
export const TAKEN_AWAY = { lacking: 'it was taken away' }

/** A source without some of its answers. */
export const lackingIn = (source: SumSource, isTaken: (query: Query) => boolean): SumSource =>
  changedIn(source, (query, answer) => (isTaken(query) ? TAKEN_AWAY : answer))

/** A source with some of its answers changed. */
export const changedIn = (
  { about, ask }: SumSource,
  change: (query: Query, answer: unknown) => unknown,
): SumSource => ({
  about,
  ask: async (queries, how) =>
    (await ask(queries, how)).map((answer, k) => change(queries[k]!, answer)) as never,
})
