import type { StudyResults } from '../results.js'

/** What claims are tested on. */
export type Measured = Pick<StudyResults, 'toy' | 'description' | 'bias' | 'methods' | 'curves'>
