import type { FigureOptions } from '../figures/chart.js'

/** What every page needs besides its data. */
export interface PageOptions extends FigureOptions {
  /** Name and version of the program. */
  readonly generatedBy: string
  /** Notes on figures by the name of the figure, in plain text. */
  readonly notes?: Readonly<Record<string, string>>
}
