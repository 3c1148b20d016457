import type { Client } from 'pg'
import { setTimeout as wait } from 'node:timers/promises'
import { HindcastError, throwIfAborted } from '../../../error.js'
import { type FoundPassword, storedPassword } from '../password.js'
import type { ConnectOptions } from '../warehouse.js'
import type { Pg } from './load-pg.js'
import { type ServerError, serverWords } from './refused.js'
import { loginOf, Session } from './session.js'
import type { PostgresTarget } from './target.js'

/** The server wants a password, and none is known. */
class PasswordWanted extends Error {
  override readonly name = 'PasswordWanted'
}

/** While a server starts again, it refuses connections: how long to wait before each further attempt, in milliseconds. */
const PATIENCE = [250, 1000, 3000]
const STARTING = ['ECONNREFUSED', 'ECONNRESET', '57P03', '57P01']

/** Opens sessions with one server; a password that a person typed is kept for the next one, in memory only. */
export class Logins {
  readonly target: PostgresTarget
  readonly #pg: Pg
  readonly #options: ConnectOptions
  readonly #onCrossed: (bytes: number) => void
  #password: FoundPassword | undefined

  constructor(pg: Pg, target: PostgresTarget, options: ConnectOptions, onCrossed: (bytes: number) => void) {
    this.#pg = pg
    this.target = target
    this.#options = options
    this.#onCrossed = onCrossed
  }

  /** A new session; a password is looked for, and asked for only if the server wants one. */
  async open(): Promise<Session> {
    this.#password ??= await storedPassword(this.target, this.#options.onNote)
    try {
      return await this.#attempt()
    } catch (error) {
      if (!(error instanceof PasswordWanted)) throw this.#failure(error)
    }
    const { askPassword } = this.#options
    if (!askPassword) throw noPassword(this.target)
    const { user, shown } = this.target
    this.#password = { password: await askPassword(`Password of ${user} at ${shown}: `), from: 'the prompt' }
    return this.#attempt().catch((error: unknown) => {
      throw this.#failure(error)
    })
  }

  /** A new session in place of one that was lost; a server that has just stopped may be back in a moment. */
  async reopen(): Promise<Session> {
    for (const milliseconds of PATIENCE) {
      try {
        return await this.#attempt()
      } catch (error) {
        if (!STARTING.includes(String((error as ServerError).code))) throw this.#failure(error)
      }
      await wait(milliseconds, undefined, { signal: this.#options.signal }).catch(() => undefined)
      throwIfAborted(this.#options.signal)
    }
    return this.#attempt().catch((error: unknown) => {
      throw this.#failure(error)
    })
  }

  /** A connection that may write, for tables of our own. */
  async writer(): Promise<Client> {
    const client = new this.#pg.Client(
      loginOf(this.target, { password: () => this.#password?.password ?? '' }),
    )
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  async #attempt(): Promise<Session> {
    const { signal, timeout, silence } = this.#options
    throwIfAborted(signal)
    const session = await Session.open(this.#pg, this.target, {
      password: () => {
        if (this.#password === undefined) throw new PasswordWanted()
        return this.#password.password
      },
      timeout,
      silence,
      onCrossed: this.#onCrossed,
      signal,
    }).catch((error: unknown) => {
      throwIfAborted(signal)
      throw error
    })
    return session
  }

  #failure(error: unknown): HindcastError {
    return error instanceof PasswordWanted
      ? noPassword(this.target)
      : connectionFailure(error as ServerError, this.target, this.#password?.from)
  }
}

const noPassword = ({ user, host }: PostgresTarget): HindcastError =>
  new HindcastError('bad-option', `PostgreSQL at ${host} asks for the password of user ${user}.`, {
    remedy: 'Set it in PGPASSWORD or in ~/.pgpass.',
  })

type Said = readonly [message: string, remedy: string]

/** Why there is no connection, in our words. `passwordFrom` is where the password came from, if one was sent. */
function connectionFailure(
  error: ServerError,
  target: PostgresTarget,
  passwordFrom: string | undefined,
): HindcastError {
  if (error instanceof HindcastError) return error
  const say = SAYINGS[codeOf(error)]
  const [message, remedy]: Said = say?.(target, passwordFrom) ??
    tlsFailure(error, target) ?? [
      `PostgreSQL at ${place(target)} refused the connection: ${serverWords(error.message)}`,
      'Check the address, and whether the server lets you in from here.',
    ]
  return new HindcastError('data-unavailable', message, { remedy, cause: error })
}

/** Of several addresses that one name stands for, the first error counts. */
function codeOf(error: ServerError): string {
  if (error.code !== undefined) return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0] as ServerError)
  return /timeout/i.test(error.message) ? 'ETIMEDOUT' : ''
}

