import type { PolicyFile } from './policy-file.js'

/** Whether a number can be a probability, or a score. */
export const isPolicyValue = (value: number, kind: PolicyFile['kind']): boolean =>
  kind === 'probability' ? value >= 0 && value <= 1 : value < Infinity

/** What a value of each kind must be. */
export const POLICY_VALUE: Readonly<Record<PolicyFile['kind'], string>> = {
  probability: 'a probability from 0 to 1',
  score: 'a number, or -inf for an item that is never shown',
}
