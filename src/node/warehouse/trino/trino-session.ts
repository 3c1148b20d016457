import { setTimeout as sleep } from 'node:timers/promises'
import { HindcastError, throwIfAborted } from '../../../error.js'
import { counted } from '../../../number-text.js'
import type { WarehouseAddress } from '../address.js'
import type { ConnectOptions, Crossed } from '../warehouse.js'
import { type HttpAnswer, type HttpQuestion, isLost, networkCode, TrinoHttp } from './trino-http.js'
import { type TrinoPage, TrinoRefusal, UnexpectedStatus } from './trino-protocol.js'
import { userInfo } from 'node:os'

/** A server that is busy or starts up is asked again for so long, in milliseconds. */
const BUSY_FOR = 30_000
/** A connection that is silent for so long is given up: Trino answers at least every other second. */
const PATIENCE = 30_000
/** What is cancelled is cancelled by then, or the server does not answer. */
const CANCEL_WITHIN = 1500
/** How often a page is asked for again after a lost connection, and after how many milliseconds. */
const PAGE_AGAIN = [100, 1000]
/** A query only reads, so it may be sent a second time. */
const QUERY_AGAIN = [100]
const INFO = '/v1/info'
const BUSY = new Set([429, 502, 503, 504])

/** Sends statements to Trino and reads their answers page by page. */
export class TrinoSession {
  readonly #http: TrinoHttp
  readonly #signIn: TrinoSignIn
  readonly #address: WarehouseAddress
  readonly #options: ConnectOptions
  readonly #running = new Set<AbortController>()
  #crossed: Crossed = { queries: 0, rows: 0, bytes: 0 }

  constructor(address: WarehouseAddress, options: ConnectOptions, authorities: string | undefined) {
    this.#address = address
    this.#options = options
    this.#http = new TrinoHttp({ host: address.host, port: address.port, tls: address.tls, authorities })
    this.#signIn = new TrinoSignIn(address, options)
  }

  get user(): string {
    return this.#signIn.user
  }

  get crossed(): Crossed {
    return this.#crossed
  }

  /** What `/v1/info` says; undefined where something before the server keeps it. */
  async info(): Promise<TrinoInfo | undefined> {
    const { status, body } = await this.#patiently({ method: 'GET', path: INFO }, QUERY_AGAIN)
    return status === 200 ? parsed<TrinoInfo>(body) : undefined
  }

  /** The pages of an answer. Whoever stops reading early cancels the query, as the signal does. */
  async *pages(statement: string, { isOwn = false } = {}): AsyncGenerator<TrinoPage> {
    const { signal } = this.#options
    throwIfAborted(signal)
    const stop = new AbortController()
    this.#running.add(stop)
    const end = (): void => stop.abort(signal?.reason)
    signal?.addEventListener('abort', end)
    let page: TrinoPage | undefined
    let isDone = false
    try {
      page = await this.#begin(statement, stop.signal)
      if (!isOwn) this.#crossed = { ...this.#crossed, queries: this.#crossed.queries + 1 }
      for (;;) {
        if (page.error) {
          isDone = true
          throw new TrinoRefusal(page.error)
        }
        yield page
        if (page.nextUri === undefined) break
        page = await this.#next(page, isOwn, stop.signal)
      }
      isDone = true
    } catch (cause) {
      throwIfAborted(stop.signal)
      const wasThere = page !== undefined || this.#crossed.queries > 0
      throw isLost(cause) || (wasThere && networkCode(cause)) ? this.#lost(page, cause) : cause
    } finally {
      signal?.removeEventListener('abort', end)
      if (!isDone && page) await this.#cancel(page)
      this.#running.delete(stop)
    }
  }

