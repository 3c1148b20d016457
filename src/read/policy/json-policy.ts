import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { madeIn } from '../made.js'
import { isKnownName } from '../synonyms.js'
import { isPolicyValue, POLICY_VALUE, type PolicyFile } from './policy-file.js'

/** What one object of JSON says about a policy: items with their values for all users, or for each; or lists, the best item first. */
type JsonPolicy = Readonly<
  Record<string, Readonly<Record<string, number>> | readonly (string | number)[] | number>
>

/**
 * The policy in one JSON object, `{"ana": {"tea": 0.7, "milk": 0.3}}`, or `{"tea": 0.7, "milk": 0.3}` for all users alike.
 * As scores, `{"ana": ["tea", "milk"]}` too: the best item stands first. With what it was made from: `{"made": …, "policy": …}`.
 * Undefined where the text is anything else.
 */
export function jsonPolicy(
  name: string,
  text: string,
  kind: PolicyFile['kind'],
  most?: number,
): PolicyFile | undefined {
  const parsed = parse(text)
  const isStamped = hasStamp(parsed)
  const rows = rowsOf(isStamped ? parsed.policy : parsed)
  if (!rows) return undefined
  if (kind === 'probability' && rows.some(({ isRanked }) => isRanked))
    throw new HindcastError('bad-file', `${name} lists items without their probabilities.`, {
      remedy: advice`If the best item stands first, say how often each place is shown: ${set('target', `scores:${name}@top=3`)} shows the first three equally often, ${set('target', `scores:${name}@rank`)} each in proportion to 1/rank.`,
    })
  const itemIds: string[] = []
  const places = new Map<string, number>()
  const placeOf = (item: string): number => {
    if (!places.has(item)) places.set(item, itemIds.push(item) - 1)
    return places.get(item)!
  }
  const read = rows.map(({ user, entries }) => {
    for (const [item, value] of entries)
      if (!isPolicyValue(value, kind, most))
        throw new HindcastError(
          'bad-rows',
          `${name}: the ${kind} of ${user === undefined ? '' : `user ${user}, `}item ${item} is ${value}; it must be ${POLICY_VALUE[kind]}.`,
          { remedy: 'Correct it, or leave it out.' },
        )
    const items = Uint32Array.from(entries, ([item]) => placeOf(item))
    if (new Set(items).size < items.length)
      throw new HindcastError('bad-rows', `${name}: an item is listed twice for user ${user}.`, {
        remedy: 'List each item once.',
      })
    return { items, values: Float64Array.from(entries, ([, value]) => value) }
  })
  return {
    name,
    kind,
    userIds: rows[0]!.user === undefined ? undefined : rows.map(({ user }) => user!),
    itemIds,
    items: (row) => read[row]!.items,
    values: (row) => read[row]!.values,
    ...(isStamped && { made: madeIn(parsed, name) }),
  }
}

interface Row {
  /** Absent if all users have the same. */
  readonly user?: string
  readonly entries: readonly (readonly [item: string, value: number])[]
  readonly isRanked?: boolean
}

function rowsOf(given: unknown): readonly Row[] | undefined {
  const parsed = policyIn(given)
  const values = Object.values(parsed ?? {})
  // A line of NDJSON may be the only one: its keys are names of columns.
  if (!parsed || values.length === 0 || Object.keys(parsed).some(isKnownName)) return undefined
  if (values.every((value) => typeof value === 'number'))
    return [{ entries: Object.entries(parsed as Record<string, number>) }]
  const rows = Object.entries(parsed).map(([user, value]): Row | undefined => {
    if (Array.isArray(value)) {
      const items = value as readonly unknown[]
      if (!items.every((item) => typeof item === 'string' || Number.isSafeInteger(item))) return undefined
      return { user, entries: items.map((item, k) => [String(item), -k - 1]), isRanked: true }
    }
    const entries = Object.entries(value as Record<string, number>)
    return entries.every(([, one]) => typeof one === 'number') ? { user, entries } : undefined
  })
  return rows.every((row) => row !== undefined) ? rows : undefined
}

/** One object whose values are all numbers, or all lists, or all objects; undefined for other texts, such as lines of JSON. */
function policyIn(parsed: unknown): JsonPolicy | undefined {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  const kinds = new Set(Object.values(parsed).map((value) => (Array.isArray(value) ? 'list' : typeof value)))
  const isPolicy = kinds.size === 1 && !Object.values(parsed).includes(null) && !kinds.has('string')
  return isPolicy ? (parsed as JsonPolicy) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether an object is a policy with the stamp of the rows it was made from; a user or an item may be called `made`. */
function hasStamp(parsed: unknown): parsed is { readonly made: unknown; readonly policy: unknown } {
  if (typeof parsed !== 'object' || parsed === null || !('made' in parsed) || !('policy' in parsed))
    return false
  const { made } = parsed
  return typeof made === 'object' && made !== null && 'from' in made && typeof made.from === 'string'
}
