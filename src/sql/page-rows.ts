import type { Dialect } from './dialect.js'
import type { PageColumn } from './page-expression.js'
import { STANDING } from './probabilities-by-rule.js'
import { ofFold } from './user-fold.js'
import { POPULARITY_FOLD, type SqlView, targetProbability, weighedRows } from './weighed-rows.js'

/** How the slots of pages are weighed, and what is predicted of them. */
export interface PageWeighing {
  /**
   * `plain`: w_k = π(a)/b, as of single rows. `conditional`: the target fills a page slot by slot and shows nothing twice, so
   * that its probability of an item is π(a)/(1 − Σ_{above} π).
   */
  readonly weights: 'plain' | 'conditional'
  /** `given`: v as of single rows. `left`: what the target would earn from the items that are left below those above. */
  readonly values: 'given' | 'left'
  /** Below this, what is left of 1 has lost its digits: such rows are counted as `tight`, and have no weight. */
  readonly smallRest: number
  /**
   * A target that goes by the order of its items: each slot of a page, of which the longest has so many, shows the best item not
   * yet shown, or with this probability any. Slots for which no item is left are counted as `tight`. Where its probabilities are
   * marginal, they are those of the best item, whatever stands above.
   */
  readonly sorted?: SortedSlots | undefined
}

type SortedSlots = { readonly mostSlots: number } & (
  | { readonly epsilon: number; readonly isMarginal: false }
  | { readonly epsilon: 0; readonly isMarginal: true }
)

/** Logarithms of page weights beyond this: their squares could not be summed. Above it a weight counts as infinite, below it as 0. */
const MOST_LOG = 230

/** The columns of rows that pages are made of. */
const KEPT = 'cluster, number_of, broken, unpredicted, page, slot, r, q'

/**
 * A query for the pages of a log: the `cluster` of the first row of each, the `number_of` pages that it stands for, how many of
 * its rows are broken (`broken_rows`), show an item without a prediction (`unpredicted_rows`) or are `tight`, and the columns
 * asked for.
 */
export function pageRows(
  view: SqlView,
  cluster: string,
  columns: readonly PageColumn[],
  weighing: PageWeighing,
): string {
  const { dialect } = view
  const count = (flag: string): string => `sum(CASE WHEN ${flag} THEN 1 ELSE 0 END)`
  const selected = [
    'min(CASE WHEN slot = 1 THEN cluster END) AS cluster',
    'max(number_of) AS number_of',
    `${count('broken')} AS broken_rows`,
    `${count('unpredicted')} AS unpredicted_rows`,
    `${dialect.double('sum(tight)')} AS tight_rows`,
    ...columns.map((column) => `${columnOf(column, dialect)} AS ${column}`),
  ]
  const rows = multipliedRows(dialect, weighedSlots(view, cluster, weighing))
  return `SELECT ${selected.join(', ')} FROM (${rows}) AS multiplied_slots GROUP BY page`
}

/** A column of a page, over its rows. */
function columnOf(column: PageColumn, dialect: Dialect): string {
  const zero = dialect.number(0)
  const of = (condition: string, value: string): string =>
    dialect.sum(`CASE WHEN ${condition} THEN ${value} ELSE ${zero} END`)
  if (column === 'slots') return dialect.double('count(*)')
  if (column === 'weights') return dialect.sum('w')
  if (column === 'rewards') return dialect.sum('r')
  if (column === 'weighted') return dialect.sum('w * r')
  if (column === 'whole') return product(dialect, 'sum(is_zero)', dialect.sum('log_w'))
  if (column === 'earned') return dialect.sum('w_to * r')
  if (column === 'corrected') return dialect.sum('w_above * v + w_to * (r - q)')
  const slot = Number(/\d+$/.exec(column)![0])
  if (column.startsWith('upto_'))
    return product(
      dialect,
      `sum(CASE WHEN slot <= ${slot} THEN is_zero ELSE 0 END)`,
      of(`slot <= ${slot}`, 'log_w'),
    )
  return of(`slot ${column.startsWith('earned_from_') ? '>=' : '='} ${slot}`, 'w_to * r')
}

/** A product of weights from the number of those that are 0 and the sum of the logarithms of the others. */
function product(dialect: Dialect, zeros: string, logarithm: string): string {
  const [most, zero] = [dialect.number(MOST_LOG), dialect.number(0)]
  return `CASE WHEN ${zeros} > 0 THEN ${zero} WHEN abs(${logarithm}) <= ${most} THEN exp(${logarithm}) WHEN ${logarithm} < ${zero} THEN ${zero} ELSE ${dialect.number(Infinity)} END`
}