const place = ({ host, port }: PostgresTarget): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

const unknownHost = ({ host }: PostgresTarget): Said => [
  `There is no host ${host}.`,
  'Check the address; you may have to connect to a private network first.',
]
const noAnswer = (target: PostgresTarget): Said => [
  `Nothing answers at ${place(target)}.`,
  'Check host and port, a firewall on the way, and whether a private network must be connected first.',
]
const tooMany = ({ host }: PostgresTarget): Said => [
  `PostgreSQL at ${host} has no free connection.`,
  'Try again later, or ask for more connections for your user.',
]
const notNow = ({ host }: PostgresTarget): Said => [
  `PostgreSQL at ${host} is starting or stopping.`,
  'Try again in a minute.',
]

/** By the code of the network or of the server. */
const SAYINGS: Readonly<Record<string, (target: PostgresTarget, passwordFrom: string | undefined) => Said>> =
  {
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
    ECONNREFUSED: (target) => [
      `No server listens at ${place(target)}.`,
      'Check host and port, and that PostgreSQL runs there.',
    ],
    ETIMEDOUT: noAnswer,
    EHOSTUNREACH: noAnswer,
    ENETUNREACH: noAnswer,
    // PostgreSQL says no more, so as not to tell who guesses: the user may be unknown, too.
    '28P01': ({ user, host }, from) => [
      `PostgreSQL at ${host} did not accept the password of user ${user}: it is wrong or has expired.`,
      `${from === undefined ? '' : `It was taken from ${from}. `}Check the name of the user, and set the password in PGPASSWORD or ~/.pgpass.`,
    ],
    '28000': ({ user, database, host, ssl }) => [
      `PostgreSQL at ${host} does not let user ${user} into database ${database} from here.`,
      `The user may be unknown or barred from logging in, or the server's list of hosts (pg_hba.conf) leaves this one out${ssl ? '' : '; it may want encryption: add ?tls=on to the address'}.`,
    ],
    '3D000': ({ database, host }) => [
      `PostgreSQL at ${host} has no database ${database}.`,
      'Name it after the host: postgres://user@host/database.',
    ],
    '42501': ({ user, database }) => [
      `User ${user} may not connect to database ${database}.`,
      `Its owner can allow it: GRANT CONNECT ON DATABASE ${database} TO ${user}.`,
    ],
    '53300': tooMany,
    '57P03': notNow,
    '57P01': notNow,
  }

/** A certificate that cannot be verified, or a server without any. */
function tlsFailure({ code = '', message }: ServerError, target: PostgresTarget): Said | undefined {
  if (/does not support SSL/.test(message))
    return [
      `PostgreSQL at ${place(target)} does not encrypt connections.`,
      'Turn TLS on there; on a network that you trust, add ?tls=off to the address.',
    ]
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return [
      `The certificate of ${place(target)} is for another host.`,
      'Use the host name given in the certificate.',
    ]
  if (code === 'CERT_HAS_EXPIRED')
    return [`The certificate of ${place(target)} has expired.`, 'Ask for a new one to be installed there.']
  if (/^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_)/.test(code))
    return [
      `The certificate of ${place(target)} is not signed by an authority that this machine trusts.`,
      'Name the file with the certificate of its authority in the address: ?ca=FILE.',
    ]
  return undefined
}
