import { type Column, COLUMNS, isOptionalColumn, REQUIRED_COLUMNS } from '$core/log/columns.js'
import { formatNamed } from '$core/log/formats/index.js'
import { findColumn } from '$core/log/layout.js'
import { parseValue } from '$core/log/values/origin.js'
import { namesIn } from '$core/log/values/value.js'
import type { OfferedMend } from '$core/doctor/finding.js'
import type { Preview } from '$core/read/preview.js'
import { bestNamed } from '$core/read/synonyms.js'
import type { Reading } from '../../desk/log-source.js'
import type { KeptReading } from '../../kept/kept-reading.js'
import { joiningFrom, joinOf, type Joining, suggestedJoining, unfinishedJoining } from './joining.js'
import { offeredPropensities, typedPropensity } from './offered-propensities.js'

/** What a person has chosen so far about how to read a file. */
export interface Choice {
  format: string
  /** The column of the file behind each column of the log; '' where there is none. */
  columns: Record<Column, string>
  /** `column`, or what stands in its place, as the command line takes it; '' where nothing is chosen yet. */
  propensity: string
  /** P of `constant:P`. */
  constant: number
  /** Rewards of at least this much count as clicks; null leaves them as they are, undefined where ratings are still to be judged. */
  clickFrom: number | null | undefined
  /** Whether the doctor mends what it can before the file is read. */
  mended: boolean
  /** How outcomes are joined, if they are events of their own; null where the reward is a column. */
  joining: Joining | null
}

/** How several columns of a file that a format joins are shown. */
export const joined = (names: readonly string[]): string => names.join(' + ')

/** The columns of the file that a choice reads: itself, those that a format joins, or those that a value is computed from. */
export function namesBehind(chosen: string, { columns }: Pick<Preview, 'columns'>): readonly string[] {
  const known = new Set(columns.map(({ name }) => name))
  if (chosen === '' || known.has(chosen)) return [chosen]
  const parts = chosen.split(' + ')
  if (parts.every((name) => known.has(name))) return parts
  try {
    return namesIn(parseValue(chosen, 'column'))
  } catch {
    // Somebody is still typing; the doctor says what is wrong.
    return []
  }
}

/** The choice that a preview suggests. Propensities that are not in the file are left to the person. */
export function suggestedChoice(preview: Preview): Choice {
  const format = formatNamed(preview.format.name)
  const columns = Object.fromEntries(COLUMNS.map((column) => [column, ''])) as Record<Column, string>
  for (const { column, names } of preview.guesses) columns[column] = joined(names)
  if (preview.events) for (const column of COLUMNS) columns[column] = preview.events.columns[column] ?? ''
  return {
    format: format.name,
    columns,
    joining: preview.events ? suggestedJoining(preview, null) : null,
    mended: false,
    propensity: columns.propensity !== '' ? 'column' : format.withoutPropensity ? 'none' : '',
    constant: 0.01,
    clickFrom: format.clickFrom ?? (holdsRatings(preview, columns.reward) ? undefined : null),
  }
}

/**
 * The choice that a link or a session keeps, for a file that was looked at in its format: the other way round of `readingOf`.
 * `outcomes` is the name of the second file that it asks for, if there is one.
 */
export function choiceFrom(kept: KeptReading, preview: Preview, outcomes = ''): Choice {
  const { columns: mapped = {}, propensity, clickFrom, mended = false, join } = kept.reading
  const format = formatNamed(preview.format.name)
  const names = preview.columns.map(({ name }) => name)
  const columns = Object.fromEntries(
    COLUMNS.map((column) => [
      column,
      mapped[column] ?? joined(findColumn(names, format.columns[column]) ?? []),
    ]),
  ) as Record<Column, string>
  const [kind = '', probability] = propensity?.split(':') ?? []
  const isOffered = offeredPropensities().some(({ name }) => name === kind)
  return {
    format: format.name,
    columns,
    joining: join ? joiningFrom(join, kept.kinds, outcomes) : null,
    mended,
    propensity: isOffered ? kind : columns.propensity === '' ? '' : 'column',
    constant: probability === undefined ? 0.01 : Number(probability),
    clickFrom: clickFrom ?? format.clickFrom ?? null,
  }
}

