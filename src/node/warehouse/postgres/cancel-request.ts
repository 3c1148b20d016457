import type { Connection } from 'pg'
import type { Pg } from './load-pg.js'
import type { PostgresTarget } from './target.js'

/** What the server named a connection at its start; whoever knows both may cancel what runs in it. */
export interface BackendKey {
  readonly processID: number
  readonly secretKey: number
}

/** The parts of `pg`'s connection that its types leave out. */
interface RawConnection extends Connection {
  connect(port: number, host: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Asks the server to cancel what runs in a connection, through another one that needs no password and none of the places
 * that the server has for users. Resolves once the server has read it, or cannot be reached.
 */
export function cancelRequest(
  { Connection }: Pg,
  { host, port, ssl }: PostgresTarget,
  { processID, secretKey }: BackendKey,
): Promise<void> {
  return new Promise((resolve) => {
    const connection = new Connection({ ssl } as object) as RawConnection
    const asked = (): void => connection.cancel(processID, secretKey)
    connection.on('connect', () => (ssl ? connection.requestSsl() : asked()))
    connection.on('sslconnect', asked)
    connection.on('error', () => resolve())
    // The server hangs up as soon as it has read the request.
    connection.on('end', () => resolve())
    connection.connect(port, host)
    const tooLate = setTimeout(() => connection.stream.destroy(), CANCEL_MILLISECONDS)
    connection.on('end', () => clearTimeout(tooLate))
  })
}

const CANCEL_MILLISECONDS = 1000
