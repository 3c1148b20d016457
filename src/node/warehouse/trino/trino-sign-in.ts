import { userInfo } from 'node:os'
import { HindcastError } from '../../../error.js'
import type { WarehouseAddress } from '../address.js'
import type { ConnectOptions } from '../warehouse.js'

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
