import { keepPolicyFiles, onPolicyFiles } from '../../kept/policy-files.svelte.js'
import { type Problem, problemOf } from '../../desk/call.js'
import type { FittedPolicy, OfferedPolicy } from '../../desk/own-policies.js'
import type { ChosenFile } from '../../desk/policy-files.js'
import { policiesAmong } from '../../desk/policies-among.js'
import { desk } from '../../desks.js'
import { asked } from './asked.svelte.js'
import { moreIn, moreText } from './more-policies.js'
import { type OwnPolicy, ownPoliciesIn, withOffered } from './own-record.js'

/** How a policy fits the log, or why it does not. */
export type Fit = FittedPolicy | { readonly problem: Problem }

/** Files that are in the page, by fingerprint. */
let present: ReadonlyMap<string, OfferedPolicy> = $state.raw(new Map())
let fits: ReadonlyMap<string, Fit> = $state.raw(new Map())
let problem: Problem | undefined = $state.raw()
let note = $state('')
let isReading = $state(false)
/** Rules that a slider has moved ahead of the link, by the ids of their policies. */
let ahead: ReadonlyMap<string, string> = $state.raw(new Map())
const list = $derived(
  ownPoliciesIn(asked.own).map((own) => ({ ...own, rule: ahead.get(own.id) ?? own.rule })),
)

/** The policies from files: those that the link lists, and which of their files are here. */
export const own = {
  get list(): readonly OwnPolicy[] {
    return list
  },
  /** What is known of the files of a policy; undefined while they are not here. */
  offered: (fingerprint: string): OfferedPolicy | undefined => present.get(fingerprint),
  /** How a policy fits the log, by its id; undefined while that is not known. */
  fitOf: (id: string): Fit | undefined => fits.get(id),
  /** Why the files that were added last are no policy. */
  get problem(): Problem | undefined {
    return problem
  },
  /** What is worth knowing about the files that were added last. */
  get note(): string {
    return note
  },
  get isReading(): boolean {
    return isReading
  },
}

/** Takes the files of policies: of some that the link lists and that were missing, or of new ones, which become targets. */
export async function addFiles(chosen: readonly ChosenFile[]): Promise<void> {
  isReading = true
  ;[problem, note] = [undefined, '']
  for (const files of policiesAmong(chosen)) await addPolicy(files)
  isReading = false
}

async function addPolicy(files: readonly ChosenFile[]): Promise<void> {
  try {
    const offered = await desk.keepPolicy(files)
    keepPolicyFiles(offered.fingerprint, files)
    take(offered)
  } catch (error) {
    problem ??= problemOf(error)
  }
}

// Policies that a session brings back.
onPolicyFiles((files) => void addPolicy(files))

function take(offered: OfferedPolicy): void {
  const { fingerprint, file } = offered
  const wasHere = present.has(fingerprint)
  present = new Map([...present, [fingerprint, offered]])
  const isListed = list.some((own) => own.fingerprint === fingerprint)
  if (isListed && !wasHere) return
  if (list.some((own) => own.file === file && !present.has(own.fingerprint)))
    note = `This ${file} is not the file that the link was made with.`
  const { list: longer, id } = withOffered(list, offered)
  asked.own = JSON.stringify(longer)
  show(`own:${id}`)
}

/** The first policy from a file is the target; further ones are compared with it. */
function show(name: string): void {
  if (!asked.target.startsWith('own:')) return void (asked.target = name)
  if (asked.with === '') asked.with = 'logging'
  asked.more = moreText([...moreIn(asked.more), { name, rule: '' }])
}

/** Says how a policy fits the log; undefined while that is not known. */
export function recordFit(id: string, fit: Fit | undefined): void {
  const others = [...fits].filter(([other]) => other !== id)
  fits = new Map(fit ? [...others, [id, fit]] : others)
}

/** Reads a policy in another way. */
export function changeOwn(id: string, change: Partial<Pick<OwnPolicy, 'form' | 'rule' | 'columns'>>): void {
  asked.own = JSON.stringify(list.map((own) => (own.id === id ? { ...own, ...change } : own)))
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Reads a policy by another rule while a slider moves; the link is written when it stops. */
export function slideOwn(id: string, rule: string): void {
  ahead = new Map([...ahead, [id, rule]])
  clearTimeout(timer)
  timer = setTimeout(() => {
    // The list has the rules of the sliders.
    asked.own = JSON.stringify(list)
    ahead = new Map()
  }, 300)
}

/** Removes a policy, wherever it is asked about. */
export function removeOwn(id: string): void {
  const name = `own:${id}`
  const gone = list.find((own) => own.id === id)
  if (gone && !list.some((own) => own !== gone && own.fingerprint === gone.fingerprint)) forget(gone)
  asked.own = list.length === 1 ? '' : JSON.stringify(list.filter((own) => own.id !== id))
  if (asked.target === name) asked.target = ''
  if (asked.with === name) asked.with = ''
  asked.more = moreText(moreIn(asked.more).filter((one) => one.name !== name))
}

function forget({ fingerprint, id }: OwnPolicy): void {
  present = new Map([...present].filter(([other]) => other !== fingerprint))
  recordFit(id, undefined)
  void desk.forgetPolicy(fingerprint)
}
