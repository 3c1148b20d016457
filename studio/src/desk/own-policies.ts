import { HindcastError } from '$core/error.js'
import { matchExploration } from '$core/estimate/match-exploration.js'
import { blobInput, concatenate } from '$core/log/bytes/input.js'
import type { Log } from '$core/log/log.js'
import type { SavedModel } from '$core/model/model-files.js'
import type { Policy } from '$core/policy/policy.js'
import { isMatched, noRule, scoreRuleText, softmaxAt } from '$core/policy/score-rule.js'
import { valueColumn } from '$core/read/policy/policy-columns.js'
import { policyAmongFiles } from '$core/read/policy/policy-among-files.js'
import type { PolicyFile } from '$core/read/policy/policy-file.js'
import { policyForLog, type PolicyForLog } from '$core/read/policy/policy-for-log.js'
import { mayNeedIds } from '$core/read/policy/read-policy-file.js'
import { policyTableColumns } from '$core/read/policy/read-policy-table.js'
import { scoredPolicyFile } from '$core/read/policy/scored-policy.js'
import { savedModelPolicy, TRAINED_RULE_NOTE, trainedRule } from '$core/train/saved-model-policy.js'
import { fingerprintOf } from './fingerprint.js'
import { held, namesHeld } from './held.js'
import { type ChosenFile, policyFiles, type PolicyFiles } from './policy-files.js'
import type { OwnPolicyChoice, PolicyForm } from './target-choice.js'

/** What files hold, as far as they say themselves. */
export interface OfferedPolicy {
  readonly fingerprint: string
  /** The file, the archive or the folder, as it is typed. */
  readonly file: string
  /** What they seem to hold. */
  readonly form: PolicyForm
  /** The columns of a table; none in other files. */
  readonly columns: readonly string[]
  /** The rule of a model that was trained as a policy, as typed, and why; empty where one has to be chosen. */
  readonly rule: string
  readonly why?: string
}

/** Files that are kept, with what was read of them. */
interface Kept extends PolicyFiles {
  readonly read: Map<string, Promise<PolicyFile>>
  saved?: Promise<SavedModel>
}

const kept = new Map<string, Kept>()

/** Files that are being looked at. */
const arriving = new Set<Promise<unknown>>()

/** Keeps the files of one policy, whatever log is open, and says what they seem to hold. */
export function keepPolicy(chosen: readonly ChosenFile[]): Promise<OfferedPolicy> {
  const offered = lookAt(chosen)
  arriving.add(offered)
  void offered.catch(() => {}).then(() => arriving.delete(offered))
  return offered
}

async function lookAt(chosen: readonly ChosenFile[]): Promise<OfferedPolicy> {
  const sorted = chosen.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const files: Kept = { ...(await policyFiles(sorted)), read: new Map() }
  const fingerprint = await fingerprintOf(
    usedOf(sorted, files).map(({ path, file }) => blobInput(path, file)),
  )
  const about = { fingerprint, file: files.name }
  if (files.isSaved) {
    const rule = trainedRule((await savedOf(files)).card)
    kept.set(fingerprint, files)
    const own = rule ? { rule: scoreRuleText(rule), why: TRAINED_RULE_NOTE } : { rule: '' }
    return { ...about, form: 'model', columns: [], ...own }
  }
  const columns = await columnsOf(files)
  const form = await formOf(files, columns)
  kept.set(fingerprint, files)
  return { ...about, form, columns, rule: '' }
}

/** The files that make the policy: beside those of a model there may be its checkpoints and its report. */
function usedOf(chosen: readonly ChosenFile[], { isSaved }: PolicyFiles): readonly ChosenFile[] {
  if (!isSaved || chosen.length === 1) return chosen
  return chosen.filter(({ path }) => /(^|\/)(model\.json|[^/]*\.safetensors)$/.test(path))
}

/** Forgets files that no policy needs any more. */
export function forgetPolicy(fingerprint: string): void {
  kept.delete(fingerprint)
  const known = fits.get(held().log)
  for (const key of known?.keys() ?? []) if (key.includes(`"${fingerprint}"`)) known!.delete(key)
}

/** A policy in its files, for the log that is open. */
export interface FittedPolicy {
  /** What results call it. */
  readonly name: string
  /** What is worth knowing about it, one sentence each. */
  readonly notes: readonly string[]
}

/** How a policy fits the log that is open. */
export async function fitPolicy(choice: OwnPolicyChoice): Promise<FittedPolicy> {
  const { policy, notes } = await ownPolicy(choice)
  return { name: policy.name, notes }
}

/** So many policies are kept per log, since a slider asks for many. */
const MOST_FITS = 12
const fits = new WeakMap<Log, Map<string, Promise<PolicyForLog>>>()

