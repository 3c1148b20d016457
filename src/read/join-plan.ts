import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import type { RowFilter } from '../log/bytes/shaped-rows.js'
import type { Kinds, JoinOptions } from '../log/join/join-options.js'
import { askedOrigin, type ColumnMapping, findColumn, listNames, noSuchName } from '../log/layout.js'
import { mappableNames, pageOrigins } from '../log/shape.js'
import { suggest } from '../suggest.js'
import { formatOf, namesAsked, planColumns, type Planner, type ReadOptions } from './plan.js'
import { bareName, commonlyNamed, synonymRank } from './synonyms.js'

/** Names of the id of a decision, likeliest first: lower case, letters and digits only. */
const DECISION_IDS =
  'impressionid decisionid eventid requestid impid impressionkey recommendationid recid exposureid servedid trackingid rankingid slateid pageviewid queryid searchid'.split(
    ' ',
  )
/** Names of an outcome's own id, by which copies are told. */
const OUTCOME_IDS = 'outcomeid clickid conversionid eventid'.split(' ')

/** The columns by which decisions and outcomes are joined. */
export interface JoinColumns {
  readonly decision: string
  readonly outcome: string
}

/** What reading `columns.reward` as this word means: that rewards come from the outcomes. */
const FROM_OUTCOMES = 'outcomes'

/** Where a name is among others, by its letters alone or by those behind its last period; undefined if nowhere. */
function rankIn(ids: readonly string[], name: string): number | undefined {
  const [whole, last] = [ids.indexOf(bareName(name)), ids.indexOf(bareName(name.split('.').at(-1)!))]
  if (whole >= 0) return whole
  return last >= 0 ? last + 0.5 : undefined
}

