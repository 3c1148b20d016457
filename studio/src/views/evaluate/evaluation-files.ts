import { commandLine } from '$core/commands/command-line.js'
import {
  compareCommandOf,
  compareTyped,
  evaluateCommandOf,
  evaluateTyped,
  type NamedTarget,
} from '$core/commands/evaluate-command.js'
import type { LogChoices } from '$core/commands/log-choices.js'
import { trainCommandOf } from '$core/commands/train-command.js'
import type { Comparison } from '$core/estimate/comparison.js'
import type { PageOptions } from '$core/report/page-options.js'
import { comparisonPage } from '$core/report/comparison-page.js'
import { evaluationPage } from '$core/report/evaluation-page.js'
import type { EvaluationEvidence } from '../../desk/evaluate.js'
import type { OpenedLog } from '../../desk/open-log.js'
import type { ComparisonQuestion, EvaluationQuestion, TargetChoice } from '../../desk/target-choice.js'
import type { TrainedModel } from '../../models.svelte.js'
import { fileStem } from '../../take-away/file-stem.js'
import { logCommand } from '../../take-away/log-command.js'
import { logReport } from '../log/log-report.js'

/** The name of a file about the log, without its extension. */
export const stemOf = ({ source }: Pick<OpenedLog, 'source'>, about: 'evaluation' | 'comparison'): string =>
  `${fileStem(logCommand(source).log.file)}-${about}`

/** The page of an evaluation, as `hindcast evaluate --report` writes it; of a model, with the rows it was evaluated on. */
export function evaluationReport(
  question: EvaluationQuestion,
  found: EvaluationEvidence,
  log: OpenedLog,
  options: PageOptions,
): string {
  const { settings, title } = logReport(log, logCommand(log.source).log.file)
  const typed = evaluateTyped(evaluationChoices(question, log))
  const held = heldOutSettings([question.target])
  return evaluationPage({ title, ...found, settings: { ...settings, options: typed, ...held } }, options)
}

/** The page of a comparison, as `hindcast compare --report` writes it; with a model, with the rows it was evaluated on. */
export function comparisonReport(
  question: ComparisonQuestion,
  comparison: Comparison,
  log: OpenedLog,
  options: PageOptions,
): string {
  const { settings, title } = logReport(log, logCommand(log.source).log.file)
  const typed = compareTyped(comparisonChoices(question, log))
  const held = heldOutSettings([question.target, question.against])
  return comparisonPage(
    { title, comparison, settings: { log: settings.log, format: settings.format, options: typed, ...held } },
    options,
  )
}

/** The commands that evaluate, and where there is a comparison compare, the same on the command line. */
export function evaluationCommands(
  evaluation: EvaluationQuestion,
  comparison: ComparisonQuestion | undefined,
  log: OpenedLog,
  models: readonly TrainedModel[],
): string[] {
  const { lines, log: file } = logCommand(log.source)
  const ids = [evaluation.target, ...(comparison ? [comparison.against] : [])].flatMap((target) =>
    target.kind === 'model' ? [target.id] : [],
  )
  const trained = models.filter(({ id }) => ids.includes(id))
  return [
    ...lines,
    ...trained.map((model) => commandLine(trainWords(model, file, log))),
    commandLine(evaluateCommandOf(evaluationChoices(evaluation, log))),
    ...(comparison ? [commandLine(compareCommandOf(comparisonChoices(comparison, log)))] : []),
    ...(trained.length > 0 ? ALL_ROWS : []),
  ]
}

/** What differs there. */
const ALL_ROWS = [
  '# These commands evaluate a model on all rows of the file, including those it was trained on, which flatters it.',
  '# The page evaluates it on test rows not seen in training, over items not seen in training.',
]

const heldOutSettings = (targets: readonly TargetChoice[]): { valuedOn?: string } =>
  targets.some(({ kind }) => kind === 'model')
    ? { valuedOn: 'test rows not seen in training, over items not seen in training' }
    : {}

const evaluationChoices = (
  { target, choices }: EvaluationQuestion,
  log: OpenedLog,
): Parameters<typeof evaluateTyped>[0] => ({
  ...choices,
  log: logCommand(log.source).log,
  target: namedTarget(target),
  ...(target.kind === 'popularity' || target.kind === 'model' ? { temperatures: 'auto' as const } : {}),
  report: `${stemOf(log, 'evaluation')}.html`,
})

function comparisonChoices(
  { target, against, estimator, choices: asked }: ComparisonQuestion,
  log: OpenedLog,
): Parameters<typeof compareTyped>[0] {
  const { estimators: _, ...choices } = asked
  return {
    ...choices,
    estimator,
    log: logCommand(log.source).log,
    targets: [namedTarget(against), namedTarget(target)],
    report: `${stemOf(log, 'comparison')}.html`,
  }
}

const folderOf = (id: number): string => `model-${id}`

function namedTarget(target: TargetChoice): NamedTarget {
  if (target.kind !== 'model') return target
  return { kind: 'model', folder: folderOf(target.id), temperature: target.temperature }
}

const trainWords = (
  { id, settings, split }: TrainedModel,
  file: LogChoices,
  { description }: OpenedLog,
): string[] =>
  trainCommandOf({
    log: file,
    out: folderOf(id),
    hasPropensities: description.propensity.source !== 'none',
    settings,
    split,
  })
