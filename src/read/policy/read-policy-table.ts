import { advice, set } from '../../advice.js'
import { HindcastError, throwIfAborted } from '../../error.js'
import { detect, firstRecord } from '../../log/bytes/detect.js'
import { readHead } from '../../log/bytes/head.js'
import type { ByteInput } from '../../log/bytes/input.js'
import { textSource } from '../../log/bytes/text-source.js'
import type { ColumnOrigins } from '../../log/bad-rows.js'
import { cellNumber } from '../../log/cell.js'
import { canonical } from '../../log/formats/canonical.js'
import { isPerItem, type Shape } from '../../log/shape.js'
import { groupRows, type RowGroups } from '../../log/row-groups.js'
import { type Batch, MISSING, type RowSource } from '../../log/source.js'
import { planParquetColumns, planTextColumns } from '../notations.js'
import {
  findPolicyColumns,
  findWideColumns,
  type FoundColumns,
  type NamesInLog,
  type PolicyColumnMapping,
  valueColumn,
} from './policy-columns.js'
import { isPolicyValue, POLICY_VALUE, type PolicyFile } from './policy-file.js'
import { readWideTable, wideOrigins } from './wide-table.js'

/** What a table holds, and what its columns are called if not as usual. */
export interface PolicyTableOptions {
  readonly kind: PolicyFile['kind']
  readonly columns?: PolicyColumnMapping
  /** What the log that it is for calls its columns: the table may call its own alike. */
  readonly inLog?: NamesInLog
  /** The largest probability (default 1): 100 where they may be percentages. */
  readonly most?: number
  readonly signal?: AbortSignal
}

/** A table of a policy that was opened: its rows, and the columns found. */
interface Opened {
  readonly source: RowSource
  readonly found: FoundColumns
}

/**
 * Reads a table of items with their probabilities or scores, for each user if it has a column of users: CSV, TSV, NDJSON
 * or Parquet, gzipped or not, recognised by its content as a log is. It has one row per user and item, or one per user with
 * lists, or with a column per item. A row that cannot be used is an error that names it.
 */
export async function readPolicyTable(input: ByteInput, options: PolicyTableOptions): Promise<PolicyFile> {
  const { kind, columns, inLog } = options
  const { names, shape, sourceOf } = await open(input, options)
  const wide = shape.paths.size === 0 ? findWideColumns(names, columns, inLog) : undefined
  if (wide) return readWideTable(await sourceOf(wideOrigins(wide)), wide, options)
  const nested = [...shape.paths.keys()].filter((path) => !names.includes(path))
  const found = findPolicyColumns(input.name, [...names, ...nested], kind, columns, inLog)
  requireListsTogether(input.name, found, shape)
  return readLongTable({ source: await sourceOf(originsOf(found)), found }, options)
}

/**
 * Where a row lists items, it lists their values too: one for all of them would mean something else. A text such as
 * `["a","b"]` may just as well be the id of one item, and then has one value.
 */
function requireListsTogether(file: string, { item, value }: FoundColumns, shape: Shape): void {
  const isId = shape.texts.has(shape.paths.get(item)?.column ?? '')
  const [items, values] = [item, value].map((name) => isPerItem(name, shape))
  if (items === values || (items && isId)) return
  const [lists, single] = items ? [item, value] : [value, item]
  throw new HindcastError('bad-file', `${file}: ${lists} holds lists, but ${single} does not.`, {
    remedy: `Give one row per user with ${item} and ${value} as lists of the same length, or one row per user and item.`,
  })
}

