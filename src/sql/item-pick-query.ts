import { FARTHEST_TAIL, TAIL_CURVE } from '../normal-tail.js'
import { idOf } from './relation.js'
import { type CellChoice, rewardColumns, stepOf } from './target-cells.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

/** Which rows show an item that the target picks: those of one step of its probabilities, the `first` below 1. */
export interface PickChoice extends CellChoice {
  readonly first: number
}

/** Each score of a cell and the variance of its noise, from the mean m and variance v of its n rewards, Σr/b, Σ1/b and Σ1/b². */
const SCORES = {
  mean: { x: 'm', noise: 'v / n' },
  ips: { x: 'weighted', noise: 'v * inverse_squared' },
  snips: { x: 'weighted / inverse', noise: 'v * inverse_squared / (inverse * inverse)' },
} as const

/** A score by which items may have been picked. */
export type PickScore = keyof typeof SCORES

/** A query for one row: for each score and side, the shown items first, how many cells, Σx, Σx², Σ noise, the least and the largest x. */
export function pickSidesQuery(view: SqlView, scores: readonly PickScore[], choice: PickChoice): string {
  const { dialect } = view
  const sums = scores.flatMap((score) =>
    [1, 0].flatMap((side) => {
      const { x, noise } = SCORES[score]
      const of = (value: string): string => `CASE WHEN is_shown = ${side} THEN ${value} END`
      return [
        `count(${of('n')})`,
        `sum(${of(x)})`,
        `sum(${of(`(${x}) * (${x})`)})`,
        `sum(${of(noise)})`,
        `min(${of(x)})`,
        `max(${of(x)})`,
      ].map((sum) => dialect.double(sum))
    }),
  )
  return `SELECT ${sums.join(', ')} FROM (${cellsQuery(view, choice)}) AS picked_cells`
}

/** What the true scores of one side of a pick would be if they were as alike as the log allows: x drawn in to the mean by spread/(spread + noise). */
export interface PickSide {
  readonly mean: number
  /** The variance of the true scores. */
  readonly spread: number
}

/** Where a pick may have drawn its line between the items that it shows and the others. */
export interface PickCuts {
  readonly shown: PickSide
  readonly others: PickSide
  /** Half way between the least score shown and the largest of the others. */
  readonly middle: number
  /** Lines from the mean of the one side to that of the other. */
  readonly between: readonly number[]
}

/**
 * A query for one row about the cells by one score: how many lie on the wrong side of the middle, how many chance would put there if
 * scores were true as they are, and for each line between the sides how many if they were drawn in to the means of their sides.
 */
export function partingQuery(view: SqlView, score: PickScore, choice: PickChoice, cuts: PickCuts): string {
  const { dialect } = view
  const { x, noise } = SCORES[score]
  const number = (value: number): string => dialect.number(value)
  const [middle, farthest] = [number(cuts.middle), number(FARTHEST_TAIL)]
  const scored = `SELECT is_shown, ${x} AS x, ${noise} AS e FROM (${cellsQuery(view, choice)}) AS picked_cells`
  const truth = ({ mean, spread }: PickSide): string =>
    `${number(mean)} + ${number(spread)} / (${number(spread)} + e) * (x - ${number(mean)})`
  const erring = `SELECT is_shown, x, CASE WHEN e > ${number(0)} THEN sqrt(e) END AS error, CASE WHEN e > ${number(0)} THEN CASE WHEN is_shown = 1 THEN ${truth(cuts.shown)} ELSE ${truth(cuts.others)} END END AS truth FROM (${scored}) AS scored_cells`
  const capped = (z: string): string =>
    `CASE WHEN ${z} > ${farthest} THEN ${farthest} WHEN ${z} < -${farthest} THEN -${farthest} ELSE ${z} END`
  const away = cuts.between.map((cut, k) => {
    const z = `(CASE WHEN is_shown = 1 THEN truth - ${number(cut)} ELSE ${number(cut)} - truth END / error)`
    return `${capped(z)} AS z${k}`
  })
  const distances = `SELECT CASE WHEN (CASE WHEN x >= ${middle} THEN 1 ELSE 0 END) = is_shown THEN 0 ELSE 1 END AS crossed, ${capped(`(abs(x - ${middle}) / error)`)} AS z, ${away.join(', ')} FROM (${erring}) AS erring_cells`
  const chance = (z: string): string =>
    dialect.double(
      `sum(${number(1)} / (${number(1)} + exp(${number(TAIL_CURVE.cubic)} * ${z} * ${z} * ${z} + ${number(TAIL_CURVE.linear)} * ${z})))`,
    )
  const sums = [dialect.double('sum(crossed)'), chance('z'), ...cuts.between.map((_, k) => chance(`z${k}`))]
  return `SELECT ${sums.join(', ')} FROM (${distances}) AS distant_cells`
}

/** The cells of a table, each an item among the users to whom it is shown or among the others. */
function cellsQuery(view: SqlView, choice: PickChoice): string {
  const { dialect, relation } = view
  const [zero, one] = [dialect.number(0), dialect.number(1)]
  const rows = weighedRows(view, idOf(relation, 'user')!, { further: ['in_item AS item_id'] })
  const shown = `SELECT item_id, r, b, w * b AS p FROM (${rows}) AS seen_rows`
  const placed = `SELECT item_id, r, b, CASE WHEN p > ${zero} THEN CASE WHEN ${stepOf(dialect, choice)} = ${dialect.number(choice.first)} THEN 1 ELSE 0 END ELSE 0 END AS is_shown FROM (${shown}) AS shown_rows`
  return `SELECT is_shown, ${rewardColumns(dialect)}, sum(r / b) AS weighted, sum(${one} / b) AS inverse, sum(${one} / (b * b)) AS inverse_squared FROM (${placed}) AS placed_rows GROUP BY item_id, is_shown HAVING count(*) >= ${choice.fewest}`
}
