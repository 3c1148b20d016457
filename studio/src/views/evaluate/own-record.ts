import { type AskedRule, parseAskedRule, SCORE_RULES } from '$core/policy/score-rule.js'
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
  /** How scores become probabilities, as it is typed; empty until it is chosen. */
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
  const texts = [id, fingerprint, file]
  if (!texts.every((text) => typeof text === 'string' && text !== '') || typeof rule !== 'string') return []
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
      rule,
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

/** The rule of a policy; an error where it is none, also for scores of which nobody has said how they are shown. */
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
  form === 'table' || rule === '' ? file : `${file} @ ${rule}`

/** What a rule is called where it is chosen, and what is to be known about it. */
export const RULE_LABELS: Readonly<
  Record<AskedRule['kind'], { readonly label: string; readonly hint: string }>
> = {
  best: {
    label: 'the best item',
    hint: 'Always the best item; on pages a sorted list, each slot the best item not yet shown. Ties share.',
  },
  top: { label: 'one of the k best, equally often', hint: 'Only the order of the scores counts.' },
  epsilon: {
    label: 'the best item, or with probability ε any',
    hint: 'Only the order of the scores counts.',
  },
  softmax: {
    label: 'softmax at a temperature',
    hint: 'Low: only the best item. High: all scored items equally. It depends on the scale of the scores.',
  },
  rank: { label: 'in proportion to 1/rank', hint: 'Only the order of the scores counts.' },
  ess: {
    label: 'softmax, at a given effective sample size',
    hint: 'The temperature at which the effective sample size is this share of the rows.',
  },
  entropy: {
    label: 'softmax, at a given entropy',
    hint: 'The temperature at which the mean entropy is this share of the largest possible.',
  },
}

/** What the number of a rule is called; none for a rule without one. */
export const NUMBER_NAMES: Readonly<Record<AskedRule['kind'], string>> = {
  best: '',
  rank: '',
  softmax: 'The same, exactly',
  top: 'k',
  epsilon: 'ε',
  ess: 'Share of the rows',
  entropy: 'Share of the largest entropy',
}

/** What the number of a rule may be. */
export const NUMBER_RANGES: Readonly<Record<AskedRule['kind'], NumberRange>> = {
  best: {},
  rank: {},
  softmax: { above: 0 },
  top: { min: 1, isWhole: true },
  epsilon: { above: 0, max: 1 },
  ess: { above: 0, below: 1 },
  entropy: { above: 0, below: 1 },
}

/** A rule of a kind as it is typed, with a number; by default one to start from. */
export function ruleText(
  kind: AskedRule['kind'],
  number: number | undefined = SCORE_RULES[kind].number?.example,
): string {
  return number === undefined ? kind : `${kind}=${number}`
}

/** The temperature of a softmax as it is typed; undefined where it is no rule, or another. */
export function temperatureTyped(typed: string): number | undefined {
  try {
    const rule = parseAskedRule(typed)
    return rule.kind === 'softmax' && rule.temperature < Infinity ? rule.temperature : undefined
  } catch {
    return undefined
  }
}