function best(ids: readonly string[], names: readonly string[]): string | undefined {
  const ranked = names.flatMap((name) => {
    const rank = rankIn(ids, name)
    return rank === undefined ? [] : [{ name, rank }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank)[0]?.name
}

/**
 * The columns of ids: as named, else a column that both files have and whose name is one for ids of decisions, else such
 * a column in each.
 */
export function joinColumns(
  decisions: { readonly file: string; readonly names: readonly string[] },
  outcomes: { readonly file: string; readonly names: readonly string[] },
  { decision: asked, outcomeColumns }: JoinOptions,
): JoinColumns {
  const { decision: askedOfOutcomes } = outcomeColumns ?? {}
  const shared = decisions.names.filter((name) => outcomes.names.includes(name))
  // Where one side is named, the other may well have the same name.
  const namedAs = (name: string | undefined, names: readonly string[]): string | undefined =>
    name !== undefined && names.includes(name) ? name : undefined
  const decision =
    asked ??
    namedAs(askedOfOutcomes, decisions.names) ??
    best(DECISION_IDS, shared) ??
    best(DECISION_IDS, decisions.names)
  const outcome = askedOfOutcomes ?? namedAs(decision, outcomes.names) ?? best(DECISION_IDS, outcomes.names)
  for (const [column, { file, names }, setting] of [
    [decision, decisions, 'columns'],
    [outcome, outcomes, 'outcomeColumns'],
  ] as const)
    if (column === undefined || !names.includes(column)) throw noId(file, names, column, setting)
  return { decision: decision!, outcome: outcome! }
}

function noId(
  file: string,
  names: readonly string[],
  asked: string | undefined,
  setting: 'columns' | 'outcomeColumns',
): HindcastError {
  const meant = asked === undefined ? undefined : suggest(asked, names)
  return new HindcastError(
    'missing-column',
    asked === undefined
      ? `${file} has no column that seems to hold the ids of decisions, such as impression_id.`
      : `${file} has no column ${JSON.stringify(asked)} for the ids of decisions.`,
    {
      remedy: advice`Name it with ${set(setting, `decision=${meant ?? 'NAME'}`)}. Its columns: ${listNames(names)}.`,
    },
  )
}

/** Finds the columns of decisions: those of a log, except for rewards, and the ids that outcomes name. */
export function decisionPlan({ decision }: JoinColumns, kinds: Kinds | undefined): Planner {
  return (file, offered, { columns, ...options }) => {
    const names = mappableNames(offered, [
      ...namesAsked({ ...options, ...(columns && { columns }) }),
      decision,
    ])
    if (!kinds) refuseOwnReward(file, names, columns, options)
    const { reward: _, ...others } = columns ?? {}
    const origins = planColumns(file, names, { ...options, columns: others }, { ignoreReward: true })
    const withItem = options.join?.outcomeColumns?.item !== undefined
    return pageOrigins(
      file,
      { ...origins, 'key:decision': [decision], ...(withItem && { 'key:item': origins.item! }) },
      offered,
    )
  }
}

/** Decisions that have rewards of their own: nobody but the user knows which to use. */
function refuseOwnReward(
  file: string,
  names: readonly string[],
  columns: ColumnMapping | undefined,
  options: ReadOptions,
): void {
  if (columns?.reward === FROM_OUTCOMES && !names.includes(FROM_OUTCOMES)) return
  const own =
    columns?.reward ??
    findColumn(names, formatOf(options).columns.reward)?.[0] ??
    commonlyNamed('reward', names)
  if (own === undefined) return
  throw new HindcastError(
    'bad-option',
    `${file} has rewards of its own (${own}), and outcomes are to be joined: which of them counts?`,
    {
      remedy: advice`To take rewards from the outcomes alone, use ${set('columns', `reward=${FROM_OUTCOMES}`)}. To use the column, leave out ${set('outcomes')}.`,
    },
  )
}

/** Finds the columns of outcomes: the id of the decision, and where there are any a time, a reward and an id of its own. */
export function outcomePlan(
  { outcome }: JoinColumns,
  decisions: ColumnOrigins,
  kinds: Kinds | undefined,
): Planner {
  return (file, offered, { columns, join }) => {
    const mapping = join?.outcomeColumns ?? {}
    const asked = Object.values(mapping)
    const names = mappableNames(offered, [...asked, outcome, ...(columns?.reward ? [columns.reward] : [])])
    for (const key of ['item', 'id'] as const)
      if (mapping[key] !== undefined && !names.includes(mapping[key]))
        throw noSuchName(file, names, mapping[key], { purpose: `for ${key}`, typed: `${key}=` })
    const own =
      mapping.id ??
      best(
        OUTCOME_IDS,
        names.filter((name) => name !== outcome),
      )
    const time = mapping.time ?? (kinds && decisions.time?.[0]) ?? bestTime(names)
    const reward =
      mapping.reward ?? (kinds && columns?.reward) ?? (names.includes('reward') ? 'reward' : undefined)
    return {
      'key:decision': [outcome],
      ...(mapping.item !== undefined && { 'key:item': [mapping.item] }),
      ...(own !== undefined && { 'key:outcome': [own] }),
      ...(time !== undefined && { time: [askedOrigin(file, names, 'time', time)] }),
      // Each event counts 1 where none says what it is worth.
      reward: [
        reward === undefined ? '1' : isNumber(reward) ? reward : askedOrigin(file, names, 'reward', reward),
      ],
    }
  }
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

const bestTime = (names: readonly string[]): string | undefined =>
  names
    .flatMap((name) => {
      const rank =
        synonymRank('time', name, 'times') ?? synonymRank('time', name.replace(/^.*\./, ''), 'times')
      const isOwn = /(click|order|conver|purchas|outcome).*(at|time|ts|timestamp)$/i.test(name)
      return rank !== undefined || isOwn ? [{ name, rank: rank ?? 999 }] : []
    })
    .toSorted((a, b) => a.rank - b.rank)[0]?.name

/** Which events of a stream are decisions, and which outcomes. */
export function filterOf(
  kinds: Kinds,
  part: 'decisions' | 'outcomes',
  file: string,
  names: readonly string[],
): RowFilter {
  if (!names.includes(kinds.column))
    throw noSuchName(file, names, kinds.column, { purpose: 'that tells decisions from outcomes' })
  return { column: kinds.column, values: kinds[part], passesBroken: part === 'decisions' }
}