/** Slots with the products of the weights from the top: `w_to` the slot itself, and `w_above` it. */
function multipliedRows(dialect: Dialect, slots: string): string {
  const [zero, one] = [dialect.number(0), dialect.number(1)]
  const logs = `SELECT ${KEPT}, w, v, tight, CASE WHEN w > ${zero} THEN ln(w) ELSE ${zero} END AS log_w, CASE WHEN w > ${zero} THEN 0 ELSE 1 END AS is_zero FROM (${slots}) AS weighed_slots`
  const from = 'OVER (PARTITION BY page ORDER BY slot ROWS BETWEEN UNBOUNDED PRECEDING AND'
  const sums = `SELECT ${KEPT}, w, v, tight, log_w, is_zero, ${dialect.sum('log_w')} ${from} CURRENT ROW) AS logs_to, sum(is_zero) ${from} CURRENT ROW) AS zeros_to, ${dialect.sum('log_w')} ${from} 1 PRECEDING) AS logs_before, sum(is_zero) ${from} 1 PRECEDING) AS zeros_before FROM (${logs}) AS logged_slots`
  const before = `CASE WHEN slot = 1 THEN ${one} ELSE ${product(dialect, 'zeros_before', 'logs_before')} END`
  return `SELECT ${KEPT}, w, v, tight, log_w, is_zero, ${product(dialect, 'zeros_to', 'logs_to')} AS w_to, ${before} AS w_above FROM (${sums}) AS summed_slots`
}

/** The rows of pages, each with its `slot` counted from 1, its weight there, and what the target would earn there. */
function weighedSlots(view: SqlView, cluster: string, weighing: PageWeighing): string {
  const { weights, values, smallRest, sorted } = weighing
  if (sorted) return sortedSlots(view, cluster, sorted)
  const { dialect, target } = view
  const [zero, one] = [dialect.number(0), dialect.number(1)]
  const looksAbove = weights === 'conditional' || values === 'left'
  const above = (value: string): string =>
    `coalesce(sum(${value}) OVER (PARTITION BY page ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), ${zero})`
  const rows = weighedRows(view, cluster, {
    further: [
      'in_slate AS page',
      'in_position AS place',
      ...(looksAbove
        ? [
            `${targetProbability(view)} AS p`,
            `CASE WHEN ${followsLogging(view)} THEN 1 ELSE 0 END AS follows`,
          ]
        : []),
    ],
  })
  const seen = `cluster, number_of, broken, unpredicted, page, r, q, w, v, row_number() OVER (PARTITION BY page ORDER BY place) AS slot`
  if (!looksAbove)
    return `SELECT ${KEPT}, w, v, 0 AS tight FROM (SELECT ${seen} FROM (${rows}) AS seen_rows) AS seen_slots`
  const taken = [
    'b, p, follows',
    `${one} - ${above('p')} AS rest`,
    `${above(`CASE WHEN w > ${zero} THEN ${zero} ELSE ${one} END`)} AS lost`,
    ...(values === 'left' ? [`${above('p * q')} AS taken_value`] : []),
  ]
  const share = target.kind === 'uniform' ? evenShare(view, dialect.double('slot')) : 'p / rest'
  const isOpen = `rest > ${dialect.number(smallRest)}`
  // Below an item that the target never shows, nothing is left to weigh.
  const conditional = `CASE WHEN follows = 1 THEN w WHEN lost > ${zero} THEN ${zero} WHEN ${isOpen} THEN ${share} / b END`
  const left = `CASE WHEN follows = 1 OR slot = 1 THEN v WHEN lost = ${zero} AND ${isOpen} THEN (v - taken_value) / rest ELSE ${zero} END`
  const tight = `CASE WHEN follows = 1 OR lost > ${zero} OR ${isOpen} THEN 0 ELSE 1 END`
  return `SELECT ${KEPT}, ${weights === 'conditional' ? conditional : 'w'} AS w, ${values === 'left' ? left : 'v'} AS v, ${tight} AS tight FROM (SELECT ${seen}, ${taken.join(', ')} FROM (${rows}) AS seen_rows) AS seen_slots`
}

/**
 * The same for a target that goes by the order of its items. While nothing above is impossible for it, the items above are
 * different candidates: with ε = 0 they are the best ones, so that the place of an item says whether a slot may show it.
 */
