import { idOf } from './relation.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

/** What a page can be that is none: conditions over the rows of `pagesOf`. */
export const PAGE_FAULTS = {
  positions: 'places < slots',
  users: 'least_user <> most_user',
  clusters: 'least_cluster <> most_cluster',
  weights: 'least_weight <> most_weight',
} as const

export type PageFault = keyof typeof PAGE_FAULTS

type PageView = Pick<SqlView, 'dialect' | 'relation'>

/** The rows of pages, as they stand in the log. */
function loggedRows({ dialect, relation }: PageView): string {
  const none = dialect.double('NULL')
  const columns = [
    `${idOf(relation, 'slate')} AS page`,
    `${relation.numbers.position} AS place`,
    `${idOf(relation, 'user')} AS shown_to`,
    `${idOf(relation, 'item')} AS item_id`,
    `${relation.numbers.reward} AS earned`,
    `${idOf(relation, 'cluster') ?? none} AS own_cluster`,
    `${relation.numbers.weight ?? none} AS own_weight`,
  ]
  return `(SELECT ${columns.join(', ')} FROM ${relation.from}) AS page_rows`
}

const pagesOf = (view: PageView): string =>
  `(SELECT page, count(*) AS slots, count(DISTINCT place) AS places, count(DISTINCT item_id) AS items, min(shown_to) AS least_user, max(shown_to) AS most_user, min(own_cluster) AS least_cluster, max(own_cluster) AS most_cluster, min(own_weight) AS least_weight, max(own_weight) AS most_weight FROM ${loggedRows(view)} GROUP BY page) AS pages`

/** A query for one row: the pages, the slots of the longest, pages that show an item twice, and those with each of `PAGE_FAULTS`. */
export function pageFactsQuery(view: PageView): string {
  const { dialect } = view
  const count = (condition: string): string => dialect.double(`sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`)
  const facts = [
    dialect.double('count(*)'),
    dialect.double('max(slots)'),
    count('items < slots'),
    ...Object.values(PAGE_FAULTS).map(count),
  ]
  return `SELECT ${facts.join(', ')} FROM ${pagesOf(view)}`
}

/**
 * A query for one row: pairs of slots of one page that both earned something, and how many there would be if each slot
 * earned as often as its position does.
 */
export function clicksTogetherQuery(view: PageView): string {
  const { dialect } = view
  const clicked = dialect.double('CASE WHEN earned > 0 THEN 1 ELSE 0 END')
  const positions = `(SELECT place AS of_place, avg(${clicked}) AS rate FROM ${loggedRows(view)} GROUP BY place) AS positions`
  const pages = `(SELECT sum(${clicked}) AS clicks, sum(rate) AS rates, sum(rate * rate) AS squares FROM ${loggedRows(view)} JOIN ${positions} ON place = of_place GROUP BY page) AS pages`
  return `SELECT sum(clicks * (clicks - 1)) / 2, sum(rates * rates - squares) / 2 FROM ${pages}`
}

/** A query for the id of a page with a fault. */
export const faultyPageQuery = (view: PageView, fault: PageFault): string =>
  `SELECT min(${view.dialect.text('page')}) FROM ${pagesOf(view)} WHERE ${PAGE_FAULTS[fault]}`

const ofPage = (view: PageView, page: string): string =>
  `FROM ${loggedRows(view)} WHERE ${view.dialect.text('page')} = ${view.dialect.literal(page)}`

/** A query for a position that a page has more than once. */
export const positionTwiceQuery = (view: PageView, page: string): string =>
  `SELECT place ${ofPage(view, page)} GROUP BY place HAVING count(*) > 1 ORDER BY place LIMIT 1`

/** A query for the users of a page. */
export const usersOfPageQuery = (view: PageView, page: string): string =>
  `SELECT shown FROM (SELECT DISTINCT ${view.dialect.text('shown_to')} AS shown ${ofPage(view, page)}) AS shown_users ORDER BY shown LIMIT 2`