  /** Cancels what runs and hangs up. */
  async close(): Promise<void> {
    for (const stop of this.#running) stop.abort()
    // What runs has the time that cancelling takes.
    const until = Date.now() + CANCEL_WITHIN
    while (this.#running.size > 0 && Date.now() < until) await sleep(20)
    this.#http.close()
  }

  /** The first page. It is waited for even when interrupted: without it, nothing is known that could be cancelled. */
  async #begin(statement: string, signal: AbortSignal): Promise<TrinoPage> {
    const question = { method: 'POST', path: '/v1/statement', body: statement } as const
    const { body } = await this.#patiently(question, QUERY_AGAIN, signal)
    return parsed<TrinoPage>(body)
  }

  async #next({ nextUri }: TrinoPage, isOwn: boolean, signal: AbortSignal): Promise<TrinoPage> {
    const path = pathOf(nextUri!)
    const { body, bytes } = await this.#patiently({ method: 'GET', path, signal }, PAGE_AGAIN, signal)
    const page = parsed<TrinoPage>(body)
    if (!isOwn && page.data) {
      const { queries, rows } = this.#crossed
      this.#crossed = { queries, rows: rows + page.data.length, bytes: this.#crossed.bytes + bytes }
    }
    return page
  }

  /** An answer, asked for again while the server is busy, and after a lost connection as often as `again` says. */
  async #patiently(
    question: Omit<HttpQuestion, 'headers' | 'patience'>,
    again: readonly number[],
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    const until = Date.now() + BUSY_FOR
    let [losses, wait] = [0, 50]
    for (;;) {
      let answer: HttpAnswer
      try {
        answer = await this.#http.ask({ ...question, headers: this.#headers(), patience: PATIENCE })
      } catch (error) {
        // A server that went away may refuse connections for a moment.
        const mayComeBack = isLost(error) || (losses > 0 && networkCode(error) !== undefined)
        if (signal?.aborted || !mayComeBack || losses >= again.length) throw error
        await sleep(again[losses++], undefined, { ...(signal && { signal }) })
        this.#options.onNote?.(`The connection to ${this.#address.shown} was lost and re-established.`)
        continue
      }
      const { status } = answer
      if (status === 200) return answer
      if (status === 401) {
        await this.#signIn.refused()
        continue
      }
      if (!BUSY.has(status) || Date.now() > until) {
        if (question.path === INFO) return answer
        throw new UnexpectedStatus(status)
      }
      await sleep(wait, undefined, { ...(signal && { signal }) })
      wait = Math.min(2 * wait, 2000)
    }
  }

  #headers(): Record<string, string> {
    const [catalog, schema] = this.#address.path
    const { timeout } = this.#options
    return {
      'X-Trino-User': this.user,
      'X-Trino-Source': 'hindcast',
      'X-Trino-Time-Zone': 'UTC',
      // Times to their last digit, and types that say how many there are.
      'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
      ...(catalog !== undefined && { 'X-Trino-Catalog': catalog }),
      ...(schema !== undefined && { 'X-Trino-Schema': schema }),
      ...(timeout !== undefined && {
        'X-Trino-Session': `query_max_run_time=${Math.ceil(timeout * 1000)}ms`,
      }),
      ...this.#signIn.headers,
    }
  }

  /** Ends a query in the engine: its page first, which a gateway knows too, then the query itself. */
  async #cancel({ id, nextUri }: TrinoPage): Promise<void> {
    const paths = [...(nextUri === undefined ? [] : [pathOf(nextUri)]), `/v1/query/${encodeURIComponent(id)}`]
    const signal = AbortSignal.timeout(CANCEL_WITHIN)
    await Promise.allSettled(
      paths.map((path) =>
        this.#http.ask({ method: 'DELETE', path, headers: this.#headers(), signal, patience: CANCEL_WITHIN }),
      ),
    )
  }

  #lost(page: TrinoPage | undefined, cause: unknown): HindcastError {
    const { queries, rows } = this.#crossed
    const done = page?.stats?.progressPercentage
    const where = page
      ? `in a query that was ${done === undefined ? 'waiting' : `${Math.floor(done)}% done`}`
      : 'when a query was sent'
    const before = Math.max(0, queries - (page ? 1 : 0))
    return new HindcastError(
      'data-unavailable',
      `The connection to ${this.#address.shown} was lost ${where}, after ${counted(before, 'query that was', 'queries that were')} answered and ${counted(rows, 'row')}.`,
      { remedy: 'Check that the server is up, and try again: nothing was changed.', cause },
    )
  }
}