/** The policy of kept files for the log that is open. */
export function ownPolicy(choice: OwnPolicyChoice): Promise<PolicyForLog> {
  const { log } = held()
  const known = fits.get(log) ?? new Map<string, Promise<PolicyForLog>>()
  fits.set(log, known)
  const key = JSON.stringify([choice, choice.rule && scoreRuleText(choice.rule)])
  const fit = known.get(key) ?? fitted(choice, log)
  known.delete(key)
  known.set(key, fit)
  // What failed may work once the file is there.
  fit.catch(() => known.delete(key))
  for (const oldest of known.keys()) if (known.size > MOST_FITS) known.delete(oldest)
  return fit
}

async function fitted(choice: OwnPolicyChoice, log: Log): Promise<PolicyForLog> {
  const { form, file, rule, missingUser } = choice
  // Another desk may just have handed them over.
  if (!kept.has(choice.fingerprint)) await Promise.allSettled(arriving)
  const files = kept.get(choice.fingerprint)
  if (!files)
    throw new HindcastError('not-found', `${file} is not open in this page.`, {
      remedy: 'Add it again under “Policies from files”.',
    })
  const name = `${form}:${file}`
  if (form === 'table')
    return policyForLog(await readAs('probability', files, choice), log, { name, missingUser })
  if (!rule) throw noRule(name)
  if (rule.kind === 'softmax' && rule.temperature !== 1) {
    // Users and items are matched, and scores computed, once for all temperatures.
    const { policy, notes } = await ownPolicy({ ...choice, rule: softmaxAt(1) })
    return { policy: policy.ruled!.by(rule), notes }
  }
  if (form === 'model') {
    return savedModelPolicy(await savedOf(files), { log, folder: file, rule })
  }
  const scores = await readAs('score', files, choice)
  const base = scoredPolicyFile(scores, isMatched(rule) ? softmaxAt(1) : rule)
  const made = policyForLog(base, log, { name, missingUser })
  if (!isMatched(rule)) return made
  const { policy, note } = matchExploration(made.policy.ruled!, rule, log)
  return { policy, notes: [...made.notes, note] }
}

/** The true value of a policy needs the probabilities of everything it shows. */
export const isWhole = ({ outside, followsLogging }: Policy): boolean => !outside && !followsLogging

/** What kept files say, read once for each choice of columns. */
function readAs(
  kind: PolicyFile['kind'],
  files: Kept,
  { columns }: Pick<OwnPolicyChoice, 'columns'>,
): Promise<PolicyFile> {
  const inLog = namesHeld()
  const key = JSON.stringify([kind, columns, inLog])
  const known = files.read.get(key)
  if (known) return known
  const read = policyAmongFiles(files.together, files.main, {
    kind,
    ...(columns && { columns }),
    ...(inLog && { inLog }),
  })
  files.read.set(key, read)
  read.catch(() => files.read.delete(key))
  return read
}

function savedOf(files: Kept): Promise<SavedModel> {
  return (files.saved ??= import('$core/schemas/read-saved-model.js').then(({ readSavedModel }) => {
    const { name, together } = files
    return readSavedModel({
      name,
      pathOf: (file) => (together.names.includes(file) ? `${name}/${file}` : file),
      read: async (file) =>
        (await concatenate((await together.open(file)).stream())) as Uint8Array<ArrayBuffer>,
    })
  }))
}

/** Probabilities, unless only scores are found: whatever else is wrong with them is said when they are used. */
async function formOf(files: Kept, columns: readonly string[]): Promise<PolicyForm> {
  const codeOf = (kind: PolicyFile['kind']): Promise<string | undefined> =>
    readAs(kind, files, {}).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof HindcastError) return error.code
        throw error
      },
    )
  const asTable = await codeOf('probability')
  if (asTable !== 'missing-column' && asTable !== 'bad-file') return 'table'
  const asScores = await codeOf('score')
  // Ids may go by names that nobody knows.
  const isNamedScore =
    valueColumn(columns, 'score') !== undefined && valueColumn(columns, 'probability') === undefined
  return asScores === undefined || asScores === 'bad-rows' || isNamedScore ? 'scores' : 'table'
}

/** The names of the columns of a table, for choosing among them. */
async function columnsOf({ together, main }: PolicyFiles): Promise<readonly string[]> {
  if (main === undefined) return []
  const input = await together.open(main)
  const start = await input.slice(0, 16)
  if (mayNeedIds(start, input.byteLength) || main.endsWith('.npz')) return []
  // What is wrong with the file is said when it is read.
  return policyTableColumns(input).catch(() => [])
}
