import { existsSync } from 'node:fs'
import { HindcastError } from '../error.js'
import type { Target } from '../estimate/target.js'
import { given } from '../given.js'
import type { InPlaceOptions } from '../node/sums/open-log.js'
import type { PolicyInWarehouse } from '../node/warehouse/policy-in-warehouse.js'
import { noPopularityRule, POPULARITY } from '../policy/popularity.js'
import {
  type AskedRule,
  isMatched,
  noRule,
  parseAskedRule,
  parseScoreRule,
  RULES_TEXT,
  targetsByRule,
} from '../policy/score-rule.js'
import type { ReadLog } from '../read/plan.js'
import type { PolicyForLog } from '../read/policy/policy-for-log.js'
import { TARGETS_TEXT } from './ask-target.js'
import type { Arguments, Context, Option } from './command.js'
import { wrap } from './format.js'
import { namesInLog, parsePolicyColumns } from '../read/policy/policy-columns.js'
import type { PolicyFile } from '../read/policy/policy-file.js'
import type { MissingUser } from '../read/policy/policy-match.js'
import type { PolicyFileOptions } from '../read/policy/read-policy-file.js'
import { parseModelTensors } from '../read/policy/tensors-policy.js'
import { layoutOptions } from './log-options.js'
import { oneOf, text } from './parse.js'

/** The help's paragraph about `model:`. */
export const MODEL_TARGET_NOTE =
  'model:DIR@RULE is the model that hindcast train wrote to DIR, or a zip archive of that folder. One that was trained as a policy (--objective) has a rule of its own: model:DIR is that policy. The model must know every user and item of the log; items that are only in the model are left out. DIR may also be a safetensors file, an .npz archive or a folder of .npy files from elsewhere, with user and item embeddings and their ids: it is read as scores of all its items.'

/** The help's paragraph about `popularity`. */
export const POPULARITY_TARGET_NOTE =
  'popularity@RULE goes by the clicks of items: popularity@best shows the most clicked item, popularity@softmax=T each in proportion to clicks^(1/T), so that T = 1 is in proportion to clicks. Clicks are cross-fitted in five folds of users: a policy built from the clicks it is evaluated on would look too good.'

/** The log that a target is for, and where it was read from. */
type TargetLog = Pick<ReadLog, 'log' | 'file'>

/** A target that needs nothing besides the log. */
type TargetOfLog = Exclude<Target, { kind: 'policy' }>

/**
 * Reads `uniform`, `logging`, `column:NAME`, `popularity@RULE`, `table:FILE`, `scores:FILE@RULE` or `model:DIR@RULE`. The
 * last four are built for the users and items of the log; anything worth knowing about them is noted on the terminal.
 */
export async function parseTarget(
  typed: string,
  read: TargetLog,
  args: Arguments,
  context: Context,
): Promise<Target> {
  const known = targetOfLog(typed)
  if (known) return known
  const popularity = POPULARITY_TARGET.exec(typed)
  const { policy, notes } = popularity
    ? await policyByClicks(popularity[1], read)
    : await policyInFile(typed, read, args)
  for (const note of notes) context.terminal.note(wrap(note))
  return { kind: 'policy', policy }
}

/** What is popular in the log, by the rule that was typed. */
async function policyByClicks(typed: string | undefined, { log }: TargetLog): Promise<PolicyForLog> {
  if (typed === undefined) throw noPopularityRule()
  const { popularityTargets } = await import('../estimate/popularity-targets.js')
  const { policyBy } = await import('../estimate/match-exploration.js')
  return policyBy(popularityTargets(log), parseAskedRule(typed), log)
}

/** A policy that a file or a folder defines. */
async function policyInFile(typed: string, read: TargetLog, args: Arguments): Promise<PolicyForLog> {
  const [, where] = MODEL_TARGET.exec(typed) ?? []
  if (where !== undefined) {
    const { isModelFolder } = await import('../node/model-folder.js')
    const { path, rule } = splitRule('model', where)
    if (await isModelFolder(path)) {
      const { readModelPolicy } = await import('../node/model-policy.js')
      return readModelPolicy(path, rule, read)
    }
  }
  const target = targetInFile(typed)
  if (!target) throw noSuchTarget(typed)
  const { policyForLog } = await import('../read/policy/policy-for-log.js')
  const file = await readFileTarget(target, policyReading(args))
  const { partBeside } = await import('../node/write-log.js')
  const part = await partBeside(read.file)
  const made = policyForLog(file, read.log, { name: target.name, missingUser: missingUserOf(args), part })
  const { rule } = target
  if (!rule || !isMatched(rule)) return made
  const { matchExploration } = await import('../estimate/match-exploration.js')
  const { policy, note } = matchExploration(made.policy.ruled!, rule, read.log)
  return { policy, notes: [...made.notes, note] }
}

