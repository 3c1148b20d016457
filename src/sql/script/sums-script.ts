import { brokenSteps } from './broken-steps.js'
import { comment, stepsText } from './layout.js'
import { policySteps } from './policy-steps.js'
import { cellsStep, countsSteps, viewOf, weighedStep } from './row-steps.js'
import type { ScriptAsked } from './script-asked.js'
import { outputsOf, outputText } from './script-outputs.js'

/**
 * One statement that computes all that an evaluation needs. Its result is tall: the part and the id of a row, how many
 * rows the part has, and numbers, x0 and so on, NULL where a part has fewer. Nothing is created or changed. No id of a user
 * comes back, except in up to five rows that break a rule.
 */
export function sumsScript(asked: ScriptAsked): string {
  const { dialect } = asked
  const view = viewOf(asked)
  const answers = asked.answers(view)
  const steps = [
    cellsStep(asked),
    ...countsSteps(asked),
    ...(asked.policy ? policySteps(dialect, asked.policy) : []),
    ...brokenSteps(view),
    weighedStep(view, asked),
    ...answers.steps,
  ]
  const outputs = [...outputsOf(view, asked), ...answers.outputs]
  const width = Math.max(...outputs.map(({ numbers }) => numbers.length))
  const parts = outputs
    .map((output, k) => outputText(dialect, output, width, k === 0))
    .join('\n  UNION ALL\n')
  const numbers = Array.from({ length: width }, (_, k) => `x${k}`)
  return [
    comment(asked.about),
    ...(dialect.beforehand === undefined
      ? []
      : [comment(`Run this first, in the same session: ${dialect.beforehand}`)]),
    stepsText(steps, dialect.again),
    comment('All parts, one below the other; part_rows shows whether the result is whole.'),
    `SELECT part, id, ${dialect.double('count(*) OVER (PARTITION BY part)')} AS part_rows,\n  ${numbers.join(', ')}`,
    `FROM (\n${parts}\n) AS all_parts${dialect.settings === undefined ? '' : `\n${dialect.settings}`}`,
    '',
  ].join('\n')
}
