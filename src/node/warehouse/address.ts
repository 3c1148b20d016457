import { HindcastError } from '../../error.js'
import { suggest } from '../../suggest.js'

/** Where a warehouse is, as a person types it; never a password. */
export interface WarehouseAddress {
  readonly engine: 'postgresql' | 'trino'
  readonly host: string
  readonly port: number
  readonly user?: string
  /** PostgreSQL: the database. Trino: the catalog, and perhaps the schema. */
  readonly path: readonly string[]
  /** `on`: encrypted, and the server's certificate is verified; `unverified`: encrypted alone; `off`: neither. */
  readonly tls: 'on' | 'unverified' | 'off'
  /** A file with the certificates of authorities to trust, beside those that Node trusts. */
  readonly authorities?: string
  /** For messages and reports: the address without its options. */
  readonly shown: string
}

const SCHEMES = {
  'postgres:': { engine: 'postgresql', port: 5432 },
  'postgresql:': { engine: 'postgresql', port: 5432 },
  'trino:': { engine: 'trino', port: 8443 },
} as const

/** Whether a text is an address of some kind rather than a file: it begins with a scheme. */
export const looksLikeAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text)

/** The address of a warehouse; an error says what is wrong with one. */
export function parseAddress(text: string): WarehouseAddress {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw badAddress('The address of the warehouse cannot be read.')
  }
  const scheme = SCHEMES[url.protocol as keyof typeof SCHEMES]
  if (!scheme) {
    const meant = suggest(url.protocol, Object.keys(SCHEMES))
    throw badAddress(
      `${url.protocol}// is not the address of a warehouse that Hindcast connects to.${meant ? ` Did you mean ${meant}//?` : ''}`,
    )
  }
  if (url.password !== '')
    throw new HindcastError('bad-option', 'The address has a password in it, where others can see it.', {
      remedy:
        scheme.engine === 'trino'
          ? 'Leave it out: it is taken from TRINO_PASSWORD, or asked for.'
          : 'Leave it out: it is taken from PGPASSWORD or ~/.pgpass, or asked for.',
    })
  if (url.hostname === '') throw badAddress('The address does not name a host.')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const tls = tlsOf(url, isLoopback(host))
  const port =
    url.port === '' ? (scheme.engine === 'trino' && tls === 'off' ? 8080 : scheme.port) : Number(url.port)
  const user = decodeURIComponent(url.username)
  const path = url.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  if (path.length > (scheme.engine === 'trino' ? 2 : 1))
    throw badAddress(`The address has ${path.length} parts after the host.`)
  const authorities = url.searchParams.get('ca') ?? url.searchParams.get('sslrootcert') ?? undefined
  return {
    engine: scheme.engine,
    host,
    port,
    ...(user !== '' && { user }),
    path,
    tls,
    ...(authorities !== undefined && { authorities }),
    shown: `${url.protocol}//${user === '' ? '' : `${url.username}@`}${url.host}${url.pathname.replace(/\/$/, '')}`,
  }
}

const OPTIONS = ['tls', 'sslmode', 'ca', 'sslrootcert']

/** Encrypted and verified, unless the server is this machine or the address says otherwise. */
function tlsOf({ searchParams }: URL, isOwn: boolean): WarehouseAddress['tls'] {
  for (const name of searchParams.keys())
    if (!OPTIONS.includes(name)) {
      const meant = suggest(name, OPTIONS)
      throw badAddress(`The address has the unknown option ${name}.${meant ? ` Did you mean ${meant}?` : ''}`)
    }
  const asked = searchParams.get('tls') ?? searchParams.get('sslmode')
  switch (asked) {
    case null:
      return isOwn ? 'off' : 'on'
    case 'on':
    case 'verify-full':
      return 'on'
    case 'unverified':
    case 'require':
      return 'unverified'
    case 'off':
    case 'disable':
      return 'off'
    default:
      throw badAddress(`The address asks for tls=${asked}.`, 'Use tls=on, tls=unverified or tls=off.')
  }
}

/** Whether a host is this machine. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

const badAddress = (message: string, remedy?: string): HindcastError =>
  new HindcastError('bad-option', message, {
    remedy:
      remedy ?? 'Write it as postgres://user@host:5432/database or trino://user@host:8443/catalog/schema.',
  })
