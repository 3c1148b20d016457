import type { Evaluation, VerdictLevel } from '$core/estimate/evaluation.js'
import { evaluationAnswer } from '$core/words/decision-text.js'
import { estimatorLabel } from '$core/words/estimate-text.js'
import { otherVerdicts, verdictWord } from '$core/words/verdict-text.js'
import { listed } from '$core/listed.js'
import { termMarker } from '$core/report/terms.js'

/** The answer as HTML: what to do in bold, terms explained on hover. */
export const answerHtml = (evaluation: Evaluation): string => termMarker().write(evaluationAnswer(evaluation))

/** Estimates whose verdict is another than the answer's, each with its reasons in a line. */
export const otherVerdictLines = (
  evaluation: Evaluation,
): { readonly level: VerdictLevel; readonly word: string; readonly text: string }[] =>
  otherVerdicts(evaluation).map(({ level, estimates, reasons }) => ({
    level,
    word: verdictWord({ level }),
    text: `${listed(estimates.map(({ estimator }) => estimatorLabel(estimator)))}: ${reasons.join(' ')}`,
  }))
