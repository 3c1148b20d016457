import { type Advice, advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { namedIn } from '../expression.js'
import { suggest } from '../suggest.js'
import type { ColumnOrigins } from './bad-rows.js'
import {
  CANONICAL_NAMES,
  type Column,
  columnNamed,
  COLUMNS,
  furtherColumn,
  isIdColumn,
  isOptionalColumn,
  labelColumn,
  REQUIRED_COLUMNS,
} from './columns.js'
import type { ColumnSource, Format } from './formats/format.js'
import { namesBehind, originOf } from './values/origin.js'
import { nameText } from './values/value.js'

/**
 * Where each column of the log comes from: a column of the file, or, for numbers, a value computed from its cells:
 * `{ user: 'uid', propensity: 'p / 100' }`. An optional column with an empty text is not read, whatever the file has.
 */
export type ColumnMapping = Readonly<Partial<Record<Column, string>>>

/** Reads `user=uid,item=sku,reward=rating >= 4,propensity=min(p, 1)`. */
export function parseColumnMapping(text: string): ColumnMapping {
  const mapping: Partial<Record<Column, string>> = {}
  for (const pair of splitMapping(text)) {
    const equals = pair.indexOf('=')
    const key = pair.slice(0, equals).trim()
    const name = pair.slice(equals + 1).trim()
    const column = columnNamed(key)
    if (equals < 1 || (name === '' && !isOptionalColumn(column ?? key)))
      throw new HindcastError(
        'bad-option',
        advice`${set('columns')}: ${JSON.stringify(pair)} does not have the form column=NAME.`,
        {
          remedy: advice`Write, for example, ${set('columns', 'user=uid,item=sku,reward=clicked,propensity=p')}.`,
        },
      )
    if (!column) {
      const meant = suggest(key, COLUMNS)
      throw new HindcastError(
        'bad-option',
        advice`${set('columns')}: a log has no column ${JSON.stringify(key)}.`,
        {
          remedy: `${meant ? `Did you mean ${meant}? ` : ''}Choose from ${COLUMNS.join(', ')}.`,
        },
      )
    }
    if (mapping[column] !== undefined)
      throw new HindcastError('bad-option', advice`${set('columns')} names ${key} twice.`, {
        remedy: 'Name each column once.',
      })
    mapping[column] = name
  }
  return mapping
}

/** The mapping as text that `parseColumnMapping` reads. */
export const mappingText = (mapping: Readonly<Record<string, string>> | ColumnMapping): string =>
  Object.entries(mapping)
    .map(([column, text]) => {
      const isSafe = text === text.trim() && splitMapping(text).length === 1
      return `${column}=${isSafe ? text : nameText(text)}`
    })
    .join(',')

/** The parts between commas; those in parentheses and in quotes separate nothing. A single quote may be an apostrophe. */
export function splitMapping(text: string): string[] {
  const parts: string[] = []
  let [from, depth, quoted] = [0, 0, '']
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (quoted !== '') quoted = sign === quoted ? '' : quoted
    else if (sign === '"' || (sign === "'" && /[\s=(']/.test(text[at - 1] ?? ' '))) quoted = sign
    else if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (sign === ',' && depth <= 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  // What does not close separates as if it were not there, so that a column named "a(b" can be typed.
  return quoted !== '' || depth > 0 ? text.split(',') : [...parts, text.slice(from)]
}

export interface LayoutOptions {
  format: Format
  columns?: ColumnMapping
  /** Further columns of the file to keep as text. */
  labels?: readonly string[]
  /** Further columns of the file to keep as numbers. */
  numbers?: readonly string[]
  /** True if propensities are not read because a stand-in was chosen for them. */
  ignorePropensity?: boolean
  /** True if rewards are joined from outcomes, so that none is looked for. */
  ignoreReward?: boolean
  /** Allows a column mapped twice, which the doctor reports itself. */
  allowTwice?: boolean
  /** Finds a column that has neither its own name nor one that was asked for. */
  otherwise?: FindName
  /** What to propose in an error for a column that was not found. */
  propose?: FindName
}

/** Finds a column of the log among names of a file. */
export type FindName = (column: Column, names: readonly string[]) => string | undefined

/** Finds the columns of the log among a file's columns; errors name missing columns and similar names. */
export function resolveLayout(file: string, names: readonly string[], options: LayoutOptions): ColumnOrigins {
  const origins: Partial<Record<Column, readonly string[]>> = {}
  const missing: Column[] = []
  const taken = new Set(Object.values(options.columns ?? {}))
  const free = names.filter((name) => !taken.has(name))
  for (const column of COLUMNS) {
    if (column === 'propensity' && options.ignorePropensity) continue
    if (column === 'reward' && options.ignoreReward) continue
    const asked = options.columns?.[column]
    if (asked === '' && isOptionalColumn(column)) continue
    const other = asked === undefined ? options.otherwise?.(column, free) : undefined
    const found =
      asked === undefined
        ? (findColumn(names, options.format.columns[column]) ?? (other === undefined ? undefined : [other]))
        : [askedOrigin(file, names, column, asked)]
    if (found) origins[column] = found
    else if (REQUIRED_COLUMNS.includes(column)) missing.push(column)
  }
  if (missing.length > 0) throw missingColumns(file, names, missing, options)
  if (!options.allowTwice) refuseMappedTwice(origins)
  const further = [
    ...(options.labels ?? []).map((name) => ({ name, column: labelColumn(name) })),
    ...(options.numbers ?? []).map((name) => ({ name, column: furtherColumn(name) })),
  ]
  const absent = further.find(({ name }) => !names.includes(name))
  if (absent) throw noSuchName(file, names, absent.name)
  const all: ColumnOrigins = {
    ...origins,
    ...Object.fromEntries(further.map(({ name, column }) => [column, [name]])),
  }
  refuseRepeatedNames(file, names, all)
  return all
}

/** The columns of a file behind a column of the log, as a format names them; undefined unless all are present. */
export function findColumn(
  names: readonly string[],
  source: ColumnSource | undefined,
): readonly string[] | undefined {
  if (source === undefined) return undefined
  if (typeof source === 'string') return names.includes(source) ? [source] : undefined
  if ('joined' in source)
    return source.joined.every((name) => names.includes(name)) ? source.joined : undefined
  const present = source.anyOf.find((name) => names.includes(name))
  return present === undefined ? undefined : [present]
}

/** The column or the value that a person asked for: the name of a column of the file, or the text of a value. */
export function askedOrigin(file: string, names: readonly string[], column: Column, asked: string): string {
  if (names.includes(asked)) return asked
  // Without a sign of a value, a name was meant, whatever else is odd about it; a number is the same for all rows.
  const isNumber = !isIdColumn(column) && !Number.isNaN(Number(asked))
  if (!isNumber && !/[()+*/<>=×·÷≥≤≠"−]|\s-|-\s|^-/.test(asked))
    throw noSuchName(file, names, asked, { purpose: `for ${column}`, typed: `${column}=` })
  const origin = originOf(asked, names, column)
  const unknown =
    origin.kind === 'column'
      ? names.includes(origin.name)
        ? undefined
        : { name: origin.name, from: 0 }
      : namedIn(origin.value).find(({ name }) => !names.includes(name))
  if (unknown) throw noSuchColumnInValue(file, names, { column, asked, ...unknown })
  if (origin.kind === 'column') return origin.name
  if (isIdColumn(column))
    throw new HindcastError('bad-option', `${column}=${asked}: ids are read from a column as they are.`, {
      remedy: `Name one column of the file for ${column}. Its columns: ${listNames(names)}.`,
    })
  return asked
}

function refuseRepeatedNames(file: string, names: readonly string[], origins: ColumnOrigins): void {
  const used = new Set(namesBehind(origins, names))
  const repeated = names.find((name, k) => used.has(name) && names.indexOf(name) !== k)
  if (repeated !== undefined)
    throw new HindcastError('bad-file', `${file} has two columns named ${JSON.stringify(repeated)}.`, {
      remedy: 'Give every column of the file a unique name.',
    })
}

function refuseMappedTwice(origins: ColumnOrigins): void {
  const seen = new Map<string, Column>()
  for (const [column, names] of Object.entries(origins) as [Column, readonly string[]][]) {
    const key = names.join('|')
    const other = seen.get(key)
    if (other)
      throw new HindcastError(
        'bad-option',
        `Column ${JSON.stringify(key)} is used twice: for ${other} and for ${column}.`,
        {
          remedy: `Choose another column of the file for ${column}.`,
        },
      )
    seen.set(key, column)
  }
}

/**
 * The error about a name that a file does not have; `purpose` says what it is for, and `typed` what is typed before it:
 * `user=`.
 */
export function noSuchName(
  file: string,
  names: readonly string[],
  asked: string,
  { purpose, typed = '' }: { readonly purpose?: string; readonly typed?: string } = {},
): HindcastError {
  const meant = suggest(asked, names)
  const what = `${file} has no column ${JSON.stringify(asked)}${purpose === undefined ? '' : ` ${purpose}`}.`
  return new HindcastError('missing-column', what, {
    remedy: `${meant ? `Did you mean ${typed}${meant}? ` : ''}Its columns: ${listNames(names)}.`,
  })
}

function noSuchColumnInValue(
  file: string,
  names: readonly string[],
  { column, asked, name, from }: { column: Column; asked: string; name: string; from: number },
): HindcastError {
  // A name with signs in it was read as several.
  const odd = names.find((one) => one.includes(name) && nameText(one) !== one && asked.includes(one))
  const meant = odd ?? suggest(name, names)
  const hint =
    odd === undefined
      ? meant && `Did you mean ${nameText(meant)}? `
      : `Write ${nameText(odd)}, in double quotes, since the name has spaces or signs. `
  const asText =
    asked.slice(from).startsWith('"') && /[!=]=?\s*$/.test(asked.slice(0, from))
      ? `Double quotes are for names of columns. For the text, write '${name}' in single quotes. `
      : ''
  return new HindcastError(
    'missing-column',
    `${file} has no column ${JSON.stringify(name)}, which ${column}=${asked} names at character ${from + 1}.`,
    { remedy: `${asText}${hint ?? ''}Its columns: ${listNames(names)}.` },
  )
}

/** Columns of the log that a file does not seem to have. */
export class MissingColumns extends HindcastError {
  readonly missing: readonly Column[]
  readonly names: readonly string[]

  constructor(
    message: string,
    { missing, names, remedy }: { missing: readonly Column[]; names: readonly string[]; remedy: Advice },
  ) {
    super('missing-column', message, { remedy })
    this.missing = missing
    this.names = names
  }
}

/** Where rewards may be if no column holds them. */
export const OTHER_REWARDS = advice`If clicks or orders are events in another file, name that with ${set('outcomes', 'FILE')}. If every row is a click, a model can be trained on them with ${set('columns', 'reward=1')}.`

function missingColumns(
  file: string,
  names: readonly string[],
  missing: readonly Column[],
  { format, propose }: LayoutOptions,
): HindcastError {
  const wanted = (column: Column): string => {
    const source = format.columns[column]
    return source === undefined ? CANONICAL_NAMES[column] : sourceNames(source)
  }
  const offered = names.filter(({ length }) => length <= LONGEST_NAME)
  const meant = (column: Column): string =>
    propose?.(column, offered) ??
    suggest(wanted(column), offered) ??
    offered.find((name) => name.toLowerCase().includes(column)) ??
    'NAME'
  const told = missing.map((column) => `no ${column} column (${wanted(column)})`)
  const mapping = missing.map((column) => `${column}=${meant(column)}`)
  const joining =
    missing.includes('reward') && format.exposuresOnly
      ? `Exposures of ${format.label} say what was shown, not what it earned: join the outcomes by user and time, and add them as a column ${wanted('reward')}. `
      : ''
  const isOnlyReward = missing.length === 1 && missing[0] === 'reward'
  const asEvents = isOnlyReward ? advice`${OTHER_REWARDS} ` : ''
  return new MissingColumns(`${file} has ${told.join(', ')}.`, {
    missing,
    names,
    remedy: advice`${joining}Name ${missing.length === 1 ? 'it' : 'them'} with ${set('columns', mapping.join(','))}. ${asEvents}Its columns: ${listNames(names)}.`,
  })
}

function sourceNames(source: ColumnSource): string {
  if (typeof source === 'string') return source
  return 'joined' in source ? source.joined.join(' + ') : source.anyOf.join(' or ')
}

/** Longer names are cut in messages: what is not a table may have a first line of any length. */
const LONGEST_NAME = 40

/** A name as messages have it. */
export const shortName = (name: string): string =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name

export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 20).map(shortName)
  return names.length > 20 ? `${shown.join(', ')}, … (${names.length})` : shown.join(', ')
}
