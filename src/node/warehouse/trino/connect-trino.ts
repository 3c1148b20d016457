import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { HindcastError } from '../../../error.js'
import type { WarehouseAddress } from '../address.js'
import type { ConnectOptions, Warehouse } from '../warehouse.js'
import { trinoFailure } from './trino-failure.js'
import { type TrinoInfo, TrinoSession } from './trino-session.js'
import { TrinoWarehouse } from './trino-warehouse.js'

/** The first version that is called Trino in its protocol. */
const OLDEST = 351
/** A server that starts up is waited for so long, in milliseconds. */
const STARTS_WITHIN = 60_000

/** Connects to Trino, and asks whether the user may ask. Nothing but SELECT is ever sent. */
export async function connectTrino(address: WarehouseAddress, options: ConnectOptions): Promise<Warehouse> {
  for (const part of [address.user ?? '', ...address.path])
    if (!/^[\x20-\x7e]*$/.test(part))
      throw new HindcastError('bad-option', 'The address has a character that Trino cannot take there.', {
        remedy: 'Use letters, digits and signs of ASCII for user, catalog and schema.',
      })
  const session = new TrinoSession(address, options, await authoritiesOf(address))
  try {
    requireVersion(await started(session, address, options))
    for await (const _page of session.pages('SELECT 1', { isOwn: true }));
    return new TrinoWarehouse(session, address)
  } catch (cause) {
    await session.close()
    throw await trinoFailure(cause, { shown: address.shown, names: async () => [] })
  }
}

async function authoritiesOf({ authorities }: WarehouseAddress): Promise<string | undefined> {
  if (authorities === undefined) return undefined
  try {
    return await readFile(authorities, 'utf8')
  } catch (cause) {
    throw new HindcastError('not-found', `The certificates in ${authorities} cannot be read.`, {
      remedy: 'Check the file that the address names with ca=.',
      cause,
    })
  }
}

/** What the server says of itself, once it has started. */
async function started(
  session: TrinoSession,
  { shown }: WarehouseAddress,
  { signal, onNote }: ConnectOptions,
): Promise<TrinoInfo | undefined> {
  const until = Date.now() + STARTS_WITHIN
  let info = await session.info()
  if (info?.starting) onNote?.(`${shown} is starting up.`)
  while (info?.starting && Date.now() < until) {
    await sleep(1000, undefined, { ...(signal && { signal }) }).catch(() => undefined)
    if (signal?.aborted) break
    info = await session.info()
  }
  return info
}

/** Versions of some vendors have more behind their number; one before Trino's name begins with 0. */
function requireVersion(info: TrinoInfo | undefined): void {
  const version = info?.nodeVersion?.version
  const number = version === undefined ? NaN : Number.parseInt(version, 10)
  if (Number.isNaN(number) || number >= OLDEST) return
  throw new HindcastError(
    'bad-option',
    `The server is Trino ${version}, and Hindcast needs ${OLDEST} or later.`,
    {
      remedy: 'Export the table to a Parquet or CSV file and evaluate that.',
    },
  )
}
