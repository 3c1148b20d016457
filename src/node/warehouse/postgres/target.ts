import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { type ConnectionOptions, rootCertificates } from 'node:tls'
import { HindcastError } from '../../../error.js'
import type { WarehouseAddress } from '../address.js'
import type { Login } from '../password.js'

/** Which server and database to connect to, as whom, and how its certificate is verified. */
export interface PostgresTarget extends Login {
  /** For messages: the address without options. */
  readonly shown: string
  /** False where nothing is encrypted. */
  readonly ssl: false | ConnectionOptions
}

/** What an address says, and what it leaves to the environment: the user, then the database of the user's name. */
export async function targetOf(
  address: WarehouseAddress,
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): Promise<PostgresTarget> {
  const user = address.user ?? (environment['PGUSER'] || systemUser())
  const [database = environment['PGDATABASE'] || user] = address.path
  return {
    host: address.host,
    port: address.port,
    user,
    database,
    shown: address.shown,
    ssl: await sslOf(address),
  }
}

function systemUser(): string {
  try {
    return userInfo().username
  } catch (cause) {
    throw new HindcastError(
      'bad-option',
      'The address does not name a user, and the system does not know your user name.',
      {
        remedy: 'Write it as postgres://user@host/database.',
        cause,
      },
    )
  }
}

async function sslOf({ tls, authorities }: WarehouseAddress): Promise<PostgresTarget['ssl']> {
  if (tls === 'off') return false
  if (tls === 'unverified') return { rejectUnauthorized: false }
  if (authorities === undefined) return { rejectUnauthorized: true }
  const own = await readFile(authorities, 'utf8').catch((cause: unknown) => {
    throw new HindcastError('not-found', `The certificates in ${authorities} cannot be read.`, {
      remedy: 'Check the name of the file in the address.',
      cause,
    })
  })
  return { rejectUnauthorized: true, ca: [...rootCertificates, own] }
}
