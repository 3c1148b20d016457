import { existsSync } from 'node:fs'
import { HindcastError } from '../error.js'
import type { Target } from '../estimate/target.js'
import type { InPlaceOptions } from '../node/sums/open-log.js'
import type { PolicyInWarehouse } from '../node/warehouse/policy-in-warehouse.js'
import { BY_RANK, BY_RANK_NOTE, isMatched, parseScoreRule, ruledName } from '../policy/score-rule.js'
import type { ReadLog } from '../read/plan.js'
import type { PolicyForLog } from '../read/policy/policy-for-log.js'
import type { Arguments, Context } from './command.js'
import { wrap } from './format.js'
import {
  type FileTarget,
  fileTarget,
  missingUserOf,
  policyReading,
  readFileTarget,
  splitRule,
} from './policy-targets.js'
import { parseTemperature } from './temperatures-option.js'

/** The help's paragraph about `model:`. */
export const MODEL_TARGET_NOTE =
  'model:DIR[@HOW] is the model that hindcast train wrote to DIR, or a zip archive of that folder. By default it shows the items of the log in proportion to 1/rank, which does not depend on the scale of its scores, so that models are compared fairly; one that was trained as a policy (--objective) is that policy. HOW is a temperature T (probability proportional to exp(score / T); a small one shows only the best item, Infinity all equally often), ess=SHARE, entropy=SHARE, topk=K or greedy:E, as for scores. The model must know every user and item of the log; items that are only in the model are left out. DIR may also be a safetensors file, an .npz archive or a folder of .npy files from elsewhere, with user and item embeddings and their ids: it is read as scores of all its items.'

/** The help's paragraph about `popularity`. */
export const POPULARITY_TARGET_NOTE =
  'popularity[@T] shows an item with probability proportional to clicks^(1/T); T is 1 by default. A small T shows only the most clicked item; Infinity shows all clicked items equally often. Clicks are cross-fitted in five folds of users: a policy built from the clicks it is evaluated on would look too good.'

/** The log that a target is for, and where it was read from. */
type TargetLog = Pick<ReadLog, 'log' | 'file'>

/** A target that needs nothing besides the log. */
type TargetOfLog = Exclude<Target, { kind: 'policy' }>

/**
 * Reads `uniform`, `logging`, `column:NAME`, `popularity[@T]`, `table:FILE`, `scores:FILE[@HOW]` or `model:DIR[@HOW]`. The
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
  if (popularity) {
    const { popularityTargets } = await import('../estimate/popularity-targets.js')
    return { kind: 'policy', policy: popularityTargets(read.log).at(popularityTemperature(popularity[1])) }
  }
  const { policy, notes } = await policyInFile(typed, read, args)
  for (const note of notes) context.terminal.note(wrap(note))
  return { kind: 'policy', policy }
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
  const { partBeside } = await import('../node/log-part.js')
  const part = await partBeside(read.file)
  const made = policyForLog(file, read.log, { name: target.name, missingUser: missingUserOf(args), part })
  const { rule } = target
  if (target.isRuleUsual) return { ...made, notes: [`${made.policy.name}: ${BY_RANK_NOTE}`, ...made.notes] }
  if (!rule || !isMatched(rule)) return made
  const { matchExploration } = await import('../estimate/match-exploration.js')
  const { policy, note } = matchExploration(made.policy, rule, read.log, ruledName(target.name, rule))
  return { policy, notes: [...made.notes, note] }
}

/** A table, scores, or a model that was made elsewhere, which is read as its scores. */
function targetInFile(typed: string): FileTarget | undefined {
  const [, where] = MODEL_TARGET.exec(typed) ?? []
  if (where === undefined) return fileTarget(typed)
  const { path, rule } = splitRule('model', where)
  return { name: `model:${path}`, path, rule: rule ?? BY_RANK, isRuleUsual: rule === undefined }
}

/** Whether a target can be evaluated on a log that stays on disk. */
export const isTargetOnDisk = (typed: string): boolean =>
  targetOfLog(typed) !== undefined ||
  isFileOnDisk(fileTarget(typed)) ||
  WAREHOUSE_TARGET.test(typed) ||
  POPULARITY_TARGET.test(typed)

/** A temperature is searched in memory. */
const isFileOnDisk = (target: FileTarget | undefined): boolean =>
  target !== undefined && !(target.rule && isMatched(target.rule))

/**
 * Reads a target for a log that stays where it is: `uniform`, `logging`, `column:NAME`, `table:FILE`, `scores:FILE[@HOW]`, or
 * `warehouse:TABLE[@HOW]` where it is in a warehouse.
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
    if (target.rule && isMatched(target.rule))
      throw new HindcastError('bad-option', `The target ${typed} needs the log in memory.`, {
        remedy: `Its temperature is found by trying many. Use --engine memory, or ${target.name}@rank, which needs no search.`,
      })
    const file = await readFileTarget(target, policyReading(args))
    return { kind: 'file', name: target.name, file, missingUser: missingUserOf(args), note }
  }
  const popularity = POPULARITY_TARGET.exec(typed)
  if (popularity) return { kind: 'popularity', temperature: popularityTemperature(popularity[1]) }
  if (!MODEL_TARGET.test(typed)) throw noSuchTarget(typed)
  const elsewhere = ` A model that was made elsewhere can be named as ${typed.replace(/^model/, 'scores')}.`
  throw new HindcastError('bad-option', `The target ${typed} needs the log in memory.`, {
    remedy: `Use --engine memory, or add the probabilities to the log as a column.${elsewhere}`,
  })
}

/** Reads `warehouse:TABLE` or, for scores, `warehouse:TABLE@HOW`; undefined for anything else. */
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
    ...(columns && { columns }),
    ...(inLog && { inLog }),
    ...(rule !== undefined && { rule: parseScoreRule(rule, `For example: warehouse:${table}@0.5.`) }),
  }
}

const WAREHOUSE_TARGET = /^warehouse:(.+?)(?:@([^@]*))?$/
const popularityTemperature = (typed = '1'): number => parseTemperature(typed, 'For example: popularity@0.5.')

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
  if (existsSync(typed.replace(/@[^@]*$/, '')))
    return new HindcastError('bad-option', `${what} It is the name of a file or folder.`, {
      remedy: `If it holds probabilities, write table:${typed}; scores or ranks, scores:${typed}; a trained model, model:${typed}.`,
    })
  return new HindcastError('bad-option', what, {
    remedy:
      'Choose uniform, logging, popularity[@T] (by clicks, at temperature T), column:NAME (a column with the target’s probability for each row), table:FILE (item_id, probability and optionally user_id), scores:FILE[@HOW] (scores instead of probabilities) or model:DIR[@HOW] (a trained model).',
  })
}

/** The name in `column:NAME`; none in anything else. */
export const columnNamed = (choice: string): string[] =>
  choice.startsWith('column:') ? [choice.slice('column:'.length)] : []
