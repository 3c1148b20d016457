import { isIP, isIPv6 } from 'node:net'
import { hostname } from 'node:os'

/** Whether a `Host` header names this server. */
export type OwnHost = (header: string | undefined) => boolean

/** True if only this machine can reach a server that listens on this address. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)

/** An address as it stands in a URL. */
export const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/**
 * The names under which a server responds. Another site's name that resolves to this machine (DNS rebinding) must
 * not read the log. A server for this machine responds to its own names with its own port. One for others also
 * responds to bare addresses, which no other site can have as its name, and to the names of the machine.
 */
export const ownHost = (host: string, port: number): OwnHost =>
  isLoopback(host) ? localHost(host, port) : reachableHost(host)

function localHost(host: string, port: number): OwnHost {
  const names = ['localhost', '127.0.0.1', '[::1]', urlHost(host.toLowerCase())]
  const own = new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])))
  return (header) => own.has(header?.toLowerCase() ?? '')
}

function reachableHost(host: string): OwnHost {
  const machine = hostname().toLowerCase()
  const [first = machine] = machine.split('.')
  const own = new Set(['localhost', host.toLowerCase(), machine, first, `${first}.local`])
  return (header = '') => {
    // The port may be another where it is forwarded.
    const name = header.toLowerCase().replace(/:\d*$/, '')
    return own.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  }
}
