import type { Comparison } from '../estimate/comparison.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import { differencesFigure } from '../figures/index.js'
import { choiceSentences } from '../words/choice-text.js'
import { comparisonAnswer } from '../words/difference-text.js'
import { evaluationAnswer } from '../words/estimate-text.js'
import { loggersSections } from './loggers-section.js'
import type { PageOptions } from './page-options.js'
import { reportHtml } from './report.js'

/** What a page about a comparison is made from. */
export interface ComparisonPage {
  readonly title: string
  readonly comparison: Comparison
  readonly settings: Readonly<Record<string, unknown>>
}

/** The page about a comparison, as HTML: the differences in words and drawn, and each policy's verdict. */
export function comparisonPage(
  { title, comparison, settings }: ComparisonPage,
  { document, generatedBy }: PageOptions,
): string {
  const { evaluations, differences, choice } = comparison
  return reportHtml({
    title: `${title}: ${evaluations.map(({ target }) => target).join(', ')}`,
    answer: [
      comparisonAnswer(comparison),
      ...(choice ? emphasised(choiceSentences({ ...comparison, choice })) : []),
    ],
    facts: [],
    charts: comparisonCharts(comparison, { document }),
    sections: evaluations.map((evaluation, k) => {
      const { level, reasons } = k === 0 ? evaluation.verdict : differences[k - 1]!.verdict
      return {
        heading: `${evaluation.target}: ${level}`,
        text: [evaluationAnswer(evaluation), ...reasons.map(({ message }) => message)],
        sections: loggersSections(evaluation),
      }
    }),
    settings,
    generatedBy,
  })
}

/** The first sentence in bold, and all of them one paragraph. */
const emphasised = ([first, ...more]: readonly string[]): string[] => [[`**${first}**`, ...more].join(' ')]

/** The paired differences. */
export const comparisonCharts = (comparison: Comparison, options: FigureOptions): Chart[] => [
  differencesFigure(comparison, options),
]
