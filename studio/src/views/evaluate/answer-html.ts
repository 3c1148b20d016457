import type { Evaluation } from '$core/estimate/evaluation.js'
import { evaluationAnswer, VERDICT_SHAPES } from '$core/words/estimate-text.js'
import { termMarker } from '$core/report/terms.js'

/** The answer as HTML: terms explained on hover, the verdict with its shape and its colour. */
export function answerHtml(evaluation: Evaluation): string {
  const { level } = evaluation.verdict
  // What is in bold is the verdict.
  return termMarker()
    .write(evaluationAnswer(evaluation))
    .replace('<strong>', `<strong class="${level}"><span aria-hidden="true">${VERDICT_SHAPES[level]}</span> `)
}

/** The reasons of the verdict that the answer has no room for. */
export const furtherReasons = ({ verdict }: Evaluation): string[] =>
  verdict.reasons.slice(1).map(({ message }) => message)