/** A table, scores, or a model that was made elsewhere, which is read as its scores. */
function targetInFile(typed: string): FileTarget | undefined {
  const [, where] = MODEL_TARGET.exec(typed) ?? []
  if (where === undefined) return fileTarget(typed)
  const { path, rule } = splitRule('model', where)
  if (!rule) throw noRule(`model:${path}`)
  return { name: `model:${path}`, path, rule }
}

/** Whether a target can be evaluated on a log that stays on disk: a temperature is searched in memory. */
export const isTargetOnDisk = (typed: string): boolean =>
  !/@(ess|entropy)=[^@/\\]*$/.test(typed) && !MODEL_TARGET.test(typed)

/**
 * Reads a target for a log that stays where it is: `uniform`, `logging`, `column:NAME`, `popularity@RULE`, `table:FILE`,
 * `scores:FILE@RULE`, or `warehouse:TABLE` or `warehouse:TABLE@RULE` where it is in a warehouse.
 */
export async function parseTargetInPlace(
  typed: string,
  args: Arguments,
  context: Context,
): Promise<InPlaceOptions['target']> {
  const said = new Set<string>()
  const note = (sentence: string): void => {
    // A log that is opened twice says everything twice.
    if (!said.has(sentence)) context.terminal.note(wrap(sentence))
    said.add(sentence)
  }
  const known = targetOfLog(typed) ?? warehouseTarget(typed, args, note)
  if (known) return known
  const target = fileTarget(typed)
  if (target) {
    if (target.rule && isMatched(target.rule)) throw searched(typed, target.name)
    const file = await readFileTarget(target, policyReading(args))
    return { kind: 'file', name: target.name, file, missingUser: missingUserOf(args), note }
  }
  const popularity = POPULARITY_TARGET.exec(typed)
  if (popularity) {
    if (popularity[1] === undefined) throw noPopularityRule(true)
    const rule = parseAskedRule(popularity[1])
    if (isMatched(rule)) throw searched(typed, POPULARITY)
    return { kind: 'popularity', rule }
  }
  if (!MODEL_TARGET.test(typed)) throw noSuchTarget(typed)
  const elsewhere = ` A model that was made elsewhere can be named as ${typed.replace(/^model/, 'scores')}.`
  throw new HindcastError('bad-option', `The target ${typed} needs the log in memory.`, {
    remedy: `Use --engine memory, or add the probabilities to the log as a column.${elsewhere}`,
  })
}

const searched = (typed: string, scores: string): HindcastError =>
  new HindcastError('bad-option', `The target ${typed} needs the log in memory.`, {
    remedy: `Its temperature is found by trying many. Use --engine memory, or a rule that needs no search: ${targetsByRule(scores, true)}.`,
  })

/** Reads `warehouse:TABLE` or, for scores, `warehouse:TABLE@RULE`; undefined for anything else. */
function warehouseTarget(
  typed: string,
  args: Arguments,
  note: (sentence: string) => void,
): PolicyInWarehouse | undefined {
  const [, table, rule] = WAREHOUSE_TARGET.exec(typed) ?? []
  if (table === undefined) return undefined
  const { columns, inLog } = policyReading(args)
  return {
    kind: 'warehouse',
    name: typed,
    table,
    missingUser: missingUserOf(args),
    note,
    ...given({ columns, inLog, rule: rule === undefined ? undefined : parseScoreRule(rule) }),
  }
}

const WAREHOUSE_TARGET = /^warehouse:(.+?)(?:@([^@]*))?$/

const MODEL_TARGET = /^model:(.+)$/
const POPULARITY_TARGET = /^popularity(?:@(.*))?$/

function targetOfLog(typed: string): TargetOfLog | undefined {
  if (typed === 'uniform' || typed === 'logging') return { kind: typed }
  const [name] = columnNamed(typed)
  return name ? { kind: 'column', name } : undefined
}

function noSuchTarget(typed: string): HindcastError {
  const what = `There is no target ${JSON.stringify(typed)}.`
  if (/\.(py|js|mjs|ts|r|ipynb)$/i.test(typed))
    return new HindcastError('bad-option', what, {
      remedy:
        'Hindcast runs no scripts of policies. Let yours write the probability of each item for each user (user_id, item_id, probability) as CSV or Parquet, and name that as table:FILE. In JavaScript, the library takes any object with probabilities(user).',
    })
  const path = typed.replace(/@[^@]*$/, '')
  if (existsSync(path))
    return new HindcastError('bad-option', `${what} It is the name of a file or folder.`, {
      remedy: `If it holds probabilities, write table:${path}. Scores, ranks or a trained model need a rule, such as scores:${path}@best or model:${path}@best.`,
    })
  return new HindcastError('bad-option', what, { remedy: `Choose one of: ${TARGETS_TEXT}.` })
}

