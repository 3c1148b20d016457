import { parseMoment } from '../sql/moment.js'
import { HindcastError } from '../error.js'
import { given } from '../given.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import { ID_COLUMNS, REQUIRED_COLUMNS } from '../log/columns.js'
import { parseColumnMapping } from '../log/layout.js'
import { originOf } from '../log/values/origin.js'
import { namesIn } from '../log/values/value.js'
import { listed } from '../listed.js'
import type { PolicyTable } from '../sql/script/policy-steps.js'
import type { ColumnKind, SqlColumn } from '../sql/column-kind.js'
import type { Dialect } from '../sql/dialect.js'
import { DIALECTS } from '../sql/dialects/index.js'
import type { SqlTarget } from '../sql/weighed-rows.js'
import { suggest } from '../suggest.js'
import type { Arguments, Command } from './command.js'
import { EVALUATE_OPTIONS, withNamedColumns } from './evaluate-options.js'
import { LOG_OPTIONS } from './log-options.js'
import { number, oneOf, text } from './parse.js'
import { POLICY_OPTIONS } from './target-option.js'

/** Kinds of columns that a person may state. */
const KINDS = ['text', 'integer', 'number', 'boolean', 'time', 'instant', 'date'] as const

export const sql: Command = {
  name: 'sql',
  usage: 'sql --dialect NAME --table TABLE --columns MAP --target WHICH [options] > sums.sql',
  about:
    'Prints one SQL statement for a warehouse that Hindcast does not connect to. You read it, run it where you may, and save its result; hindcast evaluate --sums reads that and gives the same answer and verdict as from the rows. The statement only reads. What comes back is small: sums for at most 65,536 buckets of users, and as many of users and days, and for the checks of rows 4,096 buckets of users and a few hundred numbers.',
  options: {
    dialect: { value: 'NAME', help: 'the SQL of which engine, from the list below' },
    table: {
      value: 'TABLE',
      help: 'the table of the log: shop.impressions; parts with odd names in double quotes',
    },
    query: { value: 'SELECT', help: 'a query whose rows are the log, instead of --table' },
    columns: {
      value: 'MAP',
      help: 'its columns, or values computed from them: "user=user_id,item=sku,reward=clicked,propensity=p / 100,time=shown_at"',
    },
    kinds: {
      value: 'MAP',
      help: `what columns hold, where that is not plain: "clicked=boolean,shown_at=instant"; ${KINDS.join(', ')}. Ids are text, times timestamps without a zone (time), all others numbers`,
    },
    target: {
      value: 'WHICH',
      help: 'the target policy, which has no default: uniform; logging; column:NAME with its probabilities; warehouse:TABLE with user_id, item_id and probability',
    },
    where: { value: 'SQL', help: 'only rows for which this condition holds, in the SQL of the engine' },
    since: { value: 'TIME', help: 'only rows from this time on, in UTC: 2026-05-01' },
    until: { value: 'TIME', help: 'only rows before this time' },
    estimators: {
      value: 'LIST',
      help: 'comma-separated (default ips,snips; with columns q and v also dm,dr); those with λ need one: clipped-ips:10',
    },
    cluster: EVALUATE_OPTIONS['cluster']!,
    propensity: { value: 'CHOICE', help: 'propensities, if none were logged: none, uniform, constant:P' },
    'click-from': LOG_OPTIONS['click-from']!,
    'missing-user': POLICY_OPTIONS['missing-user']!,
    'policy-columns': {
      value: 'MAP',
      help: 'columns of warehouse:TABLE, if not user_id, item_id and probability: user=uid,item=sku,probability=p; without user, all users have the same',
    },
    dbt: {
      help: 'as a dbt model: --table names a model (impressions) or a source and its table (shop.impressions)',
    },
  },
  examples: [
    [
      'hindcast sql --dialect bigquery --table shop.impressions --columns "user=user_id,item=sku,reward=clicked,propensity=p,time=shown_at" --target uniform > sums.sql',
      'what would uniformly random recommendations have earned?',
    ],
    ['hindcast evaluate --sums sums.csv', 'the verdict, from its saved result'],
    [
      'hindcast sql --dialect snowflake --table shop.impressions --columns "user=user_id,item=sku,reward=clicked,propensity=p" --target column:new_p --dbt > models/sums.sql',
      'as a dbt model',
    ],
  ],
  lists: [
    {
      heading: 'Engines (--dialect)',
      rows: () => DIALECTS.map(({ name, label }) => [name, label]),
    },
  ],
  async run(args, context) {
    context.terminal.print((await statementOf(args)).trimEnd())
    return 0
  },
}

