import type { Means } from './verdict.js'

/** What to do: launch the policy, test it first, keep what is, wait for more data, or nothing that this log can say. */
export type Action = 'launch' | 'test' | 'keep' | 'undecided' | 'cannot-tell'

/** How a policy does against the baseline: its interval excludes no difference, or holds it. */
export type Outcome = 'better' | 'worse' | 'undecided' | 'no-answer'

type Interval = readonly [number, number]

/** What to do, as every command says it. */
export interface Decision {
  readonly action: Action
  /**
   * The policy that the action is about: of several the one to launch, else the one to test, else the most promising one that is
   * undecided, else the baseline that is kept. Where the log can tell nothing, the first of them.
   */
  readonly policy: string
  /**
   * V(policy)/V(baseline) − 1; where the baseline is kept, that of the best other policy. Null where the baseline is not clearly
   * positive, or there is no answer.
   */
  readonly lift: number | null
  /** Of the lift where there is one, else of the difference; null where there is no answer. */
  readonly interval: Interval | null
  /** The chance that the rule launches something although nothing is better than the baseline, over logs like this one; null where it launches nothing. */
  readonly errorRate: number | null
  /** Where it is undecided: how large a log like this one excludes no difference, if the difference is as estimated; absent where that is out of reach. */
  readonly needed?: { readonly rows: number; readonly days: number | null }
}

/** A policy beside the baseline, on the same rows. */
export interface Rival {
  readonly target: string
  /** V(target) − V(baseline). */
  readonly difference: number | null
  /** The intervals of all differences hold at once. */
  readonly simultaneous: Interval | null
  readonly lift: { readonly value: number; readonly simultaneous: Interval | null } | null
  readonly verdict: { readonly means: Means }
}

/** What a decision is made from. */
export interface Deciding {
  readonly baseline: string
  /** At least one. */
  readonly differences: readonly Rival[]
  readonly confidence: number
  /** How large the log is. */
  readonly log: { readonly rows: number; readonly days: number | null }
  /** That of the rule over several policies (default: of one, half of 1 − confidence). */
  readonly errorRate?: number
}

/** How a policy does against the baseline. */
export function outcomeOf({ difference, simultaneous }: Rival): Outcome {
  if (difference === null || !Number.isFinite(difference)) return 'no-answer'
  // Policies that are the same on every row have no spread, and so no interval.
  if (!simultaneous) return difference === 0 ? 'undecided' : 'no-answer'
  const [low, high] = simultaneous
  return low > 0 ? 'better' : high < 0 ? 'worse' : 'undecided'
}

const ACTIONS: Readonly<Record<Means, Readonly<Record<Outcome, Action>>>> = {
  decide: { better: 'launch', worse: 'keep', undecided: 'undecided', 'no-answer': 'cannot-tell' },
  careful: { better: 'test', worse: 'keep', undecided: 'test', 'no-answer': 'cannot-tell' },
  'cannot-tell': {
    better: 'cannot-tell',
    worse: 'cannot-tell',
    undecided: 'cannot-tell',
    'no-answer': 'cannot-tell',
  },
  'do-not-believe': {
    better: 'cannot-tell',
    worse: 'cannot-tell',
    undecided: 'cannot-tell',
    'no-answer': 'cannot-tell',
  },
}

/** What to do about one policy: its outcome, as far as its verdict allows to go by it. */
export const actionFor = (rival: Rival): Action => ACTIONS[rival.verdict.means][outcomeOf(rival)]

/** Of several policies the action that comes first here is that of all of them. */
const FIRST: readonly Action[] = ['launch', 'test', 'undecided', 'keep', 'cannot-tell']

/** What to do about one policy or several: of those with the same action, the one with the largest difference from the baseline. */
export function decide({ baseline, differences, confidence, log, errorRate }: Deciding): Decision {
  const judged = differences.map((rival) => ({ rival, action: actionFor(rival) }))
  const action = FIRST.find((one) => judged.some((each) => each.action === one))!
  const [found] = judged
    .filter((one) => one.action === action)
    .toSorted((a, b) => (b.rival.difference ?? 0) - (a.rival.difference ?? 0))
  const { rival } = action === 'cannot-tell' ? judged[0]! : found!
  if (action === 'cannot-tell')
    return { action, policy: rival.target, lift: null, interval: null, errorRate: null }
  const needed = action === 'undecided' ? neededFor(rival, log) : undefined
  return {
    action,
    policy: action === 'keep' ? baseline : rival.target,
    ...(rival.lift?.simultaneous
      ? { lift: rival.lift.value, interval: rival.lift.simultaneous }
      : { lift: null, interval: rival.simultaneous }),
    errorRate: action === 'launch' ? (errorRate ?? (1 - confidence) / 2) : null,
    ...(needed && { needed }),
  }
}

/** A log so many times as large is out of reach. */
const OUT_OF_REACH = 100

/** Half-widths shrink by the root of the rows: the size from which the interval around this difference excludes 0. */
function neededFor({ difference, simultaneous }: Rival, { rows, days }: Deciding['log']): Decision['needed'] {
  if (!difference || !simultaneous) return undefined
  const times = ((simultaneous[1] - simultaneous[0]) / 2 / difference) ** 2
  if (times > OUT_OF_REACH) return undefined
  return { rows: times * rows, days: days === null ? null : times * days }
}
