import { type AskedRule, isMatched, noRule, parseAskedRule, RULES_TEXT } from '../policy/score-rule.js'
import { namesInLog } from '../read/policy/names-in-log.js'
import { parsePolicyColumns } from '../read/policy/policy-columns.js'
import type { PolicyFile } from '../read/policy/policy-file.js'
import type { MissingUser } from '../read/policy/policy-match.js'
import type { PolicyFileOptions } from '../read/policy/read-policy-file.js'
import { parseModelTensors } from '../read/policy/tensors-policy.js'
import type { Arguments, Option } from './command.js'
import { layoutOptions } from './log-options.js'
import { oneOf, text } from './parse.js'

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
export interface FileTarget {
  /** What results call it, less its rule. */
  readonly name: string
  readonly path: string
  /** Absent for probabilities. */
  readonly rule?: AskedRule
}

/** Reads `table:FILE` or `scores:FILE@RULE`; undefined for anything else. */
export function fileTarget(typed: string): FileTarget | undefined {
  const [, kind, where] = /^(table|scores):(.+)$/.exec(typed) ?? []
  if (where === undefined) return undefined
  if (kind === 'table') return { name: typed, path: where }
  const { path, rule } = splitRule('scores', where)
  if (!rule) throw noRule(`scores:${path}`)
  return { name: `scores:${path}`, path, rule }
}

/** Splits `PATH@RULE`; an @ before a slash belongs to the path. Without a rule, there is none in the answer. */
export function splitRule(kind: 'scores' | 'model', where: string): { path: string; rule?: AskedRule } {
  const [, path, typed] = /^(.+)@([^@/\\]*)$/.exec(where) ?? []
  if (path === undefined || typed === undefined) return { path: where }
  const remedy = `If the name itself contains an @, add the rule: ${kind}:${where}@best.`
  return { path, rule: parseAskedRule(typed, remedy) }
}

/** How the user wants files of policies to be read, and what the log calls its columns. */
export function policyReading(args: Arguments): Omit<PolicyFileOptions, 'kind'> {
  const [columns, tensors] = [text(args, 'policy-columns'), text(args, 'model-tensors')]
  return {
    inLog: namesInLog(layoutOptions(args)),
    ...(columns !== undefined && { columns: parsePolicyColumns(columns) }),
    ...(tensors !== undefined && { tensors: parseModelTensors(tensors) }),
  }
}

/** What users that a file does not have are shown. */
export const missingUserOf = (args: Arguments): MissingUser =>
  oneOf(args, 'missing-user', ['logging', 'uniform', 'error']) ?? 'error'

/** The policy of a file, with scores made probabilities; where the log has yet to say by which temperature, by any. */
export async function readFileTarget(
  { path, rule }: FileTarget,
  reading: Omit<PolicyFileOptions, 'kind'>,
): Promise<PolicyFile> {
  const { openPolicyFile } = await import('../node/open-policy-file.js')
  const { scoredPolicyFile } = await import('../read/policy/scored-policy.js')
  const file = await openPolicyFile(path, { ...reading, kind: rule ? 'score' : 'probability' })
  return rule ? scoredPolicyFile(file, isMatched(rule) ? { kind: 'softmax', temperature: 1 } : rule) : file
}
