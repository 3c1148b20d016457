import { commandLine } from '$core/commands/command-line.js'
import {
  compareCommandOf,
  compareTyped,
  evaluateCommandOf,
  evaluateTyped,
  planCommandOf,
  type NamedTarget,
} from '$core/commands/evaluate-command.js'
import type { LogChoices } from '$core/commands/log-choices.js'
import { trainCommandOf } from '$core/commands/train-command.js'
import type { Comparison } from '$core/estimate/comparison.js'
import { labelsFor, parseSegmentBy } from '$core/estimate/segments/segment-by.js'
import type { ColumnOrigins } from '$core/log/bad-rows.js'
import { labelColumn } from '$core/log/columns.js'
import type { PageOptions } from '$core/report/page-options.js'
import { comparisonPage } from '$core/report/comparison-page.js'
import { evaluationPage } from '$core/report/evaluation-page.js'
import type { EvaluationEvidence } from '../../desk/evaluate.js'
import type { PlanQuestion } from '../../desk/effort.js'
import type { OpenedLog } from '../../desk/open-log.js'
import type { ComparisonQuestion, EvaluationQuestion, TargetChoice } from '../../desk/target-choice.js'
import type { TrainedModel } from '../../models.svelte.js'
import { fileStem } from '../../take-away/file-stem.js'
import { logCommand } from '../../take-away/log-command.js'
import { logReport } from '../log/log-report.js'
import { partMeaning, partText } from './part/part-text.js'

/** The name of a file about the log, without its extension. */
export const stemOf = ({ source }: Pick<OpenedLog, 'source'>, about: 'evaluation' | 'comparison'): string =>
  `${fileStem(logCommand(source).log.file)}-${about}`

/** The page of an evaluation, as `hindcast evaluate --report` writes it; of a model, with the rows it was evaluated on. */
export function evaluationReport(
  question: DividedQuestion,
  found: EvaluationEvidence,
  log: OpenedLog,
  options: PageOptions,
): string {
  const { settings, title } = logReport(log, logCommand(log.source).log.file)
  const typed = evaluateTyped(evaluationChoices(question, log))
  const columns = { ...(settings.columns as ColumnOrigins), ...dividingColumn(question) }
  const held = { ...heldOutSettings([question.target]), ...partSettings(question) }
  const about = titleOf(title, question)
  return evaluationPage(
    { title: about, ...found, settings: { ...settings, columns, options: typed, ...held } },
    options,
  )
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
  const held = { ...heldOutSettings([question.target, question.against]), ...partSettings(question) }
  const about = titleOf(title, question)
  return comparisonPage(
    {
      title: about,
      comparison,
      settings: { log: settings.log, format: settings.format, options: typed, ...held },
    },
    options,
  )
}

/** The commands that evaluate, and where there is a comparison compare, the same on the command line. */
export function evaluationCommands(
  evaluation: DividedQuestion,
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
    ...(evaluation.part ? [WHOLE_LOG] : []),
  ]
}

/** The command that plans the same on the command line. */
export function planCommand({ target, against, detect, choices }: PlanQuestion, log: OpenedLog): string {
  const { estimators: _, ...asked } = choices
  return commandLine(
    planCommandOf({
      ...asked,
      log: logCommand(log.source).log,
      target: namedTarget(target),
      ...(against && { against: namedTarget(against) }),
      ...(detect !== undefined && { detect }),
    }),
  )
}

/** An evaluation, and what its rows are divided by if they are. */
export type DividedQuestion = EvaluationQuestion & { readonly by?: string }

const WHOLE_LOG =
  '# These commands evaluate the whole file. The page evaluates a part of it: keep only those rows in a file of their own.'

function partSettings({ part }: EvaluationQuestion): { part?: string; values?: string } {
  if (!part) return {}
  const values = partMeaning(part)
  return { part: partText(part), ...(values !== '' && { values }) }
}

/** The column of the file that rows are divided by, if it is one. */
const dividingColumn = ({ by }: DividedQuestion): ColumnOrigins =>
  by === undefined
    ? {}
    : Object.fromEntries(labelsFor(parseSegmentBy(by)).map((name) => [labelColumn(name), [name]]))

/** A report about a part says so first. */
const titleOf = (title: string, { part }: EvaluationQuestion): string =>
  part ? `${title}, only ${partText(part)}` : title

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
  { target, choices, by }: DividedQuestion,
  log: OpenedLog,
): Parameters<typeof evaluateTyped>[0] => ({
  ...choices,
  ...(by !== undefined && { by }),
  log: logCommand(log.source).log,
  target: namedTarget(target),
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