/** A query for the least and the largest number of pages that the rows of a page stand for. */
export const weightsOfPageQuery = (view: PageView, page: string): string =>
  `SELECT min(own_weight), max(own_weight) ${ofPage(view, page)}`

/** A query for how many rows the users of each bucket have. */
export const rowsByBucketQuery = ({ dialect, relation }: PageView): string =>
  `SELECT ${dialect.double('bucket')}, ${dialect.double('sum(shown)')} FROM (SELECT ${dialect.bucket(dialect.text('shown_to'))} AS bucket, count(*) AS shown FROM ${loggedRows({ dialect, relation })} GROUP BY shown_to) AS users GROUP BY bucket ORDER BY bucket`

/** The rows of pages with their propensities b, each in its `slot`; of the users of the buckets up to `lastBucket`, or of all. */
function slotsOf(view: SqlView, further: readonly string[], lastBucket?: number): string {
  const { dialect, relation } = view
  const rows = weighedRows({ ...view, target: { kind: 'logging' } }, idOf(relation, 'user')!, {
    further: ['in_slate AS page', 'in_position AS place', 'in_item AS item_id'],
  })
  const columns = [
    'cluster',
    'item_id',
    'page',
    'b',
    'row_number() OVER (PARTITION BY page ORDER BY place) AS slot',
    ...further,
  ]
  const some =
    lastBucket === undefined ? '' : ` WHERE ${dialect.bucket(dialect.text('cluster'))} <= ${lastBucket}`
  return `SELECT ${columns.join(', ')} FROM (${rows}) AS seen_rows${some}`
}

/** Above this an item was certain to be shown, and nothing can be said of what is below it. */
const CERTAIN = 1 - 1e-9
/** Below this ln(1 − b) is taken from its series, since 1 − b has lost the digits of b. */
const SMALL = 1e-5

/**
 * A query for how the propensity of an item depends on its slot and on the items above, among the pages of everybody or of each
 * user, in one row. Three numbers each (how many values, how many groups of them, the sum of their squared distances to the
 * means of their groups) of ln b in the first slot by item, over all slots by item, and below the first slot by item and
 * slot; the squared distances, by the last of these, of Σ_{above} ln(1 − b); those of ln b in the first slot over all items; and
 * the largest sum of the propensities of the items that a user, or everybody, was shown in the first slot.
 */