async function readLongTable(opened: Opened, options: PolicyTableOptions): Promise<PolicyFile> {
  const entries = await readEntries(opened, options)
  const { source, found } = opened
  const idsOf = (column: 'user' | 'item'): string[] =>
    Array.from({ length: source.codes(column).count }, (_, code) => source.idText(column, code))
  const itemIds = idsOf('item')
  const userIds = found.user === undefined ? undefined : idsOf('user')
  const groups = groupRows(entries.user ?? new Uint32Array(entries.item.length), userIds?.length ?? 1)
  await refuseRepeated(opened, entries, groups, userIds, itemIds)
  const { start, rows } = groups
  const items = Uint32Array.from(rows, (row) => entries.item[row]!)
  const values = Float64Array.from(rows, (row) => entries.value[row]!)
  return {
    name: source.name,
    kind: options.kind,
    userIds,
    itemIds,
    items: (row) => items.subarray(start[row], start[row + 1]),
    values: (row) => values.subarray(start[row], start[row + 1]),
  }
}

/** A table whose columns have names: its rows can be asked for by the columns they are made of. */
interface Table {
  readonly names: readonly string[]
  /** What its cells hold besides single values. */
  readonly shape: Shape
  /** Its rows; numbers with decimal commas or percent signs are read as a log's are. */
  sourceOf(origins: ColumnOrigins): Promise<RowSource>
}

async function open(input: ByteInput, { kind, columns, inLog }: PolicyTableOptions): Promise<Table> {
  const head = await readHead(input)
  if (!head.isParquet) refuseHeaderless(input.name, head.text, kind)
  const container = await detect(input, canonical)
  if (container.kind === 'parquet') {
    const { openParquet, openTexts, parquetSource } = await import('../../log/bytes/parquet-source.js')
    const opened = await openParquet(input, container.wraps)
    // Numbers that are texts may be lists of numbers.
    const value = valueColumn(opened.columns, kind, columns, inLog)
    const parquet = value !== undefined && opened.textColumns.has(value) ? await openTexts(opened) : opened
    return {
      names: parquet.columns,
      shape: parquet.shape,
      sourceOf: async (origins) =>
        parquetSource(parquet, await planParquetColumns(parquet, {}, () => origins)),
    }
  }
  return {
    names: container.names,
    shape: container.shape,
    sourceOf: async (origins) =>
      textSource(input, container, await planTextColumns(input, container, {}, () => origins)),
  }
}

/** The names that the columns of a table go by, also those inside of lists. */
export async function policyTableColumns(input: ByteInput): Promise<readonly string[]> {
  const { names, shape } = await open(input, { kind: 'probability' })
  return [...names, ...[...shape.paths.keys()].filter((path) => !names.includes(path))]
}

/** The value stands where a log has the reward, of which a reader asks only that it is a number. */
const originsOf = ({ user, item, value }: FoundColumns): ColumnOrigins => ({
  ...(user !== undefined && { user: [user] }),
  item: [item],
  reward: [value],
})