/** The statement that was asked for, with its head. */
async function statementOf(args: Arguments): Promise<string> {
  const { sumsStatement } = await import('../estimate/source/sums-statement.js')
  const dialect = dialectOf(args)
  const { from, name, references } = await sourceOf(args, dialect)
  const typed = text(args, 'target')
  if (typed === undefined)
    throw new HindcastError('bad-option', 'hindcast sql needs --target: which policy is asked about?', {
      remedy: TARGETS_OF_ONE_STATEMENT,
    })
  const { origins, columns } = columnsOf(withNamedColumns(typed, args))
  const { tableRelation } = await import('../sql/table-relation.js')
  const relation = tableRelation(dialect, { from, columns }, origins)
  const target = await targetOf(typed, args, dialect)
  const propensity = await propensityOf(args)
  if (target.target.kind !== 'logging' && !propensity && relation.numbers.propensity === undefined)
    throw new HindcastError('missing-propensity', 'No column of propensities is named.', {
      remedy: 'Add propensity=… to --columns, or choose what to assume with --propensity.',
    })
  const where = conditionOf(args, dialect, relation.numbers.time, columns)
  const estimators = text(args, 'estimators')?.split(',').map((one) => one.trim()) // prettier-ignore
  const cluster = text(args, 'cluster')?.replace(/column:.*?(?=\+|$)/, 'column')
  const { sql: statement } = sumsStatement({
    dialect,
    relation,
    table: name,
    ...target,
    ...given({ estimators, cluster, propensity, clickFrom: number(args, 'click-from'), where }),
    isQuery: text(args, 'query') !== undefined,
    about: (fingerprint) => headOf(dialect, name, typed, fingerprint, args.values['dbt'] === true),
  })
  if (args.values['dbt'] !== true) return statement
  const { dbtModel } = await import('../sql/script/dbt.js')
  return dbtModel(statement, [...references, ...target.references])
}

function dialectOf(args: Arguments): Dialect {
  const typed = text(args, 'dialect')
  const names = DIALECTS.map(({ name }) => name)
  const found = DIALECTS.find(({ name }) => name === typed?.toLowerCase())
  if (found) return found
  const meant = typed === undefined ? undefined : suggest(typed, names)
  throw new HindcastError(
    'bad-option',
    typed === undefined ? 'hindcast sql needs --dialect.' : `There is no dialect ${JSON.stringify(typed)}.`,
    { remedy: `${meant ? `Did you mean ${meant}? ` : ''}Choose from ${listed(names)}.` },
  )
}

/** What to select from, what to call it, and which references of dbt it has. */
async function sourceOf(
  args: Arguments,
  dialect: Dialect,
): Promise<{ from: string; name: string; references: string[] }> {
  const [table, query] = [text(args, 'table'), text(args, 'query')]
  if ((table === undefined) === (query === undefined))
    throw new HindcastError('bad-option', 'hindcast sql needs either --table or --query.', {
      remedy: 'For example: --table shop.impressions',
    })
  if (query !== undefined) {
    const trimmed = query.trim().replace(/;\s*$/, '')
    // A line of its own for the bracket: the query may end with a comment.
    return { from: `(\n${trimmed}\n) AS asked`, name: 'query', references: referencesIn(trimmed) }
  }
  const { tableSql } = await import('../sql/table-name.js')
  if (args.values['dbt'] !== true) return { from: tableSql(dialect, table!), name: table!, references: [] }
  const { dbtReference } = await import('../sql/script/dbt.js')
  const reference = dbtReference(table!)
  return { from: reference, name: table!, references: [reference] }
}

