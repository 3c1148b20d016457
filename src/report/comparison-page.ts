import type { Comparison } from '../estimate/comparison.js'
import type { Verdict } from '../estimate/evaluation.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import { differencesFigure } from '../figures/index.js'
import { listed } from '../listed.js'
import { choiceSentences } from '../words/choice-text.js'
import { comparisonAnswer } from '../words/difference-text.js'
import { evaluationAnswer } from '../words/estimate-text.js'
import { loggersSections } from './loggers-section.js'
import { jointLevel, verdictWord } from '../words/verdict-text.js'
import { curveCharts } from './curve-charts.js'
import type { PageOptions } from './page-options.js'
import { reportHtml } from './report.js'
import { groundsOf } from '../verdict/verdict.js'

/** What a page about a comparison is made from. */
export interface ComparisonPage {
  readonly title: string
  readonly comparison: Comparison
  readonly settings: Readonly<Record<string, unknown>>
}

/** The page about a comparison, as HTML: the differences in words and drawn, and each policy's verdict. */
export function comparisonPage(
  { title, comparison, settings }: ComparisonPage,
  { document, generatedBy, notes = {} }: PageOptions,
): string {
  const { evaluations, differences, choice } = comparison
  return reportHtml({
    title: `${title}: ${evaluations.map(({ target }) => target).join(', ')}`,
    answer: [
      comparisonAnswer(comparison),
      ...(choice ? emphasised(choiceSentences({ ...comparison, choice })) : []),
    ],
    verdict: verdictOf(comparison),
    facts: [],
    charts: comparisonCharts(comparison, { document }),
    sections: evaluations.map((evaluation, k) => {
      const { level, reasons } = k === 0 ? evaluation.verdict : differences[k - 1]!.verdict
      const answer = evaluationAnswer(evaluation)
      return {
        heading: `${evaluation.target}: ${verdictWord({ level })}`,
        text: [answer, ...reasons.flatMap(({ message }) => (isSaidIn(answer, message) ? [] : [message]))],
        sections: loggersSections(evaluation),
      }
    }),
    settings,
    notes,
    generatedBy,
  })
}

/** The verdicts on all differences together, each policy's on a line of its own; those to trust share one. */
function verdictOf({ differences }: Comparison): Verdict {
  if (differences.length === 1) return differences[0]!.verdict
  const trusted = differences.filter(({ verdict }) => verdict.level === 'trust')
  const lines = [
    ...(trusted.length > 0
      ? [`${verdictWord({ level: 'trust' })}: ${listed(trusted.map(({ target }) => target))}.`]
      : []),
    ...differences
      .filter((difference) => !trusted.includes(difference))
      .map(({ target, verdict }) => `${verdictWord(verdict)}: ${target}. ${groundsOf(verdict)}`),
  ]
  const [first] = differences.map(({ verdict }) => verdict)
  return {
    ...first!,
    level: jointLevel(differences.map(({ verdict }) => verdict.level)),
    reasons: lines.map((message) => ({
      code: 'of-policies',
      level: 'note',
      question: 'overlap',
      shift: null,
      driver: null,
      message,
      value: null,
    })),
  }
}

/** Whether an answer gives a reason already, perhaps in the middle of a sentence. */
const isSaidIn = (answer: string, reason: string): boolean => answer.includes(reason.slice(1))

/** The first sentence in bold, and all of them one paragraph. */
const emphasised = ([first, ...more]: readonly string[]): string[] => [[`**${first}**`, ...more].join(' ')]

/** The paired differences. */
export const comparisonCharts = (comparison: Comparison, options: FigureOptions): Chart[] => [
  differencesFigure(comparison, options),
  ...curveCharts(comparison, comparison.evaluations, options),
]
