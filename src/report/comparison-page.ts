import type { Comparison } from '../estimate/comparison.js'
import { worstAnswer, worstVerdict } from '../estimate/verdict.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import { differencesFigure } from '../figures/index.js'
import { listed } from '../listed.js'
import { groundsOf, type Question, type QuestionAnswer, QUESTIONS, type Verdict } from '../verdict/verdict.js'
import { decisionSentences, evaluationAnswer } from '../words/decision-text.js'
import { nearestText } from '../words/estimate-text.js'
import { jointLevel, verdictHeading, verdictWord } from '../words/verdict-text.js'
import { curveCharts, loggersSections } from './evaluation-sections.js'
import { type PageOptions, reportHtml } from './report.js'

/** What a page about a comparison is made from. */
export interface ComparisonPage {
  readonly title: string
  readonly comparison: Comparison
  readonly settings: Readonly<Record<string, unknown>>
}

/** The page about a comparison, as HTML: what to do, the differences drawn, and each policy's verdict. */
export function comparisonPage(
  { title, comparison, settings }: ComparisonPage,
  { document, generatedBy, notes = {} }: PageOptions,
): string {
  const { evaluations, differences } = comparison
  const [lead, ...more] = decisionSentences(comparison)
  return reportHtml({
    title: `${title}: ${evaluations.map(({ target }) => target).join(', ')}`,
    answer: [lead!, ...(more.length > 0 ? [more.join(' ')] : [])],
    verdict: verdictOf(comparison),
    facts: [],
    charts: comparisonCharts(comparison, { document }),
    sections: evaluations.map((evaluation, k) => {
      const difference = differences[k - 1]
      const verdict = difference?.verdict ?? evaluation.verdict
      const nearest = nearestText(evaluation)
      return {
        heading: `${evaluation.target}: ${difference ? difference.action.replace('-', ' ') : 'the baseline'}`,
        text: [evaluationAnswer({ ...evaluation, verdict }), ...(nearest === undefined ? [] : [nearest])],
        verdict,
        sections: loggersSections(evaluation),
      }
    }),
    settings,
    notes,
    generatedBy,
  })
}

/** The verdicts on all differences together: to each question the worst answer, and a line on each policy; those to trust share one. */
function verdictOf({ differences }: Comparison): Verdict {
  const verdicts = differences.map(({ verdict }) => verdict)
  if (verdicts.length === 1) return verdicts[0]!
  const trusted = differences.filter(({ verdict }) => verdict.level === 'trust')
  const lines = [
    ...(trusted.length > 0
      ? [`${verdictWord({ level: 'trust' })}: ${listed(trusted.map(({ target }) => target))}.`]
      : []),
    ...differences
      .filter((difference) => !trusted.includes(difference))
      .map(({ target, verdict }) => `${verdictHeading(verdict)}: ${target}. ${groundsOf(verdict)}`),
  ]
  const worst = worstVerdict(verdicts as [Verdict, ...Verdict[]])
  const level = jointLevel(verdicts.map((one) => one.level))
  return {
    level,
    means: level === 'refuse' ? worst.means : level === 'trust' ? 'decide' : 'careful',
    questions: QUESTIONS.map((question) => worstOf(question, differences)),
    reasons: lines.map((message) => ({ ...OF_POLICIES, message })),
  }
}

/** The worst answer to a question, with the policy that it is about where they are not all the same. */
function worstOf(question: Question, differences: Comparison['differences']): QuestionAnswer {
  const answers = differences.flatMap(({ target, verdict }) =>
    verdict.questions.filter((one) => one.question === question).map((answer) => ({ answer, target })),
  )
  const worst = worstAnswer(answers.map(({ answer }) => answer))!
  const { target } = answers.find(({ answer }) => answer === worst)!
  const isShared = answers.every(({ answer }) => answer.text === worst.text)
  return isShared ? worst : { ...worst, text: `${target}: ${worst.text}` }
}

const OF_POLICIES = {
  code: 'of-policies',
  level: 'note',
  question: 'overlap',
  shift: null,
  driver: null,
  value: null,
} as const

/** The paired differences. */
export const comparisonCharts = (comparison: Comparison, options: FigureOptions): Chart[] => [
  differencesFigure(comparison, options),
  ...curveCharts(comparison, comparison.evaluations, options),
]