/** The references of dbt that a person wrote. */
const referencesIn = (query: string): string[] => query.match(/\{\{.*?\}\}/gs) ?? []

/** The columns of the log, and those of the table that they come from with what they hold. */
function columnsOf(args: Arguments): { origins: ColumnOrigins; columns: SqlColumn[] } {
  const typed = text(args, 'columns')
  const mapping = parseColumnMapping(typed ?? '')
  const missing = REQUIRED_COLUMNS.filter((column) => mapping[column] === undefined)
  if (missing.length > 0)
    throw new HindcastError('bad-option', `--columns does not name the column of the ${listed(missing)}.`, {
      remedy: 'For example: --columns "user=user_id,item=sku,reward=clicked,propensity=p,time=shown_at"',
    })
  const stated = kindsOf(text(args, 'kinds'))
  const columns = new Map<string, SqlColumn>()
  const origins: Record<string, string[]> = {}
  for (const [column, own] of Object.entries(mapping)) {
    const isId = (ID_COLUMNS as readonly string[]).includes(column)
    const origin = isId ? undefined : originOf(own, [], column)
    const names = isId ? [unquoted(own)] : origin!.kind === 'column' ? [origin!.name] : namesIn(origin!.value)
    origins[column] = isId || origin!.kind === 'column' ? names : [own]
    const usual: ColumnKind = isId
      ? 'text'
      : column === 'time' && origin!.kind === 'column'
        ? 'time'
        : 'number'
    for (const name of names) {
      const kind = stated.get(name) ?? columns.get(name)?.kind ?? usual
      columns.set(name, { name, type: kind, kind })
    }
  }
  const unknown = [...stated.keys()].find((name) => !columns.has(name))
  if (unknown !== undefined)
    throw new HindcastError('bad-option', `--kinds names the column ${unknown}, which --columns does not.`, {
      remedy: 'Name columns of the table, as --columns does.',
    })
  return { origins: origins as ColumnOrigins, columns: [...columns.values()] }
}

/** A name without the double quotes around it. */
const unquoted = (name: string): string =>
  /^".*"$/s.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name

function kindsOf(typed: string | undefined): Map<string, ColumnKind> {
  const pairs = (typed ?? '').split(',').filter((pair) => pair.trim() !== '')
  return new Map(
    pairs.map((pair): [string, ColumnKind] => {
      const equals = pair.lastIndexOf('=')
      const [name, kind] = [unquoted(pair.slice(0, equals).trim()), pair.slice(equals + 1).trim()]
      if (equals > 0 && (KINDS as readonly string[]).includes(kind)) return [name, kind as ColumnKind]
      throw new HindcastError(
        'bad-option',
        `--kinds: ${JSON.stringify(pair)} does not have the form column=KIND.`,
        {
          remedy: `KIND is one of ${KINDS.join(', ')}.`,
        },
      )
    }),
  )
}

const TARGETS_OF_ONE_STATEMENT =
  'Choose uniform (every item equally often), logging, column:NAME (a column with the probability of the item shown) or warehouse:TABLE (user_id, item_id, probability).'

