import type { Comparison } from '../estimate/comparison.js'
import { choiceSentences } from '../words/choice-text.js'
import { allOf, comparisonAnswer, outcomeOf } from '../words/difference-text.js'
import { formatConfidence, formatPValue } from '../words/estimate-text.js'
import { perUnitOf } from '../words/unit.js'
import { GAP, WIDTH, wrap } from './format.js'
import { intervalTable, type Row } from './interval-table.js'
import { loggersTable } from './loggers-table.js'
import { policyTable } from './policy-table.js'
import type { Style, Terminal } from './terminal.js'
import { verdictText } from './verdict-text.js'

/** A comparison for a terminal of 80 columns: the answer, the policy to launch, the differences drawn, values and lifts, a verdict for each. */
export function comparisonText(file: string, comparison: Comparison, terminal: Terminal): string {
  const { baseline, confidence, estimator, differences: others, choice } = comparison
  const rows = others.map((other): Row => {
    const { target, difference, simultaneous, reason, adjustedPValue, verdict } = other
    return {
      label: target,
      value: difference,
      interval: simultaneous,
      reason,
      style: { better: 'green', worse: 'red', open: undefined }[outcomeOf(other, confidence)] as
        | Style
        | undefined,
      after: adjustedPValue === null ? '' : formatPValue(adjustedPValue).replace(/^p (= )?/, ''),
      shape: verdict.level,
    }
  })
  const names = ['target', 'difference', `${formatConfidence(confidence)} CI`, 'p'] as const
  const count = others.length
  const chosen = choice ? choiceSentences({ ...comparison, choice }) : []
  return [
    terminal.style('bold', file),
    wrap(`${comparisonAnswer(comparison)}.`, WIDTH),
    ...chosen.map((sentence, k) =>
      k === 0 ? terminal.style('bold', wrap(sentence, WIDTH)) : wrap(sentence, WIDTH),
    ),
    '',
    ...intervalTable(rows, { names, reference: { at: 0, label: baseline } }, terminal),
    wrap(
      `┊ no difference from ${baseline}; reward ${perUnitOf(estimator)} (${estimator}), on the same rows` +
        (count > 1 ? `; intervals and p-values hold for ${allOf(count, 'comparisons')} at once` : ''),
      WIDTH,
      GAP,
    ),
    '',
    ...policyTable(comparison, terminal),
    ...comparison.evaluations.flatMap((evaluation) => {
      const [title, ...lines] = loggersTable(evaluation, terminal)
      return title === undefined ? [] : ['', `${title}: ${evaluation.target}`, ...lines]
    }),
    '',
    ...others.map(({ target, verdict }) => verdictText(verdict, terminal, target)),
  ].join('\n')
}
