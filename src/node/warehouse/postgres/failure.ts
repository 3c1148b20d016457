import { type ErrorCode, HindcastError } from '../../../error.js'
import { suggest } from '../../../suggest.js'
import { type Refused, serverName, serverWords } from './refused.js'
import type { PostgresTarget } from './target.js'

/** What is known about a statement that was refused. */
export interface About {
  readonly target: PostgresTarget
  /** The limit that was set, in seconds. */
  readonly timeout?: number | undefined
  /** How long the statement ran, in seconds. */
  readonly seconds: number
  /** The tables that can be read. */
  readonly tables: () => Promise<string[]>
}

type Said = readonly [code: ErrorCode, message: string, remedy: string]

/** Why PostgreSQL refused a statement, in our words. */
export async function failureOf(refused: Refused, about: About): Promise<HindcastError> {
  const { error } = refused
  if (error instanceof HindcastError) return error
  const { code = '' } = error
  const say = SAYINGS[code] ?? SAYINGS[code.slice(0, 2)] ?? otherwise
  const [said, message, remedy] = await say(refused, about)
  return new HindcastError(said, message, { remedy, cause: error })
}

type Say = (refused: Refused, about: About) => Said | Promise<Said>

const otherwise: Say = ({ error }) => [
  'bad-option',
  `PostgreSQL cannot answer: ${serverWords(error.message)}`,
  'Check the table, the columns and the query.',
]

/** A query that PostgreSQL cannot read, with the place. */
const unreadable: Say = ({ error, statement }) => {
  const excerpt = excerptAt(statement, error.position)
  return [
    'bad-option',
    `PostgreSQL cannot read the query: ${serverWords(error.message)}${excerpt === undefined ? '' : ` It is at: ${serverWords(excerpt)}`}`,
    'Correct the query, the condition or the expressions of the columns.',
  ]
}

/** A value that PostgreSQL cannot compute with. */
const wrongValue: Say = ({ error }) => [
  'bad-rows',
  `A row has a value that the query cannot compute with: ${serverWords(error.message)}`,
  'Leave such rows out with a condition, or guard the expression with CASE.',
]

const unknownTable: Say = async ({ error, statement }, { target, tables }) => {
  const name = nameAt(statement, error.position) ?? quotedIn(error.message)
  const known = await tables().catch(() => [])
  const meant = name === undefined ? undefined : closest(name, known)
  return [
    'unknown-name',
    `There is no ${name === undefined ? 'such table' : `table ${name}`} in database ${target.database}.${meant === undefined ? '' : ` Did you mean ${serverName(meant)}?`}`,
    known.length === 0
      ? `User ${target.user} can read no table there. The owner of one can allow it: GRANT USAGE ON SCHEMA … TO ${target.user}; GRANT SELECT ON … TO ${target.user}.`
      : `User ${target.user} can read ${listed(known)}.`,
  ]
}

/** The table whose name is closest, with or without its schema. */
function closest(name: string, known: readonly string[]): string | undefined {
  const bare = (one: string): string => one.slice(one.lastIndexOf('.') + 1)
  return (
    suggest(name, known) ??
    known.find((one) => bare(one) === bare(name)) ??
    known.find((one) => bare(one) === suggest(bare(name), known.map(bare)))
  )
}

const listed = (names: readonly string[]): string =>
  names.length <= 5
    ? names.map(serverName).join(', ')
    : `${names.slice(0, 5).map(serverName).join(', ')} and ${(names.length - 5).toLocaleString('en-US')} more`