/** The target, and the table of its probabilities where it is one. */
async function targetOf(
  typed: string,
  args: Arguments,
  dialect: Dialect,
): Promise<{ target: SqlTarget; policy?: PolicyTable; references: string[] }> {
  const [kind, named] = [typed.split(':', 1)[0]!, typed.slice(typed.indexOf(':') + 1)]
  if (typed === 'uniform' || typed === 'logging') return { target: { kind: typed }, references: [] }
  if (kind === 'column' && named !== '') return { target: { kind, name: named }, references: [] }
  if (kind !== 'warehouse' || named === '')
    throw new HindcastError(
      'bad-option',
      `One statement cannot evaluate the target ${JSON.stringify(typed)}.`,
      {
        remedy: TARGETS_OF_ONE_STATEMENT,
      },
    )
  const { policyTarget } = await import('../sql/script/policy-steps.js')
  const { tableSql } = await import('../sql/table-name.js')
  const { dbtReference } = await import('../sql/script/dbt.js')
  const { parsePolicyColumns } = await import('../read/policy/policy-columns.js')
  const mapped = text(args, 'policy-columns')
  const names = mapped === undefined ? { user: 'user_id' } : parsePolicyColumns(mapped)
  const cell = (name: string): string => dialect.identifier(name)
  const id = (name: string): string => `nullif(${dialect.text(cell(name))}, '')`
  const isDbt = args.values['dbt'] === true
  const from = isDbt ? dbtReference(named) : tableSql(dialect, named)
  const policy: PolicyTable = {
    from,
    ...(names.user !== undefined && { user: id(names.user) }),
    item: id(('item' in names ? names.item : undefined) ?? 'item_id'),
    probability: dialect.double(
      cell(('probability' in names ? names.probability : undefined) ?? 'probability'),
    ),
    missing: oneOf(args, 'missing-user', ['logging', 'uniform', 'error'] as const) ?? 'error',
  }
  return { target: policyTarget(named, policy), policy, references: isDbt ? [from] : [] }
}

async function propensityOf(args: Arguments) {
  const typed = text(args, 'propensity')
  if (typed === undefined) return undefined
  const { parsePropensityChoice } = await import('../propensity/choice.js')
  const choice = parsePropensityChoice(typed)
  if (choice.kind === 'none' || choice.kind === 'uniform' || choice.kind === 'constant') return choice
  throw new HindcastError('bad-option', `Propensities by ${choice.kind} need the log in memory.`, {
    remedy: 'Choose none, uniform or constant:P, or add the propensities to the table as a column.',
  })
}

/** The condition that rows must meet. */
function conditionOf(
  args: Arguments,
  dialect: Dialect,
  time: string | undefined,
  columns: readonly SqlColumn[],
): string | undefined {
  const [where, since, until] = [text(args, 'where'), text(args, 'since'), text(args, 'until')]
  const isClock = columns.some(({ kind }) => ['time', 'instant', 'date'].includes(kind))
  const bound = (name: string, typed: string | undefined, sign: string): string[] => {
    if (typed === undefined) return []
    if (time === undefined || !isClock)
      throw new HindcastError('bad-option', `--${name} needs a column of times.`, {
        remedy: 'Name it with time=… in --columns; for times that are numbers, use --where.',
      })
    return [`${time} ${sign} ${dialect.number(parseMoment(typed))}`]
  }
  const conditions = [
    // A line of its own for the bracket: the condition may end with a comment.
    ...(where === undefined ? [] : [`(${where}\n  )`]),
    ...bound('since', since, '>='),
    ...bound('until', until, '<'),
  ]
  return conditions.length === 0 ? undefined : conditions.join(' AND ')
}

/** What a person who reads the statement has to know. */
function headOf(
  dialect: Dialect,
  table: string,
  target: string,
  fingerprint: string,
  isDbt: boolean,
): string {
  return [
    `Sums for Hindcast, in the SQL of ${dialect.label}: the target ${target} on ${table}. Statement ${fingerprint}.`,
    '',
    'It only reads: nothing is created or changed. What comes back is small, whatever the size of the table: sums for at most',
    '65,536 buckets of users (and as many of users and days), the largest weights, and a few thousand counts and extremes.',
    'No row and no id of a user is among them, unless rows break a rule: then five of those come back.',
    '',
    isDbt
      ? 'As a dbt model it is materialised as a table: export that table whole, as CSV, Parquet or JSON with all digits, and run'
      : 'Save the whole result as CSV, Parquet or JSON, with its header and all digits, and run',
    '',
    '  hindcast evaluate --sums sums.csv',
  ].join('\n')
}
