import { HindcastError } from '../../../error.js'
import { suggest } from '../../../suggest.js'
import { networkCode } from './trino-http.js'
import { type TrinoError, TrinoRefusal, UnexpectedStatus } from './trino-protocol.js'

/** What messages and suggestions need to know. */
export interface FailureContext {
  /** The address for messages. */
  readonly shown: string
  /** Names that could have been meant: tables, schemas, catalogs, columns. */
  names(what: Unknown): Promise<readonly string[]>
}

/** What a name can be of. */
export type Unknown = 'table' | 'schema' | 'catalog' | 'column'

/** What went wrong, in our words. */
export async function trinoFailure(cause: unknown, context: FailureContext): Promise<unknown> {
  if (cause instanceof TrinoRefusal) return refusal(cause, context)
  if (cause instanceof UnexpectedStatus) return statusFailure(cause, context.shown)
  const code = networkCode(cause)
  return code === undefined ? cause : networkFailure(code, cause, context.shown)
}

const UNKNOWN: Readonly<Record<string, Unknown>> = {
  TABLE_NOT_FOUND: 'table',
  SCHEMA_NOT_FOUND: 'schema',
  CATALOG_NOT_FOUND: 'catalog',
  COLUMN_NOT_FOUND: 'column',
}

async function refusal(cause: TrinoRefusal, context: FailureContext): Promise<HindcastError> {
  const { error } = cause
  const unknown = UNKNOWN[error.errorName]
  if (unknown) return unknownName(unknown, cause, context)
  const [code, message, remedy] = worded(error)
  return new HindcastError(code, message, { remedy, cause })
}

/** The name in quotes that Trino does not know, and the one that was probably meant. */
async function unknownName(
  what: Unknown,
  cause: TrinoRefusal,
  { names }: FailureContext,
): Promise<HindcastError> {
  const name = /'((?:[^']|'')*)'/.exec(cause.error.message)?.[1] ?? ''
  const known = await names(what).catch(() => [])
  // A table is named with its catalog and schema, though it may have been typed without.
  const parts = what === 'table' ? name.split('.') : [name]
  const typed = parts.at(-1)!
  const meant =
    suggest(name, known) ??
    suggest(parts.slice(-2).join('.'), known) ??
    suggest(typed, known) ??
    known.find((candidate) => candidate.split('.').at(-1) === suggest(typed, known.map(lastPart)))
  const some = known.slice(0, 8).join(', ')
  return new HindcastError(
    what === 'column' ? 'missing-column' : 'not-found',
    `Trino does not know the ${what} ${name}.`,
    {
      remedy:
        meant !== undefined && meant !== name
          ? `Did you mean ${meant}?`
          : some === ''
            ? 'Check the name, and whether the user may see it.'
            : `There ${known.length === 1 ? 'is' : 'are'}: ${some}${known.length > 8 ? ' …' : ''}.`,
      cause,
    },
  )
}

const lastPart = (name: string): string => name.split('.').at(-1)!

type Worded = readonly [code: HindcastError['code'], message: string, remedy: string]

/** Where in a statement Trino found a fault: ours has lines of its own, which say nothing to anyone. */
const withoutPlace = (message: string): string => message.replace(/^line \d+:\d+: /, '')

const CHECK = 'Check the query, the columns and the conditions that were given.'
const IN_ADDRESS = 'Put it into the address, as in trino://user@host:8443/catalog/schema, or before the name.'

const outOfMemory: Worded = [
  'data-unavailable',
  'Trino ran out of memory for the query.',
  'Cluster by fewer groups, look at fewer rows, or ask for a larger limit of memory per query.',
]
const outOfTime: Worded = [
  'data-unavailable',
  'The query took longer than allowed, and Trino ended it.',
  'Allow more time, or look at fewer rows.',
]
const startingUp: Worded = ['data-unavailable', 'Trino is starting up.', 'Try again in a minute.']
const cancelled: Worded = [
  'data-unavailable',
  'Someone cancelled the query in Trino.',
  'Ask who looks after the server, and try again.',
]
const notForARow = (said: string): Worded => [
  'bad-option',
  `An expression cannot be computed for some row: ${said}.`,
  'Guard it, as with nullif(x, 0) or TRY(…), so that such rows are counted and named.',
]
const notAtAll = (said: string): Worded => [
  'bad-option',
  `Trino cannot compute an expression: ${said}.`,
  CHECK,
]

