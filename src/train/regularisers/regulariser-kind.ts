import type { Named } from '../../registry.js'

/** A way to keep large weights from dominating. */
export interface RegulariserKind<Name extends string = string> extends Named<Name> {
  /** What it acts on: the weights, the losses of a batch (weighted or not), or only the reported loss. */
  readonly family: 'none' | 'weights' | 'losses' | 'report'
  /** What its strength may be; absent if it has none. */
  readonly strength?: Strength
  /** The effective weights ω of raw weights w, `counts` saying how many events each stands for; without it, ω = w. */
  change?(weights: Float64Array, strength: number, counts: Float64Array): Float64Array
  /** What it adds to the loss that is reported, from the raw weights; it has no gradient. */
  penalty?(weights: Float64Array, strength: number): number
  /** What the user should know of a training with it, as full sentences. */
  readonly note?: string
}

/** The one number of a regulariser. */
export interface Strength {
  /** What a form calls it. */
  readonly label: string
  /** What stands for it in help texts: `shrink:A`. */
  readonly placeholder: string
  readonly usual: number
  readonly least: number
  readonly most: number
  /** What is expected, after "Give": `a number of at least 0`. */
  readonly expected: string
}
