/** What to do: launch the policy, test it first, keep what is, wait for more data, or nothing that this log can say. */
export type Action = 'launch' | 'test' | 'keep' | 'undecided' | 'cannot-tell'

/** What to do, as every command says it. */
export interface Decision {
  readonly action: Action
  /** The policy that the action is about: of several the one to launch, else the one to test, else the baseline that is kept. */
  readonly policy: string
  /** V(policy)/V(baseline) − 1; null where the baseline is not positive, or there is no answer. */
  readonly lift: number | null
  /** Of the lift where there is one, else of the difference; null where there is no answer. */
  readonly interval: readonly [number, number] | null
  /** The chance that the rule launches something worse than the baseline, over logs like this one. */
  readonly errorRate: number | null
}