const unknownColumn: Say = ({ error, statement }) => {
  const name = nameAt(statement, error.position) ?? quotedIn(error.message)
  // PostgreSQL names the columns that come close.
  const meant = quotedIn(error.hint)?.split(/["“”„«»]/)[0]
  const column = meant?.slice(meant.lastIndexOf('.') + 1)
  return [
    'missing-column',
    `There is no column ${name ?? 'of this name'}.${column === undefined ? '' : ` Did you mean ${serverName(column)}?`}`,
    'Check the names in the query, the condition and the expressions of the columns.',
  ]
}

/** A name as a statement needs it: in quotes where it has capitals or signs. */
const asTyped = (name: string): string =>
  name
    .split('.')
    .map((part) => (/^[a-z_][a-z0-9_]*$/.test(part) ? part : `"${part}"`))
    .join('.')

const forbidden: Say = ({ error, statement }, { target }) => {
  const [, kind = '', bare = ''] = /permission denied for ([a-z ]+?) (\S+)$/.exec(error.message) ?? []
  const name = nameWithSchema(statement, bare)
  const [what, user] = [asTyped(name), asTyped(target.user)]
  const granted =
    kind === 'schema'
      ? `GRANT USAGE ON SCHEMA ${what} TO ${user}`
      : kind === 'function'
        ? `GRANT EXECUTE ON FUNCTION ${what} TO ${user}`
        : `GRANT SELECT ON ${name === '' ? '…' : what} TO ${user}`
  return [
    'bad-option',
    `User ${target.user} may not read ${name === '' ? 'this' : `${kind} ${name}`}.`,
    `Its owner can allow it: ${granted}. Reading is all that Hindcast needs.`,
  ]
}

/** Ended by a limit of time, or by somebody else; what the user ended has its own error. */
const cancelled: Say = ({ error }, { timeout, seconds }) => {
  const isOurs = timeout !== undefined && seconds >= timeout
  return isOurs || /statement timeout/.test(error.message)
    ? [
        'data-unavailable',
        `A query took longer than ${isOurs ? `${timeout} s` : 'the server allows'}, and was cancelled.`,
        isOurs
          ? 'Allow more time, or evaluate fewer rows.'
          : 'Evaluate fewer rows, or ask for a longer statement_timeout for your user.',
      ]
    : [
        'data-unavailable',
        'The query was cancelled on the server, by an administrator or one of its limits.',
        'Try again, or ask who administers it.',
      ]
}

const full: Say = ({ error }) => [
  'data-unavailable',
  `PostgreSQL does not have enough memory or disk for the query: ${serverWords(error.message)}`,
  'Evaluate fewer rows, or raise work_mem and temp_file_limit for your user.',
]

/** By SQLSTATE, or by its class. */
const SAYINGS: Readonly<Record<string, Say>> = {
  '42P01': unknownTable,
  '3F000': unknownTable,
  '42703': unknownColumn,
  '42501': forbidden,
  '57014': cancelled,
  '42': unreadable,
  '22': wrongValue,
  '53': full,
  '25006': () => [
    'bad-option',
    'The query would change something in the database, but Hindcast only reads.',
    'Leave out whatever writes.',
  ],
  '40001': () => [
    'data-unavailable',
    'The server is a replica. It had to change rows that the query was still reading, and cancelled it.',
    'Try again, or read from the primary server.',
  ],
  '55P03': () => ['data-unavailable', 'Somebody else holds a lock on the table.', 'Try again later.'],
}

const PART = '(?:"(?:[^"]|"")*"|[\\p{L}_][\\p{L}\\p{N}_$]*)'
/** A name in a statement, perhaps of several parts, such as `"shop"."impressions"`. */
const NAME = `${PART}(?:\\s*\\.\\s*${PART})*`

/** A name as a person types it, without quotes. */
const typed = (name: string): string =>
  [...name.matchAll(/"((?:[^"]|"")*)"|[^".\s]+/g)]
    .map(([plain, quoted]) => quoted?.replaceAll('""', '"') ?? plain)
    .join('.')

/** The name at a place of a statement; in every language of a server's messages. */
export function nameAt(statement: string, position: string | undefined): string | undefined {
  if (position === undefined) return undefined
  // The server counts characters, where JavaScript counts units of UTF-16.
  const rest = [...statement].slice(Number(position) - 1).join('')
  const [name] = new RegExp(`^${NAME}`, 'u').exec(rest) ?? []
  return name && typed(name)
}

/** A name with its schema, as far as a statement has it in front. */
export const nameWithSchema = (statement: string, name: string): string =>
  [...statement.matchAll(new RegExp(NAME, 'gu'))]
    .map(([found]) => typed(found))
    .find((found) => found.endsWith(`.${name}`)) ?? name

/** What a message has in quotes. */
export const quotedIn = (message: string | undefined): string | undefined =>
  /["“„«»](.+)["”“»«]/.exec(message ?? '')?.[1]

/** The text around a place of a statement, on one line. */
export function excerptAt(statement: string, position: string | undefined): string | undefined {
  if (position === undefined) return undefined
  const at = Number(position) - 1
  const characters = [...statement]
  const from = Math.max(0, at - 20)
  const part = characters
    .slice(from, at + 40)
    .join('')
    .replaceAll(/\s+/g, ' ')
  return `${from > 0 ? '…' : ''}${part}${at + 40 < characters.length ? '…' : ''}`
}
