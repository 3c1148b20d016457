import type { Evaluation } from '$core/estimate/evaluation.js'
import { evaluationAnswer, VERDICT_SHAPES } from '$core/words/estimate-text.js'
import { termMarker } from '$core/report/terms.js'

/** Which rows a policy was valued on. */
type ValuedRows = 'all' | 'held-out'

/** The answer as HTML: terms explained on hover, the verdict with its shape and its colour. */
export function answerHtml(evaluation: Evaluation, rows: ValuedRows): string {
  const { level } = evaluation.verdict
  return termMarker()
    .write(aboutRows(evaluationAnswer(evaluation), rows))
    .replace(
      /<strong>(Trust|Caution|Refuse)<\/strong>/,
      `<strong class="${level}"><span aria-hidden="true">${VERDICT_SHAPES[level]}</span> $1</strong>`,
    )
}

/** The reasons of the verdict that the answer has no room for. */
export const furtherReasons = ({ verdict }: Evaluation, rows: ValuedRows): string[] =>
  verdict.reasons.slice(1).map(({ message }) => aboutRows(message, rows))

/** A message about these rows: rows held out are not the log. */
const aboutRows = (text: string, rows: ValuedRows): string =>
  rows === 'all' ? text : text.replace('items that the log never shows', 'items that these rows never show')
