import {
  type Combination,
  type JoinOptions,
  type Kinds,
  kindsText,
  type OutcomeMapping,
  parseKinds,
  parseWait,
  typedWait,
} from '$core/log/join/join-options.js'
import type { ColumnGuess } from '$core/read/guess-columns.js'
import { joinColumns } from '$core/read/join-plan.js'
import type { Preview } from '$core/read/preview.js'
import type { Outcomes } from '../../desk/log-source.js'

/** What a person has chosen so far about outcomes that are events of their own. */
export interface Joining {
  /** The second file and what it seems to hold; null where the events are rows of the first. */
  second: { readonly file: File; readonly preview: Preview } | null
  /** Which rows are what, as the command line takes it: `event:impression=decision,click=outcome`. */
  kinds: string
  /** The column with the id of an impression, here and among the outcomes. */
  decision: string
  outcome: string
  /** The column with the time of an outcome, and with what it is worth; '' where there is none. */
  time: string
  reward: string
  /** How long an outcome still counts, as typed; '' for however long. */
  wait: string
  several: Combination
  /** Whether ids that differ only in capitals, blanks or a `.0` are the same. */
  isLoose: boolean
  /** The name of the second file that a link or a session asks for, until it is chosen; '' where none is asked for. */
  asked: string
}

/** The joining that a second file suggests, or the events of one: ids by their names, times and rewards as guessed. */
export function suggestedJoining(first: Preview, second: { file: File; preview: Preview } | null): Joining {
  const outcomes = second?.preview ?? first
  const events = second ? undefined : first.events
  const named = events ?? idsOf(first, outcomes)
  const guessOf = (column: 'time' | 'reward'): ColumnGuess | undefined =>
    outcomes.guesses.find((guess) => guess.column === column)
  const reward = guessOf('reward')
  return {
    second,
    kinds: events ? kindsText(events.kinds) : '',
    decision: named?.decision ?? '',
    outcome: named?.outcome ?? '',
    time: guessOf('time')?.names[0] ?? '',
    // Numbers that are not called a reward may be anything.
    reward: second && reward && reward.why !== 'values' ? reward.names[0]! : '',
    wait: '',
    several: 'first',
    isLoose: false,
    asked: '',
  }
}

/** The joining that a link or a session keeps; a second file, called `asked`, is still to be chosen. */
export const joiningFrom = (
  { decision = '', outcomeColumns = {}, wait, several = 'first', matchIds }: JoinOptions,
  kinds: Kinds | undefined,
  asked: string,
): Joining => ({
  second: null,
  kinds: kinds ? kindsText(kinds) : '',
  decision,
  outcome: outcomeColumns.decision ?? '',
  time: outcomeColumns.time ?? '',
  reward: outcomeColumns.reward ?? '',
  wait: wait === undefined ? '' : typedWait(wait),
  several,
  isLoose: matchIds === 'loose',
  asked: kinds ? '' : asked,
})

function idsOf(first: Preview, second: Preview): { decision: string; outcome: string } | undefined {
  const names = ({ file, columns }: Preview): { file: string; names: string[] } => ({
    file,
    names: columns.map(({ name }) => name),
  })
  try {
    return joinColumns(names(first), names(second), {})
  } catch {
    // No name tells: if both files have one name in common, that is the id; else a person has to say.
    const shared = names(first).names.filter((name) => first !== second && names(second).names.includes(name))
    return shared.length === 1 ? { decision: shared[0]!, outcome: shared[0]! } : undefined
  }
}

/** What is still to be chosen before outcomes can be joined, one sentence each. */
export function unfinishedJoining({ second, asked, kinds, decision, outcome, wait }: Joining): string[] {
  if (!second && asked !== '') return [`Choose the file with the outcomes: ${asked}.`]
  return [
    ...(decision === '' ? ['Choose the column with the id of each impression.'] : []),
    ...(outcome === '' ? ['Choose the column of the outcomes that holds this id.'] : []),
    ...(second || isReadable(() => parseKinds(kinds))
      ? []
      : ['Say which events are impressions and which are outcomes.']),
    ...(wait === '' || isReadable(() => parseWait(wait))
      ? []
      : ['Write how long outcomes count, such as 30s, 10m, 2h or 7d.']),
  ]
}

function isReadable(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

/** Where the outcomes are. */
export const outcomesOf = ({ second, kinds }: Joining): Outcomes =>
  second ? { file: second.file } : { kinds: parseKinds(kinds) }

/** How they are joined, as it is read. */
export function joinOf({ decision, outcome, time, reward, wait, several, isLoose }: Joining): JoinOptions {
  const outcomeColumns: OutcomeMapping = {
    decision: outcome,
    ...(time !== '' && { time }),
    ...(reward !== '' && { reward }),
  }
  return {
    decision,
    outcomeColumns,
    ...(wait !== '' && isReadable(() => parseWait(wait)) && { wait: parseWait(wait) }),
    several,
    ...(isLoose && { matchIds: 'loose' }),
  }
}
