import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { rootCertificates } from 'node:tls'
import { HindcastError } from '../../../error.js'

/** Where requests go, and how they are encrypted. */
export interface HttpTarget {
  readonly host: string
  readonly port: number
  readonly tls: 'on' | 'unverified' | 'off'
  /** Certificates of authorities to trust, beside those that Node trusts. */
  readonly authorities?: string | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly body: string
  readonly bytes: number
}

export interface HttpQuestion {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path and parameters: requests never leave the server of the address, whatever its answers name. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
  /** A connection that is silent for so long, in milliseconds, is given up. */
  readonly patience: number
}

/** Connections to one server, kept open between requests. */
export class TrinoHttp {
  readonly #target: HttpTarget
  readonly #agent: HttpAgent

  constructor(target: HttpTarget) {
    this.#target = target
    const { tls, authorities } = target
    this.#agent =
      tls === 'off'
        ? new HttpAgent({ keepAlive: true })
        : new HttpsAgent({
            keepAlive: true,
            rejectUnauthorized: tls === 'on',
            ...(authorities !== undefined && { ca: [...rootCertificates, authorities] }),
          })
  }

  ask({ method, path, headers, body, signal, patience }: HttpQuestion): Promise<HttpAnswer> {
    const { host, port, tls } = this.#target
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, host, port, method, path, headers, ...(signal && { signal }) }
      const request = (tls === 'off' ? httpRequest : httpsRequest)(options, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const whole = Buffer.concat(parts)
          // Cut off in the middle of an answer.
          if (!answer.complete) return reject(silent('The answer was cut off.'))
          resolve({ status: answer.statusCode ?? 0, body: whole.toString('utf8'), bytes: whole.length })
        })
      })
      request.setTimeout(patience, () => request.destroy(silent('The server does not answer.')))
      request.on('error', reject)
      request.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

const silent = (message: string): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' })

/** Errors of a connection that was there and is gone, or that may be there in a moment. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])

/** The code of an error of the network; undefined for any other. */
export const networkCode = (error: unknown): string | undefined =>
  error instanceof Error &&
  !(error instanceof HindcastError) &&
  'code' in error &&
  typeof error.code === 'string'
    ? error.code
    : undefined

export const isLost = (error: unknown): boolean => LOST.has(networkCode(error) ?? '')
