import type { Evaluation } from '$core/estimate/evaluation.js'
import { evaluationAnswer, VERDICT_SHAPES } from '$core/figures/estimate-text.js'
import { termMarker } from '$core/report/terms.js'

/** Which rows a policy was valued on. */
type ValuedRows = 'all' | 'held-out'

/** The answer as HTML: terms explained on hover, the verdict with its shape and its colour. */
export function answerHtml(evaluation: Evaluation, rows: ValuedRows): string {
  const { level } = evaluation.verdict
  return termMarker()
    .write(pageWords(evaluationAnswer(evaluation), rows))
    .replace(
      /<strong>(Trust|Caution|Refuse)<\/strong>/,
      `<strong class="${level}"><span aria-hidden="true">${VERDICT_SHAPES[level]}</span> $1</strong>`,
    )
}

/** The reasons of the verdict that the answer has no room for. */
export const furtherReasons = ({ verdict }: Evaluation, rows: ValuedRows): string[] =>
  verdict.reasons.slice(1).map(({ message }) => pageWords(message, rows))

/** A message in the words of the page: nothing is typed as an option, and rows held out are not the log. */
function pageWords(text: string, rows: ValuedRows): string {
  const plain = text.replace(' (name all items with --catalogue)', '')
  return rows === 'all'
    ? plain
    : plain.replace('items that the log never shows', 'items that these rows never show')
}
