import type { IdColumn, NumberColumn } from '../../log/columns.js'
import { orderOfIds } from '../../log/ids.js'
import type { Log } from '../../log/log.js'
import { PROPENSITIES } from '../../propensity/choices/index.js'
import type { Dialect } from '../../sql/dialect.js'
import type { SqlEngine } from '../../sql/engine.js'
import type { Relation } from '../../sql/relation.js'
import { EXAMINED_BLOCK, examinedEvery } from './examined-rows.js'
import type { SqlTable } from './sql-table.js'

/** The rows of a table that the doctor's quick checks look at, in memory: the same that they look at in a log that is there. */
export async function examinedLog(
  engine: SqlEngine,
  { relation, propensity, clickFrom }: SqlTable,
  rows: number,
  items: number,
): Promise<Log> {
  const { dialect } = engine
  const columns = COLUMNS.filter((column) => relation.numbers[column] !== undefined)
  const { taken, order } = relation.isUnordered
    ? someUsers(dialect, relation, rows, columns)
    : someBlocks(dialect, relation.place!, rows)
  const select = (selected: readonly string[]): string =>
    `SELECT ${selected.join(', ')} FROM ${relation.from}${taken} ORDER BY ${order}`
  const ids = async (column: IdColumn): Promise<{ index: Uint32Array; ids: string[] }> =>
    indexed(await engine.texts(select([relation.ids[column]!.text])))
  const [user, item] = [await ids('user'), await ids('item')]
  const cells = await engine.numbers(select(columns.map((column) => relation.numbers[column]!)))
  const numbers = (column: NumberColumn): Float64Array | undefined => {
    const place = columns.indexOf(column)
    return place === -1 ? undefined : Float64Array.from(cells, (row) => row[place] ?? NaN)
  }
  const assumed = propensity && PROPENSITIES.named(propensity.kind).assumed?.(propensity, items)
  const logged = propensity
    ? assumed === undefined
      ? undefined
      : new Float64Array(cells.length).fill(assumed)
    : numbers('propensity')
  const reward = numbers('reward')!
  const [position, time, weight] = [numbers('position'), numbers('time'), numbers('weight')]
  return {
    rows: cells.length,
    user: user.index,
    userIds: user.ids,
    item: item.index,
    itemIds: item.ids,
    catalogueKnown: false,
    reward: clickFrom === undefined ? reward : reward.map((stars) => (stars >= clickFrom ? 1 : 0)),
    propensitySource: logged ? (propensity ? 'assumed' : 'logged') : 'none',
    ...(logged && { propensity: logged }),
    ...(position && { position }),
    ...(time && { time }),
    ...(weight && { weight }),
  }
}

/** Which rows are examined, as the end of a query from the table, and in which order. */
interface Examined {
  readonly taken: string
  readonly order: string
}

/** Blocks of rows that follow each other. */
function someBlocks(dialect: Dialect, place: string, rows: number): Examined {
  const every = examinedEvery(rows)
  const block = `CAST(${dialect.floor(`${dialect.double(place)} / ${dialect.number(EXAMINED_BLOCK)}`)} AS BIGINT)`
  return { taken: every === 1 ? '' : ` WHERE mod(${block}, ${every}) = 0`, order: place }
}

/**
 * All rows of some users, in the order of their times, where a table has no order of its own. Rows that are the same in all
 * that is looked at may be exchanged: so several queries give columns of the same rows. Without times, the order is one
 * that nothing depends on.
 */
function someUsers(
  dialect: Dialect,
  { ids, numbers }: Relation,
  rows: number,
  columns: readonly NumberColumn[],
): Examined {
  const every = Math.min(BUCKETS, Math.ceil(rows / MOST_SENT))
  const [user, item] = [ids.user!.text, ids.item!.text]
  const taken = every === 1 ? '' : ` WHERE mod(${dialect.bucket(user)}, ${every}) = 0`
  const others = columns.filter((column) => column !== 'time').map((column) => numbers[column]!)
  const first = numbers.time ?? dialect.bucket(`${user} || ${item}`)
  return { taken, order: [first, user, item, ...others].join(', ') }
}

/** About so many rows are asked of a table without an order, which is far away. */
const MOST_SENT = 65_536
const BUCKETS = 65_536

/** The columns of numbers that the checks look at. */
const COLUMNS: readonly NumberColumn[] = ['reward', 'propensity', 'position', 'time', 'weight']

/** Texts as indices into those that occur, in the order that a log has them. */
function indexed(texts: readonly string[]): { index: Uint32Array; ids: string[] } {
  const seen = [...new Set(texts)]
  const ids = Array.from(orderOfIds(seen), (place) => seen[place]!)
  const placeOf = new Map(ids.map((id, place) => [id, place]))
  return { index: Uint32Array.from(texts, (text) => placeOf.get(text)!), ids }
}
