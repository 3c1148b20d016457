import { firstNotBelow } from '../../bisect.js'
import type { NumberColumn } from '../../log/columns.js'
import { orderOfIds } from '../../log/ids.js'
import type { Log } from '../../log/log.js'
import { PROPENSITIES } from '../../propensity/choices/index.js'
import type { Dialect } from '../../sql/dialect.js'
import type { SqlEngine } from '../../sql/engine.js'
import { idBucketSql } from '../../sql/id-bucket.js'
import type { Relation } from '../../sql/relation.js'
import { EXAMINED_BLOCK, examinedEvery } from './examined-rows.js'
import type { SqlTable } from './sql-table.js'
import { inNoOrder } from './unordered-rows.js'

/** The rows of a table that the doctor's quick checks look at, in memory: the same that they look at in a log that is there. */
export async function examinedLog(
  engine: SqlEngine,
  { relation, propensity, clickFrom }: SqlTable,
  rows: number,
  items: number,
): Promise<Log> {
  const columns = COLUMNS.filter((column) => relation.numbers[column] !== undefined)
  const { user, item, slate, cells } = await (relation.isUnordered ? someUsers : someBlocks)(
    engine,
    relation,
    rows,
    columns,
  )
  const numbers = (column: NumberColumn): Float64Array | undefined => {
    const place = columns.indexOf(column)
    return place === -1 ? undefined : columnOf(cells, place)
  }
  const assumed = propensity && PROPENSITIES.named(propensity.kind).assumed?.(propensity, items)
  const logged = propensity
    ? assumed === undefined
      ? undefined
      : new Float64Array(cells.length).fill(assumed)
    : numbers('propensity')
  const reward = numbers('reward')!
  const log = logOf(user, item, {
    reward: clickFrom === undefined ? reward : reward.map((stars) => (stars >= clickFrom ? 1 : 0)),
    propensitySource: logged ? (propensity ? 'assumed' : 'logged') : 'none',
    propensity: logged,
    position: numbers('position'),
    time: numbers('time'),
    weight: numbers('weight'),
    target: numbers('target'),
    slate,
  })
  return relation.isUnordered ? inNoOrder(log) : log
}

/** A log of rows that are examined. */
export const logOf = (
  user: Indexed,
  item: Indexed,
  { reward, propensitySource, propensity, position, time, weight, target, slate }: ExaminedColumns,
): Log => ({
  rows: reward.length,
  user: user.index,
  userIds: user.ids,
  item: item.index,
  itemIds: item.ids,
  catalogueKnown: false,
  reward,
  propensitySource,
  ...(propensity && { propensity }),
  ...(position && { position }),
  ...(time && { time }),
  ...(weight && { weight }),
  ...(target && { target }),
  ...(slate && { slate: slate.index, slateIds: slate.ids }),
})

/** The columns of rows that are examined, beside users and items. */
interface ExaminedColumns extends Pick<Log, 'reward' | 'propensitySource'> {
  readonly propensity: Float64Array | undefined
  readonly position: Float64Array | undefined
  readonly time: Float64Array | undefined
  readonly weight: Float64Array | undefined
  readonly target?: Float64Array | undefined
  readonly slate?: Indexed | undefined
}

/** Rows that are examined: their users, items and pages, and the numbers of some columns. */
interface Examined {
  readonly user: Indexed
  readonly item: Indexed
  readonly slate?: Indexed
  readonly cells: readonly (readonly (number | null)[])[]
}

/** Ids as indices into those that occur. */
export interface Indexed {
  readonly index: Uint32Array
  readonly ids: readonly string[]
}

type Take = (
  engine: SqlEngine,
  relation: Relation,
  rows: number,
  columns: readonly NumberColumn[],
) => Promise<Examined>

/** Blocks of rows that follow each other. */
const someBlocks: Take = async (engine, { from, place, ids, numbers }, rows, columns) => {
  const { dialect } = engine
  const every = examinedEvery(rows)
  const block = `CAST(${dialect.floor(`${dialect.double(place!)} / ${dialect.number(EXAMINED_BLOCK)}`)} AS BIGINT)`
  const taken = every === 1 ? '' : ` WHERE mod(${block}, ${every}) = 0`
  const select = (selected: readonly string[]): string =>
    `SELECT ${selected.join(', ')} FROM ${from}${taken} ORDER BY ${place}`
  // Ids that are whole numbers come with the other numbers, in one pass.
  const whole = (['user', 'item', 'slate'] as const).filter((column) => ids[column]?.integer !== undefined)
  const found = await engine.numbers(
    select([
      ...columns.map((column) => numbers[column]!),
      ...whole.map((column) => dialect.double(ids[column]!.integer!)),
    ]),
  )
  const indexOf = async (column: 'user' | 'item' | 'slate'): Promise<Indexed> => {
    const numbered = whole.includes(column) && columnOf(found, columns.length + whole.indexOf(column))
    const isExact = numbered && numbered.every(Number.isSafeInteger)
    return indexed(isExact ? numbered : await engine.texts(select([ids[column]!.text])))
  }
  return {
    user: await indexOf('user'),
    item: await indexOf('item'),
    ...(ids.slate && { slate: await indexOf('slate') }),
    cells: found,
  }
}