function sortedSlots(
  view: SqlView,
  cluster: string,
  { epsilon, mostSlots, isMarginal }: SortedSlots,
): string {
  const { dialect } = view
  const number = (value: number): string => dialect.number(value)
  const [zero, one, slot] = [number(0), number(1), dialect.double('slot')]
  const flag = (condition: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END`
  const [stands, ties, candidates] = STANDING.map(
    (column) => `coalesce(${standingColumn(view, column)}, ${zero})`,
  )
  const rows = weighedRows(view, cluster, {
    further: [
      'in_slate AS page',
      'in_position AS place',
      'in_item AS shown_item',
      `${stands} AS stands`,
      `${ties} AS ties`,
      `${candidates} AS candidates`,
      `${flag(followsLogging(view))} AS follows`,
      `${flag(isShownEvenly(view))} AS evenly`,
    ],
  })
  const onPage = 'OVER (PARTITION BY page ORDER BY place)'
  // How many of the items above are better than that of a row, and how many tie with it.
  const above = (comparison: string): string =>
    Array.from(
      { length: mostSlots - 1 },
      (_, k) =>
        `CASE WHEN lag(ties, ${k + 1}) ${onPage} > ${zero} AND lag(stands, ${k + 1}) ${onPage} ${comparison} stands THEN ${one} ELSE ${zero} END`,
    ).join(' + ') || zero
  const kept = 'cluster, number_of, broken, unpredicted, page, r, q, w, v, b, follows'
  const seen = `SELECT ${kept}, evenly, place, stands, ties, candidates, row_number() ${onPage} AS slot, row_number() OVER (PARTITION BY page, shown_item ORDER BY place) AS showing, max(candidates) OVER (PARTITION BY page) AS most${epsilon > 0 ? `, ${above('<')} AS ahead, ${above('=')} AS alike` : ''} FROM (${rows}) AS seen_rows`
  const share =
    epsilon === 0
      ? `CASE WHEN stands <= ${slot} AND ${slot} < stands + ties THEN ${one} / ${isMarginal ? 'ties' : `(stands + ties - ${slot})`} ELSE ${zero} END`
      : `CASE WHEN ${slot} > candidates THEN ${zero} ELSE ${number(epsilon)} / (candidates - ${slot} + ${one}) + CASE WHEN ahead = stands - ${one} AND ties > alike THEN ${number(1 - epsilon)} / (ties - alike) ELSE ${zero} END END`
  const evenly =
    isShownEvenly(view) === NEVER ? '' : `WHEN evenly = 1 THEN ${evenShare(view, isMarginal ? one : slot)} `
  const shares = `SELECT ${kept}, place, slot, most, evenly, CASE ${evenly}WHEN ties = ${zero}${isMarginal ? '' : ' OR showing > 1'} THEN ${zero} ELSE ${share} END AS share FROM (${seen}) AS placed_slots`
  // Whatever stands above changes nothing of what is marginal.
  const lost = isMarginal
    ? '0'
    : `coalesce(sum(CASE WHEN share > ${zero} THEN 0 ELSE 1 END) OVER (PARTITION BY page ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`
  const isShort = isMarginal ? NEVER : `evenly = 0 AND slot > 1 AND ${slot} > most`
  const open = `SELECT ${kept}, slot, share, ${lost} AS lost, ${flag(isShort)} AS short FROM (${shares}) AS shared_slots`
  const weight = `CASE WHEN follows = 1 THEN w WHEN lost > 0 THEN ${zero} WHEN short = 0 THEN share / b END`
  return `SELECT ${KEPT}, ${weight} AS w, v, ${flag('follows = 0 AND lost = 0 AND short = 1')} AS tight FROM (${open}) AS open_slots`
}

/** Where the item of a row stands: NULL or 0 for one that is no candidate. */
const standingColumn = ({ target }: SqlView, column: (typeof STANDING)[number]): string =>
  target.kind === 'table'
    ? `${target.table}.${column}`
    : ofFold(`in_${POPULARITY_FOLD}`, (k) => `popular_items.${column}_${k}`)

const NEVER = '1 = 0'

/** True where the target has no user of a row, who is shown every item equally often instead. */
const isShownEvenly = ({ target }: SqlView): string =>
  target.kind === 'table' && target.users?.missing === 'uniform'
    ? `${target.users.table}.user_id IS NULL`
    : NEVER

/** The probability of an item in a slot that is filled with any of those not yet shown. */
const evenShare = ({ dialect, items }: SqlView, slot: string): string =>
  `(${dialect.number(1)} / (${typeof items === 'string' ? items : dialect.number(items!)} - ${slot} + ${dialect.number(1)}))`

/** True where the target shows the user of a row what the logging policy shows. */
const followsLogging = ({ target }: SqlView): string =>
  target.kind === 'table' && target.users?.missing === 'logging'
    ? `${target.users.table}.user_id IS NULL`
    : NEVER
