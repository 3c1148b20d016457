import type { Log } from '../log/log.js'
import { groupRows } from '../log/row-groups.js'
import { type GroupedRows, groupedRows } from './grouped-rows.js'
import { itemFitOf } from './item-cells.js'
import type { ItemFit } from './item-fit.js'
import { rowsShown, type ShownRows } from './shown-rows.js'
import { userFitOf } from './user-cells.js'
import type { UserFit } from './user-fit.js'

/** How the probabilities of a target go with the rewards of a log. */
export interface LogFit {
  readonly items: ItemFit
  /** Null where users were not asked about. */
  readonly users: UserFit | null
}

/** What of a log decides how targets fit it; of the ids only their number matters. */
export interface FitColumns extends Pick<Log, 'user' | 'item' | 'reward'> {
  readonly propensity: Float64Array
  readonly userIds: { readonly length: number }
  readonly itemIds: { readonly length: number }
}

/** How a target fits a log, from its importance weights; `withUsers` also asks user by user. */
export type LogFitter = (weights: Float64Array, withUsers: boolean) => LogFit | Promise<LogFit>

/** The fitter of a log. What no target changes is made when first asked for, and kept. */
export function logFitter({
  user,
  item,
  reward,
  propensity,
  userIds,
  itemIds,
}: FitColumns): (...asked: Parameters<LogFitter>) => LogFit {
  const shownBy = rowsShown(propensity)
  let byItem: GroupedRows | undefined
  let byUser: GroupedRows | undefined
  const itemsFit = (shown: ShownRows): ItemFit =>
    itemFitOf((byItem ??= groupedRows(groupRows(item, itemIds.length), reward)), shown)
  const usersFit = (shown: ShownRows): UserFit =>
    userFitOf((byUser ??= groupedRows(groupRows(user, userIds.length), reward)), shown)
  return (weights, withUsers) => {
    const shown = shownBy(weights)
    return { items: itemsFit(shown), users: withUsers ? usersFit(shown) : null }
  }
}
