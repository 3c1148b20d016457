/** What PostgreSQL says of a statement that it refused. */
export interface ServerError extends Error {
  /** The five characters of the error's class, or the code of an error of the network. */
  readonly code?: string
  readonly hint?: string
  /** Where in the statement, counted in characters from 1. */
  readonly position?: string
}

/** A statement that gave an error instead of an answer. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly error: ServerError
  readonly statement: string

  constructor(error: unknown, statement: string) {
    super('A statement was refused.', { cause: error })
    this.error = error as ServerError
    this.statement = statement
  }
}

/** Errors after which the connection is gone, by their codes; class 08 too. */
const LOSSES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETRESET',
  '57P01', // an administrator ended the connection, or the server
  '57P02', // the server crashed
  '57P05', // idle for longer than the server allows
  '25P03', // idle in a transaction
])

/** Whether an error means that the connection is gone, rather than that a statement is wrong. */
export function isLoss(error: ServerError): boolean {
  const { code, message } = error
  if (code === undefined) return /^Connection terminated|not queryable|^Client was closed/.test(message)
  return LOSSES.has(code) || code.startsWith('08')
}

/** What a terminal would obey rather than show. */
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g
const LONGEST = 300

/** A name that came from a server, on one line. */
export const serverName = (name: string): string => name.replaceAll(OBEYED, ' ')

/** What a server said, on one line, as a sentence of ours can end with it. */
export function serverWords(message: string): string {
  const line = serverName(message).trim()
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
  return /[.!?…]$/.test(short) ? short : `${short}.`
}