export function dependenceQuery(view: SqlView, scope: 'everybody' | 'user', lastBucket?: number): string {
  const { dialect } = view
  const [zero, one, certain] = [dialect.number(0), dialect.number(1), dialect.number(CERTAIN)]
  const above = (value: string): string =>
    `coalesce(sum(${value}) OVER (PARTITION BY page ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), ${zero})`
  const series = `-(b + b * b / ${dialect.number(2)} + b * b * b / ${dialect.number(3)})`
  const left = `CASE WHEN b > ${certain} THEN ${zero} WHEN b > ${dialect.number(SMALL)} THEN ln(${one} - b) ELSE ${series} END`
  const slots = slotsOf(
    view,
    [
      `CASE WHEN b > ${zero} THEN ln(b) END AS x`,
      `${above(left)} AS taken`,
      `${above(`CASE WHEN b > ${certain} THEN ${one} ELSE ${zero} END`)} AS certain`,
    ],
    lastBucket,
  )
  const own = scope === 'user' ? 'cluster' : '0'
  const known = `SELECT ${own} AS scope, item_id, page, slot, b, x, taken FROM (${slots}) AS slots WHERE certain = ${zero}`
  const off = (value: string, group: string): string =>
    `${value} - avg(${value}) OVER (PARTITION BY ${group})`
  const nth = (group: string): string => `row_number() OVER (PARTITION BY ${group} ORDER BY page, slot)`
  const [ofItem, ofSlot] = ['scope, item_id', 'scope, item_id, slot']
  const distances = `SELECT scope, slot, b, ${off('x', 'slot')} AS off_all, ${off('x', ofItem)} AS off_item, ${nth(ofItem)} AS nth_item, ${off('x', ofSlot)} AS off_slot, ${off('taken', ofSlot)} AS off_taken, ${nth(ofSlot)} AS nth_slot FROM (${known}) AS known_slots`
  const isFirst = 'slot = 1'
  const isBelow = 'slot > 1'
  const count = (condition: string): string => `sum(CASE WHEN ${condition} THEN ${one} ELSE ${zero} END)`
  const squares = (condition: string, value: string): string =>
    dialect.sum(`CASE WHEN ${condition} THEN ${value} * ${value} ELSE ${zero} END`)
  const spread = (condition: string, value: string, isOfGroup: string): string[] => [
    count(condition),
    count(`${condition} AND ${isOfGroup}`),
    squares(condition, value),
  ]
  const parts = [
    ...spread(isFirst, 'off_slot', 'nth_slot = 1'),
    ...spread('slot > 0', 'off_item', 'nth_item = 1'),
    ...spread(isBelow, 'off_slot', 'nth_slot = 1'),
    squares(isBelow, 'off_taken'),
    squares(isFirst, 'off_all'),
    dialect.sum(`CASE WHEN ${isFirst} AND nth_slot = 1 THEN b ELSE ${zero} END`),
  ]
  const names = parts.map((_, k) => `n${k}`)
  const byScope = `SELECT ${parts.map((part, k) => `${part} AS n${k}`).join(', ')} FROM (${distances}) AS distances GROUP BY scope`
  const whole = names.map((name, k) => (k === names.length - 1 ? `max(${name})` : dialect.sum(name)))
  return `SELECT ${whole.map(dialect.double).join(', ')} FROM (${byScope}) AS scopes`
}

/** By how much 1/b falls from the first slot of a page to the others, summed by user: `gap`, the fall to `expect` of conditional propensities, and the pages `n` with more than one slot. */
function gapsOfUsers(view: SqlView): string {
  const { dialect } = view
  const [zero, one] = [dialect.number(0), dialect.number(1)]
  const inverse = `CASE WHEN b > ${zero} THEN ${one} / b END`
  const slots = dialect.double('count(*)')
  const pages = `SELECT min(cluster) AS shown_to, max(CASE WHEN slot = 1 THEN ${inverse} END) - ${dialect.sum(`CASE WHEN slot > 1 THEN ${inverse} ELSE ${zero} END`)} / nullif(${slots} - ${one}, ${zero}) AS gap, ${slots} / ${dialect.number(2)} AS expected FROM (${slotsOf(view, [])}) AS slots GROUP BY page HAVING count(*) > 1`
  return `(SELECT ${dialect.sum('gap')} AS gap, ${dialect.sum('expected')} AS expected, ${dialect.double('count(*)')} AS n FROM (${pages}) AS long_pages GROUP BY shown_to) AS user_gaps`
}

/** A query for one row: the gaps, the expected ones, the pages, and the users. */
export const gapsQuery = (view: SqlView): string => {
  const { dialect } = view
  return `SELECT ${['gap', 'expected', 'n'].map((name) => dialect.sum(name)).join(', ')}, ${dialect.double('count(*)')} FROM ${gapsOfUsers(view)}`
}

/** A query for the sum of the squared distances of the users' gaps to their pages times the mean. */
export const gapSquaresQuery = (view: SqlView, mean: number): string => {
  const distance = `(gap - ${view.dialect.number(mean)} * n)`
  return `SELECT ${view.dialect.sum(`${distance} * ${distance}`)} FROM ${gapsOfUsers(view)}`
}

/** A query for the `count` values of a column of pages that are furthest from 0, the furthest first, without their signs. */
export const largestPagesQuery = (pages: string, value: string, count: number): string =>
  `SELECT abs(${value}) AS x FROM (${pages}) AS seen_pages ORDER BY x DESC LIMIT ${count}`
