import { HindcastError } from '../error.js'
import { looksLikeAddress } from '../node/warehouse/address.js'
import type { ConnectOptions } from '../node/warehouse/warehouse.js'
import type { WarehouseLog } from '../node/warehouse/warehouse-log.js'
import type { Arguments, Option } from './command.js'
import { number, text } from './parse.js'

/** The options of logs in a warehouse. */
export const WAREHOUSE_OPTIONS: Readonly<Record<string, Option>> = {
  table: {
    type: 'string',
    value: 'NAME',
    help: 'with the address of a warehouse as LOG: its table, such as shop.impressions',
  },
  query: {
    type: 'string',
    value: 'SELECT',
    help: 'instead of --table: a query whose rows are the log',
  },
  where: {
    type: 'string',
    value: 'CONDITION',
    help: 'only rows for which this is true, in the SQL of the warehouse',
  },
  since: {
    type: 'string',
    value: 'TIME',
    help: 'only rows from this date or time on: 2026-03-01, 2026-03-01T12:00Z',
  },
  until: { type: 'string', value: 'TIME', help: 'only rows before this date or time' },
  key: {
    type: 'string',
    value: 'COLUMN',
    help: 'the column that identifies a row of the table: for --cluster row, for the order of rows that are streamed out, and to name rows',
  },
  timeout: { type: 'string', value: 'SECONDS', help: 'cancel a query that takes longer than this' },
}

/** The option of commands that send policies. */
export const SCRATCH_OPTION: Readonly<Record<string, Option>> = {
  scratch: {
    type: 'string',
    value: 'SCHEMA',
    help: 'a schema of the warehouse in which policies from files may be written to tables, dropped at the end; without it nothing is ever written (PostgreSQL)',
  },
}

/** The help's paragraph about warehouses. */
export const WAREHOUSE_NOTE =
  'LOG may also be the address of a warehouse, postgres://user@host/database or trino://user@host:8443/catalog/schema, with --table or --query: the warehouse computes the sums, and only those come back. It is only read. Passwords are taken from PGPASSWORD, ~/.pgpass, TRINO_PASSWORD or TRINO_TOKEN, or asked for. The target warehouse:TABLE[@T] is a table there with user_id, item_id and probability, or score; table:FILE is sent along.'

/** The help's paragraph about warehouses, for commands that need the rows. */
export const STREAMED_NOTE =
  'LOG may also be the address of a warehouse, postgres://user@host/database or trino://user@host:8443/catalog/schema, with --table or --query: its rows are streamed out, and nothing is changed there. Passwords are taken from PGPASSWORD, ~/.pgpass, TRINO_PASSWORD or TRINO_TOKEN, or asked for.'

/** The same for commands that stream out the rows of small logs alone. */
export const EXAMINED_NOTE = STREAMED_NOTE.replace(
  'its rows are streamed out',
  'up to 1,000,000 rows are streamed out, and of more only sums and a sample',
)

/** The commands that take the address of a warehouse. */
const COMMANDS_THERE: readonly string[] = ['evaluate', 'compare', 'plan', 'describe', 'doctor', 'train']

/** The error where rows are needed that stay in a warehouse. */
export const needsRows = (): HindcastError =>
  new HindcastError('bad-option', 'This needs the rows of the log, and those of a warehouse stay there.', {
    remedy: 'Save them to a file with the tools of the warehouse, and give that.',
  })

/** The log in a warehouse that a command was given; undefined where it was given a file. */
export function warehouseLog(args: Arguments, command: string): WarehouseLog | undefined {
  const [address] = args.positionals
  if (address === undefined || !looksLikeAddress(address)) {
    const lone = Object.keys({ ...WAREHOUSE_OPTIONS, ...SCRATCH_OPTION }).find(
      (name) => args.values[name] !== undefined,
    )
    if (lone !== undefined)
      throw new HindcastError('bad-option', `--${lone} is for logs in a warehouse.`, {
        remedy: `Give its address as LOG: hindcast ${command} postgres://user@host/database --table shop.impressions`,
      })
    return undefined
  }
  if (!COMMANDS_THERE.includes(command)) throw needsRows()
  const [table, query, where, since, until, key, scratch] = [
    'table',
    'query',
    'where',
    'since',
    'until',
    'key',
    'scratch',
  ].map((name) => text(args, name))
  if ((table === undefined) === (query === undefined))
    throw new HindcastError(
      'bad-option',
      table === undefined
        ? 'A log in a warehouse needs --table or --query.'
        : '--table and --query exclude each other.',
      { remedy: 'For example: --table shop.impressions, or --query "SELECT … FROM …"' },
    )
  return {
    address,
    rows: table === undefined ? { query: query! } : { table },
    ...(where !== undefined && { where }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(key !== undefined && { key }),
    ...(scratch !== undefined && { scratch }),
  }
}

/** How to connect to it. */
export async function connectOptions(
  args: Arguments,
): Promise<Pick<ConnectOptions, 'timeout' | 'askPassword'>> {
  const timeout = number(args, 'timeout')
  if (timeout !== undefined && !(timeout > 0))
    throw new HindcastError('bad-option', '--timeout expects a number of seconds above 0.', {
      remedy: 'For example: --timeout 600',
    })
  const { askPassword } = await import('./ask-password.js')
  return { ...(timeout !== undefined && { timeout }), ...(process.stdin.isTTY && { askPassword }) }
}