/** What a server says of itself. */
export interface TrinoInfo {
  readonly nodeVersion?: { readonly version?: string }
  readonly starting?: boolean
}

/** Where a page is on the server of the address: a server behind another may name itself otherwise. */
function pathOf(uri: string): string {
  const { pathname, search } = new URL(uri)
  return `${pathname}${search}`
}

function parsed<Answer>(body: string): Answer {
  try {
    return JSON.parse(body) as Answer
  } catch (cause) {
    throw new HindcastError('data-unavailable', 'What answers is not a Trino server.', {
      remedy: 'Check host and port of the address.',
      cause,
    })
  }
}

/** Who asks, and how they prove it. What is secret stays in here: only a header gets it, and only over TLS. */
export class TrinoSignIn {
  readonly user: string
  readonly #address: WarehouseAddress
  readonly #ask: ConnectOptions['askPassword']
  #secret: { readonly header: string; readonly from: 'TRINO_TOKEN' | 'TRINO_PASSWORD' | 'prompt' } | undefined

  constructor(
    address: WarehouseAddress,
    { askPassword, onNote }: ConnectOptions,
    environment: Readonly<NodeJS.ProcessEnv> = process.env,
  ) {
    this.#address = address
    this.#ask = askPassword
    this.user = address.user ?? (environment['TRINO_USER'] || systemUser())
    const { TRINO_TOKEN, TRINO_PASSWORD } = environment
    if (!TRINO_TOKEN && !TRINO_PASSWORD) return
    const from = TRINO_TOKEN ? 'TRINO_TOKEN' : 'TRINO_PASSWORD'
    if (address.tls === 'off') onNote?.(`${from} is not sent, since the connection is not encrypted.`)
    else this.#secret = { header: TRINO_TOKEN ? `Bearer ${TRINO_TOKEN}` : this.#basic(TRINO_PASSWORD!), from }
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#secret ? { Authorization: this.#secret.header } : {}
  }

  /** After the server refused who asked: asks for a password, once; throws where nothing is left to try. */
  async refused(): Promise<void> {
    const { shown, tls } = this.#address
    if (tls === 'off')
      throw notSignedIn(
        `${shown} asks for a password, which is only sent over an encrypted connection.`,
        'Connect to the port with encryption, and put ?tls=on after the address.',
      )
    switch (this.#secret?.from) {
      case 'TRINO_TOKEN':
        throw notSignedIn(
          `${shown} does not accept the token in TRINO_TOKEN.`,
          'It may have expired, or be for another server: get a new one.',
        )
      case 'TRINO_PASSWORD':
        throw notSignedIn(
          `${shown} does not accept the password in TRINO_PASSWORD for ${this.user}.`,
          'Check the user and the password; it may have expired.',
        )
      case 'prompt':
        throw notSignedIn(`${shown} does not accept this password for ${this.user}.`, 'Check the user too.')
      case undefined:
        break
    }
    if (!this.#ask)
      throw notSignedIn(
        `${shown} asks for a password or a token for ${this.user}.`,
        'Put it into the environment as TRINO_PASSWORD or TRINO_TOKEN.',
      )
    const password = await this.#ask(`Password of ${this.user} for ${shown}`)
    this.#secret = { header: this.#basic(password), from: 'prompt' }
  }

  #basic(password: string): string {
    const both = `${this.user}:${password}`
    // Trino reads one byte a character, as the first rule for such headers had it; what does not fit is sent by the second.
    const isNarrow = !/[^\x20-\u00ff]/.test(both)
    return `Basic ${Buffer.from(both, isNarrow ? 'latin1' : 'utf8').toString('base64')}`
  }
}

const notSignedIn = (message: string, remedy: string): HindcastError =>
  new HindcastError('data-unavailable', message, { remedy })

function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'hindcast'
  }
}
