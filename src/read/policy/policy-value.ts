import type { PolicyFile } from './policy-file.js'

/** Whether a number can be a probability, or a percentage where `most` is 100, or a score. */
export const isPolicyValue = (value: number, kind: PolicyFile['kind'], most = 1): boolean =>
  kind === 'probability' ? value >= 0 && value <= most : value < Infinity

/** What a value of each kind must be. */
export const POLICY_VALUE: Readonly<Record<PolicyFile['kind'], string>> = {
  probability: 'a probability from 0 to 1',
  score: 'a number, or -inf for an item that is never shown',
}
