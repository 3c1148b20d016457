import type { Log } from '../../log/log.js'
import type { VerdictLevel } from '../evaluation.js'
import { isOfSlates, type SlateEstimator, type SlatePropensities } from './slate-term.js'
import { type PageTraits, pageTraitsOf, type SlateKind, slateKindOf } from './slate-kind.js'
import { slatesOf } from './slates.js'
import type { NamedEstimator } from '../estimator.js'

/** What a verdict takes from the propensities of pages. */
interface SlateFinding {
  readonly code: 'slate-propensities'
  readonly level: Exclude<VerdictLevel, 'trust'>
  readonly message: string
}

/** What the propensities of a log's pages are taken for. */
export interface SettledPropensities {
  readonly propensities: SlatePropensities
  /** The two kinds are the same in this log. */
  readonly isBoth: boolean
  /** What the log shows by itself. */
  readonly kind: SlateKind
  readonly pages: PageTraits
  /** What speaks against estimates of pages. */
  readonly finding?: SlateFinding
  /** The target fills a page from its best item down: no row alone says what it would show there. */
  readonly isSorted?: true
}

const WORDS: Readonly<Record<SlatePropensities, string>> = {
  conditional: 'conditional (given the items above)',
  marginal: 'marginal (whatever stands above)',
}

/**
 * The kind of the propensities of a log's pages: as `stated`, else as the log shows, else conditional, which is what a
 * logger that fills pages slot by slot records. The finding says where the log contradicts what was stated, fits no kind, or
 * does not tell.
 */
export function settlePropensities(log: Log, stated?: SlatePropensities): SettledPropensities {
  const slates = slatesOf(log)
  const pages = pageTraitsOf(log, slates)
  return settledAs(slateKindOf(log, slates, pages), pages, stated)
}

/** The same from what the log shows. */
export function settledAs(
  shown: SlateKind,
  pages: PageTraits,
  stated?: SlatePropensities,
): SettledPropensities {
  const { kind, evidence } = shown
  const propensities = stated ?? (kind === 'marginal' ? 'marginal' : 'conditional')
  const settled = { propensities, isBoth: kind === 'both', kind: shown, pages }
  const found = (level: SlateFinding['level'], message: string): SettledPropensities => ({
    ...settled,
    finding: { code: 'slate-propensities', level, message },
  })
  if (kind === 'neither')
    return found('refuse', `The propensities are not those of items in their slots: ${evidence}.`)
  if (kind === 'unknown' && stated === undefined)
    return found(
      'caution',
      `The propensities of the pages are taken to be ${WORDS.conditional}, and the log cannot show whether they are: ${evidence}. Say which kind they are.`,
    )
  if ((kind === 'conditional' || kind === 'marginal') && kind !== propensities)
    return found(
      'refuse',
      `The propensities of the pages were said to be ${WORDS[propensities]}, but look ${WORDS[kind]}: ${evidence}.`,
    )
  return settled
}

/** The same for a target that fills pages from its best item down: slots that a log draws by themselves depend on each other there. */
export const settledForSorted = (settled: SettledPropensities): SettledPropensities =>
  settled.pages.mostSlots > 1 ? { ...settled, isBoth: false, isSorted: true } : settled

/** Why an estimator of pages has no value with these propensities, as the rest of a sentence; undefined where it has one. */
export function unfitFor(
  estimator: NamedEstimator,
  { propensities, isBoth }: SettledPropensities,
): string | undefined {
  if (!isOfSlates(estimator) || isBoth || estimator.propensities === propensities) return undefined
  return `it needs ${needed(estimator)}, and those of the log are ${WORDS[propensities]}`
}

const needed = ({ propensities }: SlateEstimator): string => `propensities that are ${WORDS[propensities]}`
