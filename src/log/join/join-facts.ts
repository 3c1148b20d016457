import type { Combination } from './join-options.js'
import { listed } from '../../listed.js'
import { counted, formatCount, formatShare } from '../../number-text.js'

/** What became of the outcomes of a log when they were joined to its decisions. Times are milliseconds. */
export interface JoinFacts {
  /** The file of the outcomes, as messages call it. */
  readonly file: string
  readonly decisions: number
  /** Events read, whatever became of them. */
  readonly outcomes: number
  /** Decisions with an outcome that counts. */
  readonly joined: number
  /** Decisions with several. */
  readonly several: number
  /** Outcomes that are not copies and whose decision is in the log, however late. */
  readonly matched: number
  readonly combination: Combination
  /** Whether a person chose it. */
  readonly isCombinationChosen: boolean
  readonly wait?: number
  /** Whether a decision is told apart by its id and its item. */
  readonly withItem: boolean
  /** Events that came before: of the same id, or else the same in decision, time and worth. They do not count. */
  readonly copies: Tally
  /** Outcomes of decisions that are not in the log, and those without an id. */
  readonly orphans: Tally
  /** How many of the orphans have no id. */
  readonly withoutId: number
  /** Orphans whose id would be that of a decision but for case, blanks or a fraction of zeros. */
  readonly near: Tally
  /** Outcomes that came after the wait; they do not count. */
  readonly late: Tally
  /** Outcomes before their decision; they count unless there is a wait. */
  readonly early: Tally
  /** Events that could not be read and were left out. */
  readonly unreadable: Tally
  /** Decisions whose id came before: places among the decisions. */
  readonly repeated: Tally
  /** How long after their decisions outcomes came; absent where times cannot be compared. */
  readonly delays?: Delays
  /** When decisions and outcomes happened; absent where times cannot be compared. */
  readonly period?: Period
  /** Decisions before the first that has an outcome, and after the last: by time, or else in the order of the file. */
  readonly silence: { readonly before: number; readonly after: number }
  /** Columns whose ids agree better than those that were joined. */
  readonly better?: { readonly decision: string; readonly outcome: string; readonly shared: number }
}

/** Quantiles of delays: of n in ascending order, that of share q is number ⌈q·n⌉. */
interface Delays {
  readonly least: number
  readonly twentieth: number
  readonly median: number
}

interface Period {
  readonly decisions: readonly [from: number, to: number]
  readonly outcomes: readonly [from: number, to: number]
  /** Outcomes before the first decision, or longer after the last than all decisions took (or than the wait). */
  readonly outside: number
}

/** Milliseconds after the last decision in which an outcome still belongs to the period of the decisions. */
export const graceOf = (from: number, to: number, wait: number | undefined): number =>
  Math.max(wait ?? 0, to - from)

/** Of sorted numbers, that of a share. */
export const quantileOf = (sorted: Float64Array, share: number): number =>
  sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1]!

/** What became of the outcomes, in a sentence or two. */
export function joinText(facts: JoinFacts): string {
  const { outcomes, decisions, joined, late, copies, orphans, early, unreadable, wait, file } = facts
  const leftOut = [
    [late.count, 'late'],
    [copies.count, copies.count === 1 ? 'duplicate' : 'duplicates'],
    [orphans.count, 'without a decision in the log'],
    [wait === undefined ? 0 : early.count, 'before the decision'],
    [unreadable.count, 'that cannot be read'],
  ] as const
  const said = leftOut.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`)
  const kept =
    wait === undefined && early.count > 0 ? ` ${formatCount(early.count)} came before the decision.` : ''
  const share = decisions === 0 ? 0 : joined / decisions
  return `Joined ${counted(outcomes, 'outcome')} of ${file} to ${counted(decisions, 'decision')}: ${formatShare(share)} of decisions have one.${
    said.length > 0 ? ` Left out: ${listed(said, 'and')}.` : ''
  }${kept}`
}

/** How many rows or events there are of a kind, and the places in their file of the first few. */
export interface Tally {
  readonly count: number
  /** 0-based, ascending. */
  readonly places: readonly number[]
}

/** How many examples are kept. */
export const EXAMPLES = 5

/** A tally that grows; places may come in any order. */
export class GrowingTally implements Tally {
  count = 0
  readonly places: number[] = []

  add(place: number): void {
    this.count++
    const { places } = this
    if (places.length === EXAMPLES && place > places[EXAMPLES - 1]!) return
    const at = places.findIndex((other) => other > place)
    places.splice(at < 0 ? places.length : at, 0, place)
    places.length = Math.min(places.length, EXAMPLES)
  }
}
