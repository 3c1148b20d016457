import { isMatched, parseAskedRule, scoreRuleText } from '$core/policy/score-rule.js'
import type { AskedRule } from '$core/policy/score-rule.js'
import type { PolicyColumnMapping } from '$core/read/policy/policy-columns.js'
import type { MissingUser } from '$core/read/policy/policy-match.js'
import type { OfferedPolicy } from '../../desk/own-policies.js'
import type { OwnPolicyChoice, PolicyForm } from '../../desk/target-choice.js'
import type { NumberRange } from '../../parts/number-range.js'

/** A policy from files as links and sessions keep it: everything but the bytes. */
export interface OwnPolicy {
  /** What the page calls it, `own:ID`: one file may be two policies, by two rules. */
  readonly id: string
  /** Of the files. */
  readonly fingerprint: string
  /** The file, the archive or the folder, as it is typed. */
  readonly file: string
  readonly form: PolicyForm
  /** How scores become probabilities, as it is typed. */
  readonly rule: string
  readonly columns: PolicyColumnMapping
}

const FORMS: readonly PolicyForm[] = ['table', 'scores', 'model']
const COLUMNS = ['user', 'item', 'probability', 'score'] as const
const MISSING_USERS: readonly MissingUser[] = ['error', 'logging', 'uniform']
/** A link that lists more is not one of ours. */
const MOST = 50

/** The policies that a link lists; what makes no sense is left out. */
export function ownPoliciesIn(text: string): readonly OwnPolicy[] {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return []
  }
  if (!Array.isArray(list)) return []
  const known = new Map(
    list
      .slice(0, MOST)
      .flatMap((one) => ownPolicyIn(one))
      .map((own) => [own.id, own]),
  )
  return [...known.values()]
}

function ownPolicyIn(given: unknown): OwnPolicy[] {
  const { id, fingerprint, file, form, rule, columns } = Object(given) as Partial<
    Record<keyof OwnPolicy, unknown>
  >
  const texts = [id, fingerprint, file, rule]
  if (!texts.every((text) => typeof text === 'string' && text !== '')) return []
  if (!/^[0-9a-f]+(-\d+)?$/.test(String(id)) || !FORMS.includes(form as PolicyForm)) return []
  const named = Object(columns) as Record<string, unknown>
  const mapping = COLUMNS.flatMap((column) =>
    typeof named[column] === 'string' && named[column] !== '' ? [[column, named[column]] as const] : [],
  )
  return [
    {
      id: String(id),
      fingerprint: String(fingerprint),
      file: String(file),
      form: form as PolicyForm,
      rule: String(rule),
      columns: Object.fromEntries(mapping),
    },
  ]
}

/** The policies with one more, from files that were just added, and its id. */
export function withOffered(
  list: readonly OwnPolicy[],
  { fingerprint, file, form, rule }: OfferedPolicy,
): { readonly list: readonly OwnPolicy[]; readonly id: string } {
  const short = fingerprint.slice(0, 8)
  const isTaken = (id: string): boolean => list.some((own) => own.id === id)
  let id = short
  for (let again = 2; isTaken(id); again++) id = `${short}-${again}`
  return { list: [...list, { id, fingerprint, file, form, rule, columns: {} }], id }
}

/** What users that a file does not have are shown; `error` where a link gives nonsense. */
export const missingUserOf = (given: string): MissingUser =>
  MISSING_USERS.find((one) => one === given) ?? 'error'

/** The rule of a policy; an error where it is none. */
const ruleOf = ({ form, rule }: Pick<OwnPolicy, 'form' | 'rule'>): AskedRule | undefined =>
  form === 'table' ? undefined : parseAskedRule(rule)

/** The policy as the desk is asked for it. */
export function choiceOf(own: OwnPolicy, missingUser: MissingUser): OwnPolicyChoice {
  const { fingerprint, file, form } = own
  const rule = ruleOf(own)
  const columns = columnsUsed(own)
  return {
    kind: 'own',
    fingerprint,
    file,
    form,
    missingUser,
    ...(rule && { rule }),
    ...(Object.keys(columns).length > 0 && { columns }),
  }
}

/** The columns that were chosen for what the file holds. */
function columnsUsed({ form, columns }: OwnPolicy): PolicyColumnMapping {
  const { probability, score, ...ids } = columns
  if (form === 'model') return {}
  const value = form === 'table' ? { probability } : { score }
  return Object.fromEntries(Object.entries({ ...ids, ...value }).filter(([, name]) => name !== undefined))
}

/** What a policy is called in lists: its rule is part of it. */
export const ownLabel = ({ file, form, rule }: OwnPolicy): string =>
  form === 'table' ? file : `${file} @ ${rule}`

/** The kinds of rules, in the order in which they are offered, each with a number to start from. */
export const RULES = {
  rank: { label: 'in proportion to 1/rank', start: NaN, hint: 'Only the order of the scores counts.' },
  softmax: {
    label: 'softmax at a temperature',
    start: 1,
    hint: 'Low: only the best item. High: all scored items equally.',
  },
  top: { label: 'the k best equally often', start: 5, hint: 'Only the order of the scores counts.' },
  greedy: {
    label: 'the best item, or with probability ε any',
    start: 0.1,
    hint: 'Only the order of the scores counts.',
  },
  ess: {
    label: 'softmax, at a given effective sample size',
    start: 0.2,
    hint: 'The temperature at which the effective sample size is this share of the rows.',
  },
  entropy: {
    label: 'softmax, at a given entropy',
    start: 0.5,
    hint: 'The temperature at which the mean entropy is this share of the largest possible.',
  },
} as const satisfies Record<AskedRule['kind'], { label: string; start: number; hint: string }>

/** What the number of a rule is called; none for a rule without one. */
export const NUMBER_NAMES: Readonly<Record<AskedRule['kind'], string>> = {
  rank: '',
  softmax: 'The same, exactly',
  top: 'k',
  greedy: 'ε',
  ess: 'Share of the rows',
  entropy: 'Share of the largest entropy',
}

/** What the number of a rule may be. */
export const NUMBER_RANGES: Readonly<Record<AskedRule['kind'], NumberRange>> = {
  rank: {},
  softmax: { above: 0 },
  top: { min: 1, isWhole: true },
  greedy: { min: 0, max: 1 },
  ess: { above: 0, below: 1 },
  entropy: { above: 0, below: 1 },
}

/** The number of a rule; NaN where it has none. */
export function numberOf(rule: AskedRule): number {
  if (isMatched(rule)) return rule.share
  switch (rule.kind) {
    case 'softmax':
      return rule.temperature
    case 'top':
      return rule.k
    case 'greedy':
      return rule.epsilon
    case 'rank':
      return NaN
  }
}

/** A rule of a kind with a number, as it is typed. */
export function ruleText(kind: AskedRule['kind'], number: number): string {
  const rule: AskedRule = {
    rank: { kind: 'rank' } as const,
    softmax: { kind: 'softmax', temperature: number } as const,
    top: { kind: 'top', k: number } as const,
    greedy: { kind: 'greedy', epsilon: number } as const,
    ess: { kind: 'ess', share: number } as const,
    entropy: { kind: 'entropy', share: number } as const,
  }[kind]
  return scoreRuleText(rule)
}
