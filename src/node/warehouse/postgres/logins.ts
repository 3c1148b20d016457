import type { Client } from 'pg'
import { setTimeout as wait } from 'node:timers/promises'
import { HindcastError, throwIfAborted } from '../../../error.js'
import { type FoundPassword, storedPassword } from '../password.js'
import type { ConnectOptions } from '../warehouse.js'
import { connectionFailure } from './connection-failure.js'
import type { Pg } from './load-pg.js'
import type { ServerError } from './refused.js'
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
