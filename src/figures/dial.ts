import type { VerdictLevel } from '../estimate/evaluation.js'

/** A place at which a dial can stand, and what holds there. */
export interface DialStop {
  /** The place as people write it: "1.2". */
  readonly at: string
  /** What holds there, in sentences of plain text. */
  readonly text: string
  /** A word on it, with its shape, in the colour of a verdict: "✔ trust". */
  readonly tag?: { readonly text: string; readonly level: VerdictLevel }
  /** Which of the chart's strips shows it, from the first; null where none does. */
  readonly strip: number | null
}

/**
 * What a reader can move on a chart: a slider over its stops, or a choice among them. It holds numbers that were computed
 * already, never rows.
 */
export interface Dial {
  /** What moves: "Temperature of bpr". */
  readonly label: string
  readonly kind: 'slider' | 'choice'
  readonly stops: readonly DialStop[]
  /** The stop at which it stands first. */
  readonly start: number
}

/** The class of the strips that the stops of a dial light up. */
export const STRIPS = 'strips'