/** The name in `column:NAME`; none in anything else. */
export const columnNamed = (choice: string): string[] =>
  choice.startsWith('column:') ? [choice.slice('column:'.length)] : []

/** The options of targets that stand in files. */
export const POLICY_OPTIONS: Readonly<Record<string, Option>> = {
  'missing-user': {
    value: 'WHAT',
    help: 'what to show users of the log who are not in the target’s file: logging (what the logging policy shows), uniform, or error (default)',
  },
  'policy-columns': {
    value: 'MAP',
    help: 'column names of table:FILE and scores:FILE, if not user_id, item_id and probability or score: user=uid,item=sku,probability=p',
  },
  'model-tensors': {
    value: 'MAP',
    help: 'tensors of a model from elsewhere, if their names are not recognised: user=NAME,item=NAME,item-bias=NAME',
  },
}

/** The help's paragraph about targets in files. */
export const FILE_TARGETS_NOTE =
  'table:FILE is a table with item_id, probability and, if it differs between users, user_id: CSV, TSV, JSON or Parquet, compressed or not; or with a row per user and lists of items and probabilities, or a column per item; or one JSON object of users, each with its items and their probabilities; or a matrix (.npy, .safetensors) with its ids in users.txt and items.txt beside it. Probabilities whose sum differs from 1 by no more than rounding explains (0.0001, or half a unit of the last decimal per item, at most 0.01) are divided by that sum. scores:FILE@RULE is the same with scores, or with a column rank (1 is the best). Items without a score are never shown.'

/** The help's paragraph about rules. */
export const RULES_NOTE = `Scores, popularity and models are policies only with a rule, which is part of the target and of the answer. RULE is one of: ${RULES_TEXT}.`

/** A target in a file. */
interface FileTarget {
  /** What results call it, less its rule. */
  readonly name: string
  readonly path: string
  /** Absent for probabilities. */
  readonly rule?: AskedRule
}

/** Reads `table:FILE` or `scores:FILE@RULE`; undefined for anything else. */
function fileTarget(typed: string): FileTarget | undefined {
  const [, kind, where] = /^(table|scores):(.+)$/.exec(typed) ?? []
  if (where === undefined) return undefined
  if (kind === 'table') return { name: typed, path: where }
  const { path, rule } = splitRule('scores', where)
  if (!rule) throw noRule(`scores:${path}`)
  return { name: `scores:${path}`, path, rule }
}

/** Splits `PATH@RULE`; an @ before a slash belongs to the path. Without a rule, there is none in the answer. */
function splitRule(kind: 'scores' | 'model', where: string): { path: string; rule?: AskedRule } {
  const [, path, typed] = /^(.+)@([^@/\\]*)$/.exec(where) ?? []
  if (path === undefined || typed === undefined) return { path: where }
  const remedy = `If the name itself contains an @, add the rule: ${kind}:${where}@best.`
  return { path, rule: parseAskedRule(typed, remedy) }
}

/** How the user wants files of policies to be read, and what the log calls its columns. */
function policyReading(args: Arguments): Omit<PolicyFileOptions, 'kind'> {
  const [columns, tensors] = [text(args, 'policy-columns'), text(args, 'model-tensors')]
  return {
    inLog: namesInLog(layoutOptions(args)),
    ...(columns !== undefined && { columns: parsePolicyColumns(columns) }),
    ...(tensors !== undefined && { tensors: parseModelTensors(tensors) }),
  }
}

/** What users that a file does not have are shown. */
const missingUserOf = (args: Arguments): MissingUser =>
  oneOf(args, 'missing-user', ['logging', 'uniform', 'error']) ?? 'error'

/** The policy of a file, with scores made probabilities; where the log has yet to say by which temperature, by any. */
async function readFileTarget(
  { path, rule }: FileTarget,
  reading: Omit<PolicyFileOptions, 'kind'>,
): Promise<PolicyFile> {
  const { openPolicyFile } = await import('../node/open-policy-file.js')
  const { scoredPolicyFile } = await import('../read/policy/scored-policy.js')
  const file = await openPolicyFile(path, { ...reading, kind: rule ? 'score' : 'probability' })
  return rule ? scoredPolicyFile(file, isMatched(rule) ? { kind: 'softmax', temperature: 1 } : rule) : file
}
