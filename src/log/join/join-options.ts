import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { suggest } from '../../suggest.js'
import { splitMapping } from '../layout.js'

/** What several outcomes of one decision are worth together. */
export const COMBINATIONS = ['first', 'sum', 'max', 'last'] as const
export type Combination = (typeof COMBINATIONS)[number]

/** What an outcome has: the id of its decision, the item (where one id stands for a page), a time, a worth, an id of its own. */
const OUTCOME_COLUMNS = ['decision', 'item', 'time', 'reward', 'id'] as const
type OutcomeColumn = (typeof OUTCOME_COLUMNS)[number]

/** Where the columns of outcomes come from: a column of their file or, for times and rewards, a value. */
export type OutcomeMapping = Readonly<Partial<Record<OutcomeColumn, string>>>

/** How outcomes are joined to decisions. */
export interface JoinOptions {
  /** The column of the decisions with their ids (default: the first that has a name such as `impression_id`). */
  decision?: string
  /** Columns of the outcomes (default: by name; an outcome without a reward counts 1). */
  outcomeColumns?: OutcomeMapping
  /** How long after its decision an outcome still counts, in milliseconds (default: however late). */
  wait?: number
  /** What a decision without an outcome earned (default 0). */
  defaultReward?: number
  /** What several outcomes of one decision are worth (default `first`). */
  several?: Combination
  /** `loose`: ids that differ in case, in blanks at their ends, or by `.0`, are the same (default `exact`). */
  matchIds?: 'exact' | 'loose'
}

/** How the two kinds of events of one stream are told apart. */
export interface Kinds {
  /** The column, or a path into one, that says what an event is. */
  readonly column: string
  readonly decisions: readonly string[]
  readonly outcomes: readonly string[]
}

/** Where a log is: one file; decisions and their outcomes in two; or both as events of one stream. */
export type LogParts<File> =
  | { readonly decisions: File; readonly outcomes: File }
  | { readonly events: File; readonly kinds: Kinds }

/** What a log of two parts is read from: its decisions, and their outcomes, with how they are told apart in one file. */
export function partsOf<File>(parts: LogParts<File>): { decisions: File; outcomes: File; kinds?: Kinds } {
  return 'events' in parts
    ? { decisions: parts.events, outcomes: parts.events, kinds: parts.kinds }
    : { decisions: parts.decisions, outcomes: parts.outcomes }
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Reads `10m`, `30s`, `1.5h`, `7d`: milliseconds. */
export function parseWait(text: string): number {
  const [, digits = '', unit = ''] = /^\s*((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([a-z]+)\s*$/.exec(text) ?? []
  const wait = Number(digits) * (UNITS[unit] ?? NaN)
  if (digits !== '' && Number.isFinite(wait)) return wait
  throw new HindcastError('bad-option', advice`${set('wait')} does not accept ${JSON.stringify(text)}.`, {
    remedy: advice`Give a number with ms, s, m, h, d or w: ${set('wait', '10m')}.`,
  })
}

/** A wait as it is typed, in the largest unit of which it is a whole number: `10m`. */
export function typedWait(wait: number): string {
  const whole = Object.entries(UNITS).filter(([, unit]) => wait > 0 && Number.isInteger(wait / unit))
  const [name, unit] = whole.toSorted(([, a], [, b]) => b - a)[0] ?? ['ms', 1]
  return `${wait / unit}${name}`
}

/** A wait in words: `10 minutes`. */
export function waitText(wait: number): string {
  const [unit, name] = (
    [
      [86_400_000, 'day'],
      [3_600_000, 'hour'],
      [60_000, 'minute'],
      [1000, 'second'],
    ] as const
  ).find(([size]) => wait >= size) ?? [1, 'millisecond']
  const count = Number((wait / unit).toPrecision(3))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** Reads `decision=impression_id,time=clicked_at,reward=price * quantity`. */
export function parseOutcomeMapping(text: string): OutcomeMapping {
  const mapping: Partial<Record<OutcomeColumn, string>> = {}
  for (const pair of splitMapping(text)) {
    const equals = pair.indexOf('=')
    const [key, name] = [pair.slice(0, Math.max(0, equals)).trim(), pair.slice(equals + 1).trim()]
    const column = OUTCOME_COLUMNS.find((one) => one === key)
    if (!column || name === '' || mapping[column] !== undefined) {
      const meant = suggest(key, OUTCOME_COLUMNS)
      throw new HindcastError(
        'bad-option',
        advice`${set('outcomeColumns')}: ${JSON.stringify(pair)} does not name a column of outcomes once.`,
        {
          remedy: advice`${meant && meant !== key ? `Did you mean ${meant}? ` : ''}Choose from ${OUTCOME_COLUMNS.join(', ')}: ${set('outcomeColumns', 'decision=impression_id,time=clicked_at')}.`,
        },
      )
    }
    mapping[column] = name
  }
  return mapping
}

/** Reads `event:impression=decision,click=outcome`: a column, and which of its values are decisions and outcomes. */
export function parseKinds(text: string): Kinds {
  const colon = text.indexOf(':')
  const pairs = text
    .slice(colon + 1)
    .split(',')
    .map((pair) => {
      const equals = pair.lastIndexOf('=')
      return { value: pair.slice(0, Math.max(0, equals)).trim(), kind: pair.slice(equals + 1).trim() }
    })
  const valuesOf = (kind: string): string[] =>
    pairs.flatMap((pair) => (pair.kind === kind ? [pair.value] : []))
  const kinds = {
    column: text.slice(0, Math.max(0, colon)).trim(),
    decisions: valuesOf('decision'),
    outcomes: valuesOf('outcome'),
  }
  const known = kinds.decisions.length + kinds.outcomes.length === pairs.length
  const isOneEach = kinds.decisions.every((value) => !kinds.outcomes.includes(value))
  const isWhole = kinds.decisions.length > 0 && kinds.outcomes.length > 0
  if (kinds.column !== '' && known && isOneEach && isWhole && pairs.every(({ value }) => value !== ''))
    return kinds
  throw new HindcastError('bad-option', advice`${set('kinds')} does not accept ${JSON.stringify(text)}.`, {
    remedy: advice`Name the column and what its values mean: ${set('kinds', 'event:impression=decision,click=outcome')}.`,
  })
}

/** The kinds as text that `parseKinds` reads. */
export const kindsText = ({ column, decisions, outcomes }: Kinds): string =>
  `${column}:${[
    ...decisions.map((value) => `${value}=decision`),
    ...outcomes.map((value) => `${value}=outcome`),
  ].join(',')}`
