import type { TuningMethod } from '$core/estimate/requests.js'
import type { TargetChoice } from '../../desk/target-choice.js'

/** What each kind of policy shows, in one line. */
export const TARGET_MEANINGS: Readonly<Record<TargetChoice['kind'], string>> = {
  uniform: 'Shows every item equally often.',
  logging: 'The policy that wrote the log: what it earned, and how sure that is.',
  popularity: 'Goes by the clicks of other users.',
  column: 'Its probabilities are a column of the log.',
  model: 'Goes by the scores of a model trained here.',
  own: 'From your files, as chosen below.',
}

/** The ways in which rows may depend on each other that the page offers, by what they need of the log. */
export interface ClusterOffer {
  readonly value: string
  readonly label: string
  /** What it means, in one line. */
  readonly meaning: string
  readonly needs: readonly ('times' | 'clusters')[]
}

/** Those ways, in the order in which they are offered; the default first. */
export const CLUSTER_OFFERS: readonly ClusterOffer[] = [
  {
    value: 'auto',
    label: 'users, and days where known',
    meaning: 'Users and days where the log has times on at least 5 days; users alone elsewhere.',
    needs: [],
  },
  {
    value: 'user',
    label: 'user',
    meaning: 'Rows of one user depend on each other. Day-to-day changes are not in the intervals.',
    needs: [],
  },
  {
    value: 'user+day',
    label: 'user and day',
    meaning: 'Rows of one user depend on each other, and so do rows of one day.',
    needs: ['times'],
  },
  {
    value: 'day',
    label: 'day',
    meaning: 'Rows of one day depend on each other; a user who returns on another day counts as another.',
    needs: ['times'],
  },
  {
    value: 'column',
    label: 'the cluster column',
    meaning: 'Rows with the same value in the cluster column depend on each other.',
    needs: ['clusters'],
  },
  {
    value: 'user+column',
    label: 'user and the cluster column',
    meaning:
      'Rows of one user depend on each other, and so do rows with the same value in the cluster column.',
    needs: ['clusters'],
  },
  {
    value: 'column+day',
    label: 'the cluster column and day',
    meaning:
      'Rows with the same value in the cluster column depend on each other, and so do rows of one day.',
    needs: ['clusters', 'times'],
  },
  {
    value: 'row',
    label: 'nothing: rows are independent',
    meaning: 'Every row counts as independent: intervals are too narrow where users or days differ.',
    needs: [],
  },
]

/** How λ can be chosen, each in one line. */
export const TUNING_MEANINGS: Readonly<Record<TuningMethod, string>> = {
  paired: 'The λ with the least estimated error: variance plus squared difference from no shrinkage.',
  slope: 'SLOPE: the most shrinkage whose interval still overlaps the intervals of all lesser ones.',
}
