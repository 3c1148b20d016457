import { commandLine } from '$core/commands/command-line.js'
import {
  type CompareChoices,
  compareCommandOf,
  compareTyped,
  evaluateCommandOf,
  evaluateTyped,
  planCommandOf,
  type NamedTarget,
} from '$core/commands/evaluate-command.js'
import { HindcastError } from '$core/error.js'
import type { LogChoices } from '$core/commands/log-choices.js'
import { trainCommandOf } from '$core/commands/train-command.js'
import type { Comparison } from '$core/estimate/comparison.js'
import { labelsFor, parseSegmentBy } from '$core/estimate/segments/choose-segments.js'
import type { ColumnOrigins } from '$core/log/bad-rows.js'
import { labelColumn } from '$core/log/columns.js'
import { formatNamed } from '$core/log/formats/index.js'
import type { PageOptions } from '$core/report/report.js'
import { comparisonPage } from '$core/report/comparison-page.js'
import { evaluationPage } from '$core/report/evaluation-page.js'
import type { EvaluationEvidence } from '../../desk/evaluate.js'
import type { PlanQuestion } from '../../desk/effort.js'
import type { OpenedLog } from '../../desk/open-log.js'
import {
  type ComparisonQuestion,
  type EvaluationQuestion,
  followsScores,
  type OwnPolicyChoice,
  type TargetChoice,
} from '../../desk/target-choice.js'
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
  const held = { ...heldOutSettings(comparedIn(question)), ...partSettings(question) }
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
  const targets = [evaluation.target, ...(comparison ? comparedIn(comparison) : [])]
  const ids = targets.flatMap((target) => (target.kind === 'model' ? [target.id] : []))
  const trained = models.filter(({ id }) => ids.includes(id))
  return [
    ...lines,
    ...trained.map((model) => commandLine(trainWords(model, file, log))),
    commandLine(evaluateCommandOf(evaluationChoices(evaluation, log))),
    ...(comparison ? [commandLine(compareCommandOf(comparisonChoices(comparison, log)))] : []),
    ...(trained.length > 0 ? ALL_ROWS : []),
    ...(targets.some(isFolder) ? [MODEL_FOLDER] : []),
    ...catalogueBeside(file),
    ...(evaluation.part ? [WHOLE_LOG] : []),
  ]
}

/** Whether a policy is a model whose files were not in an archive. */
const isFolder = (target: TargetChoice): boolean =>
  target.kind === 'own' && target.form === 'model' && !target.file.endsWith('.zip')

/** A command also reads the table of all items that belongs to a format; the page has the log alone. */
function catalogueBeside({ format, catalogue }: LogChoices): string[] {
  const beside = format !== undefined && catalogue === undefined ? formatNamed(format).catalogue : undefined
  if (!beside) return []
  return [
    `# If ${beside.file} lies beside the log, these commands count the items in it, too. The page knows those of the log alone.`,
  ]
}

/** Names of files stay out of comments: they may hold anything. */
const MODEL_FOLDER = '# The files of a saved model must be in the folder of that name.'

/** The command that plans the same on the command line. */
export function planCommand({ target, against, detect, choices }: PlanQuestion, log: OpenedLog): string {
  const { estimators: _, ...asked } = choices
  return commandLine(
    planCommandOf({
      ...asked,
      ...fileOptions(against ? [target, against] : [target]),
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

/** The policies of a comparison, the baseline first. */
const comparedIn = ({ against, target, others = [] }: ComparisonQuestion): readonly TargetChoice[] => [
  against,
  target,
  ...others,
]

const evaluationChoices = (
  { target, choices, by }: DividedQuestion,
  log: OpenedLog,
): Parameters<typeof evaluateTyped>[0] => ({
  ...choices,
  ...fileOptions([target]),
  ...(by !== undefined && { by }),
  log: logCommand(log.source).log,
  target: namedTarget(target),
  ...(followsScores(target) && { temperatures: 'auto' as const }),
  report: `${stemOf(log, 'evaluation')}.html`,
})

function comparisonChoices(question: ComparisonQuestion, log: OpenedLog): Parameters<typeof compareTyped>[0] {
  const { estimator, choices: asked } = question
  const { estimators: _, ...choices } = asked
  const targets = comparedIn(question)
  return {
    ...choices,
    ...fileOptions(targets),
    ...(estimator !== undefined && { estimator }),
    log: logCommand(log.source).log,
    targets: targets.map(namedTarget),
    ...(targets.some(followsScores) && { temperatures: 'auto' as const }),
    report: `${stemOf(log, 'comparison')}.html`,
  }
}

const folderOf = (id: number): string => `model-${id}`

function namedTarget(target: TargetChoice): NamedTarget {
  if (target.kind === 'own') return namedFile(target)
  if (target.kind !== 'model') return target
  return { kind: 'model', folder: folderOf(target.id), rule: target.rule }
}

function namedFile({ form, file, rule }: OwnPolicyChoice): NamedTarget {
  if (form === 'table' || !rule) return { kind: 'table', file }
  return form === 'model' ? { kind: 'model', folder: file, rule } : { kind: 'scores', file, rule }
}

/** How the files of policies are read: one command reads all of them alike. */
function fileOptions(
  targets: readonly TargetChoice[],
): Pick<CompareChoices, 'missingUser' | 'policyColumns'> {
  const own = targets.filter((target) => target.kind === 'own')
  const tables = own.filter(({ form }) => form !== 'model')
  const policyColumns = Object.assign({}, ...tables.map(({ columns }) => columns))
  const isSame = ({ columns = {}, form }: OwnPolicyChoice): boolean =>
    Object.keys(columns).length > 0 &&
    (['user', 'item', form === 'table' ? 'probability' : 'score'] as const).every(
      (column) => columns[column] === policyColumns[column],
    )
  if (Object.keys(policyColumns).length > 0 && !tables.every(isSame))
    throw new HindcastError(
      'bad-option',
      'These policies cannot be compared by one command: their tables name their columns differently.',
      { remedy: 'Give their columns the same names, such as user_id, item_id and probability.' },
    )
  const twice = own.find(({ file, fingerprint }) =>
    own.some((other) => other.file === file && other.fingerprint !== fingerprint),
  )
  if (twice)
    throw new HindcastError('bad-option', `Two of these files are called ${twice.file}.`, {
      remedy: 'Rename one of them, so that a command can name both.',
    })
  const missingUser = own[0]?.missingUser
  return {
    ...(missingUser && { missingUser }),
    ...(Object.keys(policyColumns).length > 0 && { policyColumns }),
  }
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