/** What Trino's errors mean, by their names. */
const SAYINGS: Readonly<Record<string, Worded | ((said: string) => Worded)>> = {
  CLUSTER_OUT_OF_MEMORY: outOfMemory,
  PERMISSION_DENIED: (said) => [
    'data-unavailable',
    `Trino does not allow it: ${said.replace(/^Access Denied: /, '')}.`,
    'Ask for the right to SELECT from the tables; nothing else is needed.',
  ],
  SYNTAX_ERROR: (said) => [
    'bad-option',
    `Trino cannot read the SQL: ${said}.`,
    'Check the query and the conditions that were given.',
  ],
  MISSING_CATALOG_NAME: ['bad-option', 'The table has no catalog.', IN_ADDRESS],
  MISSING_SCHEMA_NAME: ['bad-option', 'The table has no schema.', IN_ADDRESS],
  EXCEEDED_TIME_LIMIT: outOfTime,
  ABANDONED_QUERY: outOfTime,
  QUERY_TEXT_TOO_LARGE: (said) => [
    'bad-option',
    `A query is longer than this Trino allows: ${said}.`,
    'Load a policy that is in a file into the warehouse as a table, and name that as the target: warehouse:TABLE.',
  ],
  SERVER_STARTING_UP: startingUp,
  NO_NODES_AVAILABLE: startingUp,
  QUERY_QUEUE_FULL: ['data-unavailable', 'Trino has too many queries waiting.', 'Try again later.'],
  USER_CANCELED: cancelled,
  ADMINISTRATIVELY_KILLED: cancelled,
  ADMINISTRATIVELY_PREEMPTED: cancelled,
  DIVISION_BY_ZERO: notForARow,
  NUMERIC_VALUE_OUT_OF_RANGE: notForARow,
  TYPE_MISMATCH: notAtAll,
  FUNCTION_NOT_FOUND: notAtAll,
  INVALID_CAST_ARGUMENT: notAtAll,
}

function worded({ errorName, errorType, message }: TrinoError): Worded {
  const said = withoutPlace(message)
  const words = /^EXCEEDED_.*MEMORY/.test(errorName) ? outOfMemory : SAYINGS[errorName]
  if (words) return typeof words === 'function' ? words(said) : words
  const remedy = errorType === 'USER_ERROR' ? CHECK : 'Try again, or ask who looks after the server.'
  return ['data-unavailable', `Trino could not answer: ${said} (${errorName}).`, remedy]
}

function statusFailure(cause: UnexpectedStatus, shown: string): HindcastError {
  const { status } = cause
  const [message, remedy] =
    status === 403
      ? [`${shown} does not let this user ask.`, 'Ask for the right to run queries.']
      : status === 404 || status === 410
        ? [
            `${shown} no longer knows the query, or is not a Trino server.`,
            'The server may have been restarted: try again.',
          ]
        : status === 502 || status === 503 || status === 504 || status === 429
          ? [`${shown} is busy or starting up.`, 'Try again in a minute.']
          : [`${shown} answers with HTTP ${status}.`, 'Check host and port of the address.']
  return new HindcastError('data-unavailable', message!, { remedy: remedy!, cause })
}

function networkFailure(code: string, cause: unknown, shown: string): HindcastError {
  const [message, remedy] = networkWords(code)
  return new HindcastError('data-unavailable', `${shown} ${message}.`, { remedy, cause })
}

function networkWords(code: string): readonly [message: string, remedy: string] {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ['has an unknown host', 'Check the name of the host, and the network.']
    case 'ECONNREFUSED':
      return ['refuses connections', 'Check host and port, and that the server is up.']
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return ['does not speak TLS at this port', 'Check the port, or put ?tls=off after the address.']
    case 'ECONNRESET':
    case 'EPIPE':
      return ['hung up', 'Check the port, and whether it wants encryption: put ?tls=on after the address.']
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return ['cannot be reached', 'Check the host, the network and its firewalls.']
    default:
      return /CERT|SELF_SIGNED|ISSUER|ALTNAME|VERIFY/.test(code)
        ? [
            'has a certificate that cannot be trusted',
            'Name the authority that signed it with ?ca=FILE after the address.',
          ]
        : [`cannot be reached (${code})`, 'Check the address and the network.']
  }
}
