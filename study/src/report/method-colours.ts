import type { ColourName } from 'hindcast/figures'
import type { StudyMethod } from '../results.js'

/** The colour that a method has in every figure. */
export const METHOD_COLOURS: Readonly<Record<StudyMethod, ColourName>> = {
  bpr: 'logged',
  'ips-bpr': 'ips-bpr',
  'ips-bpr-pr': 'ips-bpr-pr',
  'ips-bce': 'ink',
  popularity: 'muted',
  'item-knn': 'muted',
  ease: 'muted',
}
