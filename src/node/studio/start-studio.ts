import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { answer, isLoopback, type OwnHost, ownHost, readPageFiles, urlHost } from './answer.js'
import { type OfferedLog, resolvedLog } from './offer-log.js'
import { spawn } from 'node:child_process'

export interface StudioOptions {
  /** The address to listen on (default 127.0.0.1: this machine only). */
  host?: string
  /** The port to listen on, 0 for any free one (default 4600, or the next free one). */
  port?: number
  /** A log for the page to open. */
  log?: OfferedLog
  /** The folder of the built page (default: that of this package). */
  folder?: string
}

/** A running studio. */
export interface RunningStudio {
  /** The address of the page for a browser on this machine. */
  readonly url: string
  readonly port: number
  /** False if other machines can reach it. */
  readonly isLocal: boolean
  /** Stops it and closes every connection. */
  close(): Promise<void>
}

export const DEFAULT_PORT = 4600
const LAST_PORT = DEFAULT_PORT + 19
const PAGE = fileURLToPath(new URL('../../studio/', import.meta.url))

/** Serves the page of the studio, and the log if there is one; nothing else on this machine can be read. */
export async function startStudio(options: StudioOptions = {}): Promise<RunningStudio> {
  const { host = '127.0.0.1' } = options
  const log = options.log && (await resolvedLog(options.log))
  const files = await readPageFiles(options.folder ?? PAGE)
  // Until the port is known, no name is.
  let isOwn: OwnHost = () => false
  const server = createServer((request, response) => {
    answer(request, response, { files, log, isOwn }).catch(() => response.destroy())
  })
  const port = await listen(server, host, options.port)
  isOwn = ownHost(host, port)
  return {
    url: `http://${urlHost(isAnyAddress(host) ? 'localhost' : host)}:${port}/`,
    port,
    isLocal: isLoopback(host),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Browsers keep connections open, and a log may still be in transfer.
        server.closeAllConnections()
      }),
  }
}

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Listens on the given port, or on the first free one from the default on. */
async function listen(server: Server, host: string, named: number | undefined): Promise<number> {
  const last = named ?? LAST_PORT
  for (let port = named ?? DEFAULT_PORT; ; port++) {
    try {
      return await listenAt(server, host, port)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      // Some systems reserve whole ranges of ports.
      const mayGoOn = code === 'EADDRINUSE' || code === 'EACCES'
      if (!mayGoOn || port === last) throw cannotListen(host, named, code, cause)
    }
  }
}

function listenAt(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

function cannotListen(
  host: string,
  named: number | undefined,
  code: string | undefined,
  cause: unknown,
): HindcastError {
  const port = named === undefined ? `Every port from ${DEFAULT_PORT} to ${LAST_PORT}` : `Port ${named}`
  if (code === 'EADDRINUSE')
    return new HindcastError('bad-option', `${port} on ${host} is in use.`, {
      remedy:
        named === undefined
          ? advice`Choose a free one with ${set('port')}.`
          : advice`Choose another, or leave out ${set('port')}.`,
      cause,
    })
  if (code === 'EACCES')
    return new HindcastError('bad-option', `${port} on ${host} is reserved by the system.`, {
      remedy: advice`Choose another with ${set('port')}, from 1024 on.`,
      cause,
    })
  return new HindcastError('bad-option', `${host} is not an address of this machine (${code}).`, {
    remedy: advice`Leave out ${set('host')} to serve this machine only, or use ${set('host', '0.0.0.0')} for all its addresses.`,
    cause,
  })
}

const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens an address in the user's browser; calls `onFailure` if that fails. */
export function openInBrowser(url: string, onFailure: () => void): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  opener.once('error', onFailure)
  opener.once('exit', (code) => {
    if (code !== 0) onFailure()
  })
  opener.unref()
}
