import type { Log } from '../log/log.js'
import type { AskedRule } from '../policy/score-rule.js'
import { type SavedModelPolicy, savedModelPolicy } from '../train/saved-model-policy.js'
import { partBeside } from './write-log.js'
import { readModelFolder } from './model-folder.js'

/** The log that a policy is built for. */
export interface LogOfPolicy {
  readonly log: Log
  /** Where it was read from. */
  readonly file: string
}

/** The policy of a model in a folder, or in a zip archive of one, for the users and items of a log. */
export async function readModelPolicy(
  folder: string,
  rule: AskedRule | undefined,
  { log, file }: LogOfPolicy,
): Promise<SavedModelPolicy> {
  return savedModelPolicy(await readModelFolder(folder), { log, folder, rule, part: await partBeside(file) })
}
