import { normalCdf, normalQuantile } from '../../normal.js'
import { expm1, log1p } from '../../portable-math.js'
import { type Named, Registry } from '../../registry.js'

/** How a planned series of looks spends its error (Lan & DeMets 1983): little by little, all of it at the last. */
export interface Spending<Name extends string = string> extends Named<Name> {
  /** What has been spent of an error α on one side, at a share of the rows between 0 and 1. */
  readonly spent: (share: number, alpha: number) => number
}

const obrienFleming: Spending<'obrien-fleming'> = {
  name: 'obrien-fleming',
  label: 'O’Brien–Fleming',
  family: 'spending',
  meaning: 'Spends almost nothing early, so that the last look is nearly as narrow as a single one.',
  docs: 'intervals.md#looks',
  spent: (share, alpha) =>
    share <= 0 ? 0 : 2 * normalCdf(normalQuantile(alpha / 2) / Math.sqrt(Math.min(1, share))),
}

const pocock: Spending<'pocock'> = {
  name: 'pocock',
  label: 'Pocock',
  family: 'spending',
  meaning: 'Spends about the same at every look: narrower early, wider at the last.',
  docs: 'intervals.md#looks',
  spent: (share, alpha) => alpha * log1p(expm1(1) * Math.min(1, Math.max(0, share))),
}

const KNOWN = [obrienFleming, pocock] as const

/** The names of the ways to spend an error over looks. */
export type SpendingName = (typeof KNOWN)[number]['name']

/** Every way to spend an error over looks. */
export const SPENDING = new Registry<Spending>('spending', KNOWN)
