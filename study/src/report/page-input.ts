import type { FigureOptions } from 'hindcast/figures'
import type { StudyResults } from '../results.js'

/** What the sections of the page are made from. */
export interface PageInput {
  readonly results: StudyResults
  readonly options: FigureOptions
  /** Where the ratings come from, for subtitles; empty where there are none. */
  readonly world: string
}
