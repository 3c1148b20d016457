import { idBucketSql } from './id-bucket.js'
import { idOf } from './relation.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

/** Which rows are paired, and how probabilities are placed. */
export interface PairChoice {
  /** Users are looked at whose id lies in a bucket below this; undefined where all are. */
  readonly buckets: number | undefined
  /** The part of their mean that is added to probabilities. */
  readonly floor: number
  /** Rows of a user from which they are paired. */
  readonly fewest: number
}

/** A query for one row: within users Σ (p − p̄)(e − ē) and Σ (p − p̄)², and the rows of all. */
export function userSlopeQuery(view: SqlView, choice: PairChoice): string {
  const { dialect } = view
  const users = `SELECT ${dialect.double('count(*)')} AS n, sum(p) AS p, sum(e) AS e, sum(p * e) AS pe, sum(p * p) AS pp FROM (${pairedRows(view, choice)}) AS paired_rows GROUP BY cluster`
  const sums = ['pe - p * e / n', 'pp - p * p / n', 'n'].map((value) => dialect.double(`sum(${value})`))
  return `SELECT ${sums.join(', ')} FROM (${users}) AS sloped_users`
}

/**
 * A query for one row about pairs of rows of a user, e less so much of p: of the squared covariances of the two, and of rows of the
 * same item, the sum and its variance by chance, then the same of e as it is; and how rows of an item go with what it earned, the
 * sum and that of its squares.
 */
export function userPairsQuery(view: SqlView, slope: number, choice: PairChoice): string {
  const { dialect } = view
  const [zero, one, two, three, four] = [0, 1, 2, 3, 4].map((value) => dialect.number(value))
  const left = `SELECT cluster, item_id, sqrt(b) AS root, p, e AS d, e - ${dialect.number(slope)} * p AS e FROM (${pairedRows(view, choice)}) AS paired_rows`
  const ofCell = {
    p: 'p',
    e: 'e',
    pe: 'p * e',
    pp: 'p * p',
    ee: 'e * e',
    ppe: 'p * p * e',
    pee: 'p * e * e',
    ppee: 'p * p * e * e',
    d: 'd',
    dd: 'd * d',
    s: 'root',
    ds: 'd * root',
    i: `${one} / root`,
    di: 'd / root',
  }
  const cells = `SELECT cluster, ${dialect.double('count(*)')} AS c, ${Object.entries(ofCell).map(([name, value]) => `sum(${value}) AS ${name}`)} FROM (${left}) AS left_rows GROUP BY cluster, item_id`
  const others = `nullif(c - ${one}, ${zero})`
  const again = Object.entries({
    again_e: 'e',
    again_ee: 'ee',
    again_d: 'd',
    again_dd: 'dd',
    pairs_e: `(e * e - ee) / ${others}`,
    pairs_d: `(d * d - dd) / ${others}`,
    repeated: 'c',
    parts: `c / ${others}`,
  }).map(([name, value]) => `coalesce(sum(CASE WHEN c > ${one} THEN ${value} END), ${zero}) AS ${name}`)
  const whole = Object.keys(ofCell).map((name) => `sum(${name}) AS ${name}`)
  const fed = [`sum((c - ${one}) * di) AS fed`, `sum((c - ${one}) * i) AS food`]
  const users = `SELECT sum(c) AS n, ${[...whole, ...again, ...fed]} FROM (${cells}) AS paired_cells GROUP BY cluster HAVING sum(c) >= ${dialect.number(choice.fewest)}`
  const products = `SELECT paired_users.*, pe * pe - ppee AS of_two, pe * p * e - ppe * e - pee * p - pe * pe + ${two} * ppee AS of_three, fed - d / n * food - (n - ${one}) * (ds - d / n * s) AS feedback FROM (${users}) AS paired_users`
  const ofFour = `(p * p - pp) * (e * e - ee) - ${four} * of_three - ${two} * of_two`
  const rest = `((n - ${two}) * (n - ${three}))`
  const spread = `(ppee - ${two} * p / n * pee - ${two} * e / n * ppe + p / n * p / n * ee + e / n * e / n * pp + ${four} * p / n * e / n * pe - ${three} * n * p / n * p / n * e / n * e / n) / n`
  /** Of rows of the same item, with what is left of rewards called so. */
  const repeats = (x: 'e' | 'd'): string[] => {
    const variance = `(${x}${x} - ${x} * ${x} / n) / (n - ${one})`
    return [
      `pairs_${x} - (${two} * ${x} * again_${x} - ${two} * again_${x}${x} - ${two} * pairs_${x}) / (n - ${two}) + (repeated * (${x} * ${x} - ${x}${x}) - ${four} * ${x} * again_${x} + ${four} * again_${x}${x} + ${two} * pairs_${x}) / ${rest}`,
      `${two} * (${variance}) * (${variance}) * parts`,
    ]
  }
  const sums = [
    `(of_two - ${two} * of_three / (n - ${two}) + (${ofFour}) / ${rest}) / n`,
    `${two} * (${spread}) * (${spread}) * (n - ${one}) / n`,
    ...repeats('e'),
    ...repeats('d'),
    'feedback',
    'feedback * feedback',
  ]
  return `SELECT ${sums.map((value) => dialect.double(`sum(${value})`)).join(', ')} FROM (${products}) AS multiplied_users`
}

/** Rows with their user, item and propensity b, the reward e less the mean of its item, and p, the logarithm of the target's probability less the same. */
function pairedRows(view: SqlView, { buckets, floor }: PairChoice): string {
  const { dialect, relation } = view
  const rows = weighedRows(view, idOf(relation, 'user')!, { further: ['in_item AS item_id'] })
  const bucket = idBucketSql(dialect, 'cluster', relation.ids.user!.integer !== undefined)
  const some = buckets === undefined ? '' : ` WHERE ${bucket} < ${buckets}`
  const seen = `SELECT cluster, item_id, r, b, w * b AS t FROM (${rows}) AS seen_rows${some}`
  // No logarithm of 0, where the target shows nothing of what was logged.
  const lifted = `nullif(t + ${dialect.number(floor)} * avg(t) OVER (), ${dialect.number(0)})`
  const logged = `SELECT cluster, item_id, b, r - avg(r) OVER (PARTITION BY item_id) AS e, ln(${lifted}) AS l FROM (${seen}) AS shown_rows`
  return `SELECT cluster, item_id, b, e, l - avg(l) OVER (PARTITION BY item_id) AS p FROM (${logged}) AS logged_rows`
}