/** All rows of some users, where a table has no order of its own. Users and pages come as numbers, so that no id of theirs is sent. */
const someUsers: Take = async (engine, { from, ids, numbers }, rows, columns) => {
  const { dialect } = engine
  const every = Math.min(BUCKETS, Math.ceil(rows / MOST_SENT))
  const [user, item] = [ids.user!, ids.item!].map(({ integer, text }) => integer ?? text) as [string, string]
  const isWhole = ids.item!.integer !== undefined
  const pages = ids.slate ? [`${ids.slate.text} AS s`] : []
  const named = columns.map((column, k) => `${numbers[column]!} AS n${k}`)
  const taken =
    every === 1
      ? ''
      : ids.user!.integer !== undefined
        ? ` WHERE mod(${idBucketSql(dialect, user, true)}, ${every}) = 0`
        : ` WHERE ${user} IN (${oneUserIn(every, user, from, dialect)})`
  const examined = `(SELECT ${[`${user} AS u`, `${item} AS i`, ...pages, ...named].join(', ')} FROM ${from}${taken}) AS examined`
  const ranked = ['u', 'i', ...(ids.slate ? ['s'] : [])].map((id) =>
    dialect.double(`dense_rank() OVER (ORDER BY ${id})`),
  )
  const values = columns.map((_, k) => `n${k}`)
  const cells = await engine.numbers(
    `SELECT ${[...values, ...ranked, ...(isWhole ? [dialect.double('i')] : [])].join(', ')} FROM ${examined} ORDER BY ${['u', 'i', ...values].join(', ')} LIMIT ${4 * MOST_SENT}`,
  )
  const ranksOf = (place: 0 | 1 | 2): number[] => cells.map((row) => row[columns.length + place]!)
  const itemsOf = async (): Promise<(string | number)[]> => {
    // Whole numbers are known as they came, but for those that a number cannot hold.
    const whole = cells.map((row) => row.at(-1)!)
    if (isWhole && whole.every(Number.isSafeInteger)) return whole
    const itemIds = await engine.texts(
      `SELECT ${dialect.text('i')} FROM (SELECT DISTINCT i FROM ${examined}) AS items ORDER BY i`,
    )
    return ranksOf(1).map((rank) => itemIds[rank - 1]!)
  }
  const numbered = (place: 0 | 2, kind: string): Indexed =>
    indexed(ranksOf(place).map((rank) => `${kind} ${rank}`))
  return {
    user: numbered(0, 'user'),
    item: indexed(await itemsOf()),
    ...(ids.slate && { slate: numbered(2, 'page') }),
    cells,
  }
}

/** A query for one user in so many, by the MD5 of their ids: each is hashed once, not once for each row. */
function oneUserIn(every: number, user: string, from: string, dialect: Dialect): string {
  const apart = dialect.apart === undefined ? '' : ` ${dialect.apart}`
  const users = `(SELECT DISTINCT ${user} AS one_user FROM ${from}${apart}) AS users`
  return `SELECT one_user FROM ${users} WHERE mod(${dialect.bucket(dialect.text('one_user'))}, ${every}) = 0`
}

/** About so many rows are asked of a table without an order, which is far away; never more than four times as many, whatever one user has. */
const MOST_SENT = 65_536
const BUCKETS = 65_536

/** The columns of numbers that the checks look at. */
const COLUMNS: readonly NumberColumn[] = ['reward', 'propensity', 'position', 'time', 'weight', 'target']

/** A column of rows of numbers, NaN where one is missing. */
function columnOf(rows: readonly (readonly (number | null)[])[], place: number): Float64Array {
  const column = new Float64Array(rows.length)
  for (let row = 0; row < rows.length; row++) column[row] = rows[row]![place] ?? NaN
  return column
}

/** Ids, texts or whole numbers, as indices into those that occur, in the order that a log has them. */
export function indexed(all: ArrayLike<string | number>): Indexed {
  if (all instanceof Float64Array && all.every((id) => Math.abs(id) < MOST_NUMBER)) return indexedNumbers(all)
  const codeOf = new Map<string | number, number>()
  const codes = new Uint32Array(all.length)
  for (let row = 0; row < all.length; row++) {
    const code = codeOf.get(all[row]!) ?? codeOf.size
    if (code === codeOf.size) codeOf.set(all[row]!, code)
    codes[row] = code
  }
  const seen = Array.from(codeOf.keys(), String)
  const order = orderOfIds(seen)
  const placeOf = new Uint32Array(order.length)
  order.forEach((code, place) => (placeOf[code] = place))
  return { index: codes.map((code) => placeOf[code]!), ids: Array.from(order, (code) => seen[code]!) }
}

/** Ids with more digits are put in order as texts. */
const MOST_NUMBER = 1e15

/** The same for ids that are known to be whole numbers: found by halves among those that occur, faster than in a map. */
function indexedNumbers(all: Float64Array): Indexed {
  const occurring = all.toSorted().filter((id, place, sorted) => place === 0 || sorted[place - 1] !== id)
  const index = new Uint32Array(all.length)
  for (let row = 0; row < all.length; row++) index[row] = firstNotBelow(occurring, all[row]!)
  return { index, ids: Array.from(occurring, String) }
}