function refuseHeaderless(file: string, text: string, kind: PolicyFile['kind']): void {
  if (/^\s*[{[]/.test(text)) return
  const { fields, line } = firstRecord(text)
  if (fields.every((field) => !Number.isNaN(cellNumber(field))))
    throw new HindcastError(
      'bad-file',
      `${file} has no header line: it starts with ${JSON.stringify(line.slice(0, 60))}.`,
      { remedy: `Write the names of its columns above it, such as user_id,item_id,${kind}.` },
    )
}

/** The rows of a table, in their order. */
interface Entries {
  readonly user: Uint32Array | undefined
  readonly item: Uint32Array
  readonly value: Float64Array
}

async function readEntries(opened: Opened, { kind, most, signal }: PolicyTableOptions): Promise<Entries> {
  const { source, found } = opened
  const batches: Batch[] = []
  let rows = 0
  for await (const batch of source.batches(signal)) {
    const bad = firstBad(batch, { kind, most }, found)
    if (bad !== undefined) throw await badRow(opened, rows + bad, kind, batch.broken?.get(bad))
    batches.push(batch)
    rows += batch.rows
  }
  throwIfAborted(signal)
  if (rows === 0)
    throw new HindcastError('bad-file', `${source.name} has no rows.`, {
      remedy: 'Give a table with at least one item.',
    })
  const joined = <Values extends Uint32Array | Float64Array>(
    whole: Values,
    of: (batch: Batch) => Values,
  ): Values => {
    let place = 0
    for (const batch of batches) {
      whole.set(of(batch), place)
      place += batch.rows
    }
    return whole
  }
  return {
    user: found.user === undefined ? undefined : joined(new Uint32Array(rows), ({ ids }) => ids.user!),
    item: joined(new Uint32Array(rows), ({ ids }) => ids.item!),
    value: joined(new Float64Array(rows), ({ numbers }) => numbers.reward!),
  }
}

/** The first row of a batch that cannot be used. */
function firstBad(
  batch: Batch,
  { kind, most }: Pick<PolicyTableOptions, 'kind'> & { readonly most: number | undefined },
  { user }: FoundColumns,
): number | undefined {
  const { ids, numbers, broken } = batch
  for (let k = 0; k < batch.rows; k++) {
    const isNamed = ids.item![k] !== MISSING && (user === undefined || ids.user![k] !== MISSING)
    if (!isNamed || !isPolicyValue(numbers.reward![k]!, kind, most) || broken?.has(k)) return k
  }
  return undefined
}

async function badRow(
  { source, found }: Opened,
  place: number,
  kind: PolicyFile['kind'],
  structure: string | undefined,
): Promise<HindcastError> {
  const [raw] = await source.rawRows([place])
  const where = `${source.name}, ${source.lineUnit} ${raw!.line}`
  const { user, item, value } = found
  const empty = [user, item].find((name) => name !== undefined && raw!.cells[name] === undefined)
  const written = raw!.cells[value]
  const whose = [
    ...(user === undefined ? [] : [`user ${raw!.cells[user]}`]),
    `item ${raw!.cells[item]}`,
  ].join(', ')
  const reason =
    structure !== undefined
      ? `the row ${structure}`
      : empty !== undefined
        ? `${empty} is missing`
        : `the ${kind} of ${whose} is ${written ?? 'missing'}; it must be ${POLICY_VALUE[kind]}`
  return new HindcastError('bad-rows', `${where}: ${reason}.`, {
    remedy:
      kind === 'probability' && structure === undefined && empty === undefined
        ? advice`Write the probability with which the policy shows the item. If these are raw scores, say how items are shown by them: ${set('target', `scores:${source.name}@best`)}, or another rule.`
        : 'Correct the row, or leave it out.',
  })
}

/** An item that comes twice for a user has two probabilities. */
async function refuseRepeated(
  { source, found }: Opened,
  { item }: Entries,
  { start, rows }: RowGroups,
  userIds: readonly string[] | undefined,
  itemIds: readonly string[],
): Promise<void> {
  // The row of the user at hand that had each item, counted from 1.
  const seen = new Uint32Array(itemIds.length)
  for (let user = 0; user + 1 < start.length; user++) {
    const own = rows.subarray(start[user], start[user + 1])
    for (const row of own) {
      const first = seen[item[row]!]!
      if (first > 0) {
        const [a, b] = await source.rawRows([first - 1, row])
        const whose = userIds ? ` for user ${JSON.stringify(userIds[user])}` : ''
        throw new HindcastError(
          'bad-rows',
          `${source.name}, ${source.lineUnit} ${b!.line}: item ${JSON.stringify(itemIds[item[row]!])} is listed twice${whose}, first in ${source.lineUnit} ${a!.line}.`,
          {
            remedy: userIds
              ? 'Leave one of the rows out.'
              : advice`Leave one of the rows out. If the ${found.value.replace(/^-/, '')} differs between users or segments, name their column with ${set('policyColumns', 'user=NAME')}.`,
          },
        )
      }
      seen[item[row]!] = row + 1
    }
    for (const row of own) seen[item[row]!] = 0
  }
}
