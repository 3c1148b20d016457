import { type Column, COLUMNS } from '$core/log/columns.js'
import { COMBINATIONS, type JoinOptions, type Kinds } from '$core/log/join/join-options.js'
import type { Reading } from '../desk/log-source.js'

/** How the rows of a file become a log, as links and sessions keep it: mapping, mends, and how outcomes are joined. */
export interface KeptReading {
  readonly reading: Reading
  /** How impressions and outcomes are told apart, where both are rows of the file. */
  readonly kinds?: Kinds
}

export const readingText = ({ reading, kinds }: KeptReading): string =>
  JSON.stringify({ ...reading, ...(kinds && { kinds }) })

/** The reading that a text holds; undefined where it holds none. Anybody may have written it: what has no place is left out. */
export function readingIn(text: string): KeptReading | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(json)) return undefined
  const { format, header, propensity, clickFrom, skipBadRows, mended, join, kinds, columns } = json
  const outcomes = kindsIn(kinds)
  return {
    reading: {
      ...(isText(format) && { format }),
      ...(isRecord(columns) && { columns: textsIn(columns, COLUMNS) as Partial<Record<Column, string>> }),
      ...((header === 'first' || header === 'none' || isTexts(header)) && { header }),
      ...(isText(propensity) && { propensity }),
      ...(isNumber(clickFrom) && { clickFrom }),
      ...(skipBadRows === true && { skipBadRows }),
      ...(mended === true && { mended }),
      ...(isRecord(join) && { join: joinIn(join) }),
    },
    ...(outcomes && { kinds: outcomes }),
  }
}

function joinIn({
  decision,
  outcomeColumns,
  wait,
  defaultReward,
  several,
  matchIds,
}: Record<string, unknown>): JoinOptions {
  const combination = COMBINATIONS.find((one) => one === several)
  return {
    ...(isText(decision) && { decision }),
    ...(isRecord(outcomeColumns) && {
      outcomeColumns: textsIn(outcomeColumns, ['decision', 'item', 'time', 'reward', 'id']),
    }),
    ...(isNumber(wait) && wait >= 0 && { wait }),
    ...(isNumber(defaultReward) && { defaultReward }),
    ...(combination && { several: combination }),
    ...(matchIds === 'loose' && { matchIds }),
  }
}

function kindsIn(given: unknown): Kinds | undefined {
  if (!isRecord(given)) return undefined
  const { column, decisions, outcomes } = given
  return isText(column) && isTexts(decisions) && isTexts(outcomes)
    ? { column, decisions, outcomes }
    : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const textsIn = (given: Record<string, unknown>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      return isText(value) ? [[name, value]] : []
    }),
  )