/** Whether a column of the file holds what looks like stars, whole or half: not clicks, or not yet. */
export function holdsRatings({ columns }: Pick<Preview, 'columns'>, reward: string): boolean {
  const { content, samples = [] } = columns.find(({ name }) => name === reward) ?? {}
  const isStar = (text: string): boolean =>
    Number.isInteger(2 * Number(text)) && Number(text) >= 0 && Number(text) <= 10
  return (content === 'whole-numbers' || content === 'numbers') && samples.every(isStar)
}

/** Takes what mends a finding. */
export function takeMend(choice: Choice, mend: OfferedMend): void {
  if (mend.kind === 'clicks') choice.clickFrom = mend.from
  else if (!('columns' in mend)) choice.mended = true
  else {
    Object.assign(choice.columns, mend.columns)
    if (mend.columns.propensity !== undefined) choice.propensity = 'column'
    // What is computed is no rating any more.
    if (mend.columns.reward !== undefined) choice.clickFrom = null
  }
}

/** The columns that the file must have: rewards may be events. */
export const requiredOf = (joining: Joining | null): readonly Column[] =>
  joining ? REQUIRED_COLUMNS.filter((column) => column !== 'reward') : REQUIRED_COLUMNS

/** What is still to be chosen before the file can be read at all, propensities or not; one sentence each. */
export const unreadable = ({ columns, joining }: Choice): string[] => [
  ...requiredOf(joining)
    .filter((column) => columns[column] === '')
    .map((column) => `Choose the column that holds the ${column}.`),
  ...(joining ? unfinishedJoining(joining) : []),
]

/** What is still to be chosen before the file can be opened, one sentence each. */
export const unfinished = (choice: Choice): string[] => [
  ...unreadable(choice),
  ...(choice.clickFrom === undefined && !choice.joining
    ? ['Choose what counts as a click: the rewards look like ratings.']
    : []),
  ...(choice.propensity === '' ? ['Choose the propensities to use.'] : []),
  ...(choice.propensity === 'column' && choice.columns.propensity === ''
    ? ['Choose the column that holds the propensities.']
    : []),
]

/** The choice as it is read, and typed on the command line: only what the format does not find by itself. */
export function readingOf(
  choice: Choice,
  { columns, options }: Pick<Preview, 'columns' | 'options'>,
): Reading {
  const format = formatNamed(choice.format)
  const names = columns.map(({ name }) => name)
  const own = (column: Column): string => joined(findColumn(names, format.columns[column]) ?? [])
  // Times are read by other names too, unless somebody says that there are none.
  const times = columns.filter(({ content }) => content === 'times').map(({ name }) => name)
  const found = (column: Column): string =>
    own(column) || (column === 'time' ? (bestNamed('time', times) ?? '') : '')
  const mapped = COLUMNS.filter(
    (column) =>
      (choice.columns[column] === ''
        ? found(column) !== '' && isOptionalColumn(column)
        : choice.columns[column] !== own(column)) &&
      (column !== 'propensity' || choice.propensity === 'column') &&
      (column !== 'reward' || !choice.joining),
  )
  const { clickFrom, joining } = choice
  return {
    format: format.name,
    ...(mapped.length > 0 && {
      columns: Object.fromEntries(mapped.map((column) => [column, choice.columns[column]])),
    }),
    ...(options.header && { header: options.header }),
    ...(choice.propensity !== '' &&
      choice.propensity !== 'column' && {
        propensity: typedPropensity(choice.propensity, choice.constant),
      }),
    ...(typeof clickFrom === 'number' && clickFrom !== format.clickFrom && { clickFrom }),
    ...(choice.mended && { mended: true }),
    ...(joining && { join: joinOf(joining) }),
  }
}
