import { type Advice, advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { listed } from '../../listed.js'
import { nameText } from '../../log/values/value.js'
import { suggest } from '../../suggest.js'
import { isKnownName, synonymRank } from '../synonyms.js'
import type { Column } from '../../log/columns.js'
import { canonical } from '../../log/formats/canonical.js'
import { formatNamed } from '../../log/formats/index.js'
import { namesBehind } from '../../log/values/origin.js'
import type { ReadOptions } from '../plan.js'

/** The columns of a table that holds a policy. */
type PolicyColumn = 'user' | 'item' | 'probability' | 'score'

const POLICY_COLUMNS: readonly PolicyColumn[] = ['user', 'item', 'probability', 'score']

/** Columns of the file for columns of the policy: `{ user: 'uid', probability: 'p' }`. */
export type PolicyColumnMapping = Readonly<Partial<Record<PolicyColumn, string>>>

/** What a canonical table calls them. */
const CANONICAL: Readonly<Record<PolicyColumn, string>> = {
  user: 'user_id',
  item: 'item_id',
  probability: 'probability',
  score: 'score',
}

/** Other names for scores, likeliest first: lower case, letters and digits only. */
const SCORE_NAMES =
  'score scores logit logits prediction predictions predicted predictedscore pred yhat relevance utility value rating s'.split(
    ' ',
  )

/** Reads `user=uid,item=sku,probability=p`. */
export function parsePolicyColumns(text: string): PolicyColumnMapping {
  const mapping: Partial<Record<PolicyColumn, string>> = {}
  for (const pair of text.split(',')) {
    const equals = pair.indexOf('=')
    const key = pair.slice(0, equals).trim()
    const name = pair.slice(equals + 1).trim()
    const column = POLICY_COLUMNS.find((one) => one === key || CANONICAL[one] === key)
    if (equals < 1 || name === '' || !column || mapping[column] !== undefined)
      throw new HindcastError(
        'bad-option',
        advice`${set('policyColumns')}: ${JSON.stringify(pair)} does not name one more of the columns ${listed(POLICY_COLUMNS)}.`,
        { remedy: advice`Write, for example, ${set('policyColumns', 'user=uid,item=sku,probability=p')}.` },
      )
    mapping[column] = name
  }
  return mapping
}

/** The columns of the file behind those of a policy. */
export interface FoundColumns {
  /** Absent if all users have the same. */
  readonly user?: string
  readonly item: string
  readonly value: string
}

/** The columns of a table that has a row per user and a column per item. */
export interface WideColumns {
  readonly user: string
  readonly items: readonly string[]
}

/** What tools call a column of row names that has no name of its own. */
const UNNAMED = ['', 'index', 'Unnamed: 0', '__index_level_0__']

/**
 * The columns of a table that has a column per item: a column of users, then at least two whose names mean nothing else.
 * Undefined for any other table.
 */
export function findWideColumns(
  names: readonly string[],
  mapping: PolicyColumnMapping = {},
  inLog?: NamesInLog,
): WideColumns | undefined {
  const { user: asked, ...others } = mapping
  const user = asked ?? bestName(names, 'user', inLog) ?? names.find((name) => UNNAMED.includes(name))
  if (Object.keys(others).length > 0 || user === undefined || !names.includes(user)) return undefined
  const items = names.filter((name) => name !== user && !UNNAMED.includes(name))
  // A single letter may well be an item; a word that columns go by is rather one of them, and another is missing.
  const isColumn = (name: string): boolean =>
    isInLog(name, inLog) ||
    (name.length > 1 &&
      (isKnownName(name) || POLICY_COLUMNS.some((column) => rankOf(column, name) !== undefined)))
  return items.length < 2 || items.some(isColumn) ? undefined : { user, items }
}

/**
 * Finds the columns of a policy among those of a file: as the user named them, else as the log calls its own, else by the
 * names that the columns of logs go by.
 */
export function findPolicyColumns(
  file: string,
  names: readonly string[],
  kind: 'probability' | 'score',
  mapping: PolicyColumnMapping = {},
  inLog?: NamesInLog,
): FoundColumns {
  const found = (column: PolicyColumn): string | undefined => {
    const asked = mapping[column]
    if (asked === undefined) return bestName(names, column, inLog)
    if (names.includes(asked)) return asked
    const meant = suggest(asked, names)
    throw new HindcastError(
      'missing-column',
      `${file} has no column ${JSON.stringify(asked)} for ${column}.`,
      {
        remedy: `${meant ? `Did you mean ${column}=${meant}? ` : ''}Its columns: ${someOf(names)}.`,
      },
    )
  }
  const [user, item] = [found('user'), found('item')]
  const value = found(kind) ?? (kind === 'score' ? byRank(names) : undefined)
  if (item === undefined || value === undefined) throw missing(file, names, kind, item === undefined)
  const used = [user, item, value].filter((name) => name !== undefined)
  const repeated = used.find((name, k) => used.indexOf(name) !== k || isTwice(names, name))
  if (repeated !== undefined)
    throw new HindcastError(
      'bad-file',
      `${file}: the column ${JSON.stringify(repeated)} is used for two things.`,
      {
        remedy: advice`Give every column a unique name, and say which is which with ${set('policyColumns', `user=NAME,item=NAME,${kind}=NAME`)}.`,
      },
    )
  return { ...(user !== undefined && { user }), item, value }
}

/** What places in a list are called, the best first. */
const RANKS = /^(rank|ranking|rnk|place|position|pos)$/i

const rankColumn = (names: readonly string[]): string | undefined => names.find((name) => RANKS.test(name))

/** Scores by the rank of an item: the first is the best. */
function byRank(names: readonly string[]): string | undefined {
  const rank = rankColumn(names)
  return rank && `-${nameText(rank)}`
}

/** The column with the values, as the user named it or by its name. */
export const valueColumn = (
  names: readonly string[],
  kind: 'probability' | 'score',
  mapping: PolicyColumnMapping = {},
  inLog?: NamesInLog,
): string | undefined => mapping[kind] ?? bestName(names, kind, inLog)

const isTwice = (names: readonly string[], name: string): boolean =>
  names.indexOf(name) !== names.lastIndexOf(name)

function bestName(names: readonly string[], column: PolicyColumn, inLog?: NamesInLog): string | undefined {
  const own = column === 'score' ? undefined : inLog?.[column].find((name) => names.includes(name))
  // Ids are those of the log, whatever else is called like them; its propensities are not those of a policy.
  if (own !== undefined && column !== 'probability') return own
  if (names.includes(CANONICAL[column])) return CANONICAL[column]
  const ranked = names.flatMap((name) => {
    const rank = rankOf(column, name) ?? later(later(rankOf(column, name.split('.').at(-1)!)))
    return rank === undefined ? [] : [{ name, rank }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank)[0]?.name ?? own
}

/** Whether the log has a column of this name. */
const isInLog = (name: string, inLog?: NamesInLog): boolean =>
  inLog !== undefined && Object.values(inLog).some((names) => names.includes(name))

/** The place of a name among those that a column goes by; a list of them may be called by the plural. */
function rankOf(column: PolicyColumn, name: string): number | undefined {
  const plural = /^(.+[^s])s$/i.exec(name.replace(/ies$/i, 'ys'))?.[1]
  return rankOfOne(column, name) ?? (plural === undefined ? undefined : later(rankOfOne(column, plural)))
}

function rankOfOne(column: PolicyColumn, name: string): number | undefined {
  if (column === 'user' || column === 'item') return synonymRank(column, name, 'text')
  if (column === 'score') {
    const rank = SCORE_NAMES.indexOf(name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
    return rank < 0 ? undefined : rank
  }
  // A policy's own probability goes by the names of a target's before those of propensities.
  return (
    synonymRank('target', name, 'probabilities') ?? later(synonymRank('propensity', name, 'probabilities'))
  )
}

const later = (rank: number | undefined): number | undefined => (rank === undefined ? undefined : 1000 + rank)

/** Names for a message: a table may have thousands. */
const someOf = (names: readonly string[]): string =>
  names.length > 12 ? `${names.slice(0, 10).join(', ')}, … (${names.length} in all)` : names.join(', ')

function missing(
  file: string,
  names: readonly string[],
  kind: 'probability' | 'score',
  isItem: boolean,
): HindcastError {
  const column = isItem ? 'item' : kind
  const other = kind === 'probability' ? 'score' : 'probability'
  // A decimal is no name of a column.
  const headerless: Advice = names.some((name) => /^-?\d+[.,]\d+$/.test(name))
    ? advice`Its first line seems to be a row: write the names of its columns above it, such as user_id,item_id,${kind}. `
    : []
  const has = isItem ? undefined : bestName(names, other)
  const instead: Advice =
    has === undefined
      ? []
      : kind === 'probability'
        ? advice` Its column ${has} seems to hold scores: say how items are shown by them, with ${set('target', `scores:${file}@best`)} or another rule.`
        : advice` Its column ${has} seems to hold probabilities: for those, use ${set('target', `table:${file}`)}.`
  if (!isItem && kind === 'probability' && instead.length === 0)
    return new HindcastError('missing-column', `${file} has no column ${CANONICAL[column]}.`, {
      remedy: advice`${withoutValues(file, names)} If another column holds it, use ${set('policyColumns', 'probability=NAME')}. Its columns: ${someOf(names)}.`,
    })
  return new HindcastError('missing-column', `${file} has no column ${CANONICAL[column]}.`, {
    remedy: advice`${headerless}Name it with ${set('policyColumns', `${column}=NAME`)}. Its columns: ${someOf(names)}.${instead} A table has one row per user and item, or one row per user with a list of items and a list of ${kind === 'score' ? 'scores' : 'probabilities'}, or one column per item.`,
  })
}

/** What to do about items alone: how often each is shown has to be said. */
function withoutValues(file: string, names: readonly string[]): Advice {
  if (rankColumn(names) !== undefined)
    return advice`Its items are ranked: say how often each rank is shown. ${set('target', `scores:${file}@top=3`)} shows the first three equally often, ${set('target', `scores:${file}@rank`)} each in proportion to 1/rank.`
  return advice`It names items, but not how likely each is. For a policy that always shows the one item of each user, add a column probability of 1. For a list, write one row per user and item with a column rank, and use ${set('target', `scores:${file}@top=3`)}.`
}

/** What the file of a log calls its columns: a policy for that log may call its own alike. */
export type NamesInLog = Readonly<Record<'user' | 'item' | 'probability', readonly string[]>>

/** The names by which a log is read; for probabilities those of a target policy come first. */
export function namesInLog({ format, columns }: Pick<ReadOptions, 'format' | 'columns'>): NamesInLog {
  const sources = { ...formatNamed(format ?? canonical.name).columns, ...columns }
  const namesOf = (column: Column): string[] => {
    const source = sources[column] ?? []
    if (typeof source === 'string') return [source, ...nameWithin(source, column)]
    return 'anyOf' in source ? [...source.anyOf] : []
  }
  return {
    user: namesOf('user'),
    item: namesOf('item'),
    probability: [...namesOf('target'), ...namesOf('propensity')],
  }
}

/** The one column behind a value such as `comma(p)` or `p / 100`; none behind a name that is no value. */
function nameWithin(text: string, column: Column): string[] {
  try {
    const names = namesBehind({ [column]: [text] }, [])
    return names.length === 1 ? names : []
  } catch {
    return []
  }
}
