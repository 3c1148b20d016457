import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { parseKinds } from '../log/join/join-options.js'
import { looksLikeAddress } from '../node/warehouse/address.js'
import type { ConnectOptions } from '../node/warehouse/warehouse.js'
import type { WarehouseLog, WarehouseRows } from '../node/warehouse/warehouse-log.js'
import type { Arguments, Option } from './command.js'
import { number, text } from './parse.js'

/** The options of logs in a warehouse. */
export const WAREHOUSE_OPTIONS: Readonly<Record<string, Option>> = {
  table: {
    value: 'NAME',
    help: 'with the address of a warehouse as LOG: its table, such as shop.impressions; or two, with --decisions and --outcomes',
  },
  query: { value: 'SELECT', help: 'instead of --table: a query whose rows are the log' },
  where: { value: 'CONDITION', help: 'only rows for which this is true, in the SQL of the warehouse' },
  since: { value: 'TIME', help: 'only rows from this date or time on: 2026-03-01, 2026-03-01T12:00Z' },
  until: { value: 'TIME', help: 'only rows before this date or time' },
  key: {
    value: 'COLUMN',
    help: 'the column that identifies a row of the table: for --cluster row, for the order of rows that are streamed out, and to name rows',
  },
  timeout: { value: 'SECONDS', help: 'cancel a query that takes longer than this' },
}

/** The option of commands that send policies. */
export const SCRATCH_OPTION: Readonly<Record<string, Option>> = {
  scratch: {
    value: 'SCHEMA',
    help: 'a schema of the warehouse in which policies from files may be written to tables, dropped at the end; without it nothing is ever written (PostgreSQL)',
  },
}

/** The help's paragraph about warehouses. */
export const WAREHOUSE_NOTE =
  'LOG may also be the address of a warehouse, postgres://user@host/database or trino://user@host:8443/catalog/schema, with --table or --query: the warehouse computes the sums, and only those come back. --decisions and --outcomes, or --events, then name tables there, or queries in parentheses, which the warehouse joins. Hindcast only reads it. Passwords are taken from PGPASSWORD, ~/.pgpass, TRINO_PASSWORD or TRINO_TOKEN, or asked for. The target warehouse:TABLE is a table there with user_id, item_id and probability, and warehouse:TABLE@RULE one with a score; table:FILE is sent along.'

/** The options that say how outcomes are joined. */
export const JOINING_OPTIONS = ['outcome-columns', 'wait', 'default-reward', 'reward', 'match-ids']

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
  return {
    address,
    ...rowsNamed(args),
    ...given({
      where: text(args, 'where'),
      since: text(args, 'since'),
      until: text(args, 'until'),
      key: text(args, 'key'),
      scratch: text(args, 'scratch'),
    }),
  }
}

/** The options that name the rows of a log in a warehouse. */
const ROWS = ['table', 'query', 'decisions', 'events'] as const

/** The table or query of the rows and, where they are to be joined, of their outcomes. */
function rowsNamed(args: Arguments): Pick<WarehouseLog, 'rows' | 'outcomes' | 'kinds'> {
  const given = ROWS.filter((name) => args.values[name] !== undefined)
  const [option] = given
  if (option === undefined)
    throw needs(
      'A log in a warehouse needs --table or --query.',
      'For example: --table shop.impressions, or --query "SELECT … FROM …"',
    )
  if (given.length > 1)
    throw needs(
      `--${given[0]} and --${given[1]} exclude each other.`,
      'For example: --table shop.impressions, or --query "SELECT … FROM …"',
    )
  const typed = text(args, option)!
  const rows = option === 'query' ? { query: typed } : tableOrQuery(typed)
  const [outcomes, kind] = [text(args, 'outcomes'), text(args, 'kind')]
  if (outcomes !== undefined && (kind !== undefined || option === 'events'))
    throw needs(
      '--outcomes and --kind exclude each other.',
      'Use --outcomes for a second table, or --events with --kind for events of one table.',
    )
  if (outcomes !== undefined) return { rows, outcomes: tableOrQuery(outcomes) }
  if (kind !== undefined && option !== 'decisions') return { rows, kinds: parseKinds(kind) }
  if (option === 'events')
    throw needs(
      '--events needs to know which events are decisions.',
      'For example: --kind event:impression=decision,click=outcome',
    )
  const lone =
    option === 'decisions' ? option : JOINING_OPTIONS.find((name) => args.values[name] !== undefined)
  if (lone !== undefined)
    throw needs(`--${lone} needs outcomes to join.`, 'Name their table with --outcomes.')
  return { rows }
}

/** A query stands in parentheses; anything else is the name of a table. */
function tableOrQuery(typed: string): WarehouseRows {
  const query = /^\s*\(([^]*)\)\s*$/.exec(typed)?.[1]
  return query === undefined ? { table: typed } : { query }
}

const needs = (message: string, remedy: string): HindcastError =>
  new HindcastError('bad-option', message, { remedy })

/** How to connect to it. */
export async function connectOptions(
  args: Arguments,
): Promise<Pick<ConnectOptions, 'timeout' | 'askPassword'>> {
  const timeout = number(args, 'timeout')
  if (timeout !== undefined && !(timeout > 0))
    throw new HindcastError('bad-option', '--timeout expects a number of seconds above 0.', {
      remedy: 'For example: --timeout 600',
    })
  return given({ timeout, askPassword: process.stdin.isTTY ? askPassword : undefined })
}

const [ENTER, NEWLINE, INTERRUPT, END, BACKSPACE, DELETE] = ['\r', '\n', '\u0003', '\u0004', '\b', '\u007f']

/** Asks the person at the terminal for a password, which is not shown. */
function askPassword(about: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(`Password for ${about}: `)
  return new Promise((resolve, reject) => {
    let typed = ''
    const finish = (end: () => void): void => {
      stdin.off('data', hear)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      end()
    }
    const hear = (letters: string): void => {
      for (const letter of letters)
        if (letter === ENTER || letter === NEWLINE || letter === END) return finish(() => resolve(typed))
        else if (letter === INTERRUPT)
          return finish(() => reject(new HindcastError('interrupted', 'Interrupted.')))
        else if (letter === BACKSPACE || letter === DELETE) typed = [...typed].slice(0, -1).join('')
        else typed += letter
    }
    stdin.setEncoding('utf8')
    stdin.setRawMode(true)
    stdin.resume()
    stdin.on('data', hear)
  })
}
