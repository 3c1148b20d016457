import type { JoinFacts } from './join-facts.js'
import type { JoinOptions } from './join-options.js'

/** A decision of an example: times are milliseconds. */
export interface ExampleDecision {
  readonly id: string
  readonly time: number
}

/** An outcome of an example. */
export interface ExampleOutcome {
  readonly id: string
  readonly time: number
  readonly value: number
  /** Its own id. */
  readonly own?: string
}

type Counts = Pick<JoinFacts, 'joined' | 'several' | 'matched' | 'withoutId'> &
  Record<'late' | 'copies' | 'orphans' | 'early' | 'near' | 'repeated', number>

const loose = (id: string): string =>
  id
    .trim()
    .toLowerCase()
    .replace(/^(\d+)\.0+$/, '$1')

/** The join, slow and obvious: every decision is compared with every outcome. */
export function joinedSlowly(
  decisions: readonly ExampleDecision[],
  outcomes: readonly ExampleOutcome[],
  { wait, defaultReward = 0, several = 'first', matchIds = 'exact' }: JoinOptions,
): { rewards: number[]; counts: Counts } {
  const idOf = ({ id }: { id: string }): string => (matchIds === 'loose' ? loose(id) : id)
  const isCopy = (one: ExampleOutcome, other: ExampleOutcome): boolean =>
    idOf(one) === idOf(other) &&
    (one.own === undefined && other.own === undefined
      ? one.time === other.time && one.value === other.value
      : one.own === other.own)
  const known = outcomes.filter(({ id }) => id !== '')
  const events = known.filter((event, k) => !known.slice(0, k).some((earlier) => isCopy(earlier, event)))
  const decisionOf = (event: ExampleOutcome): ExampleDecision | undefined =>
    decisions.find((decision) => idOf(decision) === idOf(event))
  const orphans = events.filter((event) => !decisionOf(event))
  const matched = events.filter(decisionOf)
  const delayOf = (event: ExampleOutcome): number => event.time - decisionOf(event)!.time
  let [joined, twice] = [0, 0]
  const rewards = decisions.map((decision) => {
    const own = events
      .filter((event) => idOf(event) === idOf(decision))
      .filter(({ time }) => wait === undefined || (time >= decision.time && time <= decision.time + wait))
      .toSorted((a, b) => a.time - b.time)
      .map(({ value }) => value)
    if (own.length > 0) joined++
    if (own.length > 1) twice++
    if (own.length === 0) return defaultReward
    if (several === 'first') return own[0]!
    if (several === 'last') return own.at(-1)!
    return several === 'max' ? Math.max(...own) : own.reduce((sum, value) => sum + value, 0)
  })
  return {
    rewards,
    counts: {
      joined,
      several: twice,
      matched: matched.length,
      withoutId: outcomes.length - known.length,
      late: wait === undefined ? 0 : matched.filter((event) => delayOf(event) > wait).length,
      early: matched.filter((event) => delayOf(event) < 0).length,
      copies: known.length - events.length,
      orphans: orphans.length + outcomes.length - known.length,
      near: orphans.filter((event) => decisions.some(({ id }) => loose(id) === loose(event.id))).length,
      repeated: decisions.filter(
        (decision, k) => decisions.findIndex((one) => idOf(one) === idOf(decision)) < k,
      ).length,
    },
  }
}
