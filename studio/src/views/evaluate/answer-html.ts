import type { Evaluation, VerdictLevel } from '$core/estimate/evaluation.js'
import { estimatorLabel, evaluationAnswer, VERDICT_SHAPES } from '$core/words/estimate-text.js'
import { otherVerdicts, verdictWord } from '$core/words/verdict-text.js'
import { listed } from '$core/listed.js'
import { termMarker } from '$core/report/terms.js'

/** The answer as HTML: terms explained on hover, the verdict with its shape and its colour. */
export function answerHtml(evaluation: Evaluation): string {
  const { level } = evaluation.verdict
  // What is in bold is the verdict.
  return termMarker()
    .write(evaluationAnswer(evaluation))
    .replace(
      '<strong>',
      `<strong class="${level}"><span aria-hidden="true">${VERDICT_SHAPES[level]}</span>\u00a0`,
    )
}

/** The reasons of the verdict that the answer has no room for. */
export const furtherReasons = ({ verdict }: Evaluation): string[] =>
  verdict.reasons.slice(1).map(({ message }) => message)

/** Estimates whose verdict is another than the answer's, each with its reasons in a line. */
export const otherVerdictLines = (
  evaluation: Evaluation,
): { readonly level: VerdictLevel; readonly word: string; readonly text: string }[] =>
  otherVerdicts(evaluation).map(({ level, estimates, reasons }) => ({
    level,
    word: verdictWord({ level }),
    text: `${listed(estimates.map(({ estimator }) => estimatorLabel(estimator)))}: ${reasons.join(' ')}`,
  }))
